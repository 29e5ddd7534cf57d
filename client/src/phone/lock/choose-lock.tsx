/** Chooses a PIN, entered twice, or the phone's own lock. */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type LockChoice, putSessionUnderLock } from '../../device/lock/device-lock.ts';
import { isWeakPin, MAX_PIN_DIGITS, MIN_PIN_DIGITS } from '../../device/lock/pin.ts';
import { canUsePlatformLock, NoPlatformLock } from '../../device/lock/platform-lock.ts';
import type { DeviceSession } from '../../device/stored-session.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { Keypad } from './keypad.tsx';

interface ChooseLockProps {
  session: DeviceSession;
  onChosen?(): void;
}

export function ChooseLock({ session, onChosen }: ChooseLockProps) {
  const { t } = useTranslation('lock');
  const problemText = useProblemText();
  const [pin, setPin] = useState('');
  /** The PIN as entered the first time. */
  const [first, setFirst] = useState<string | null>(null);
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const [platform, setPlatform] = useState(false);
  useEffect(() => {
    void canUsePlatformLock().then(setPlatform);
  }, []);
  const restart = (why: string | null) => {
    setFault(why);
    setFirst(null);
    setPin('');
  };
  const store = async (request: LockChoice) => {
    setBusy(true);
    try {
      await putSessionUnderLock(session, request);
      onChosen?.();
    } catch (error) {
      restart(error instanceof NoPlatformLock ? t('platformFailed') : problemText(error));
    }
    setBusy(false);
  };
  const next = () => {
    if (busy || first !== null || pin.length < MIN_PIN_DIGITS) return;
    if (isWeakPin(pin, session.user.phone)) return restart(t('weak'));
    setFirst(pin);
    setPin('');
  };
  const onDigits = (digits: string) => {
    if (busy) return;
    const nextPin = (pin + digits).slice(0, first?.length ?? MAX_PIN_DIGITS);
    setPin(nextPin);
    setFault(null);
    if (first === null || nextPin.length < first.length) return;
    if (nextPin === first) void store({ pin: nextPin });
    else restart(t('different'));
  };
  return (
    <>
      <div className="lock-middle">
        <h1>{t(first === null ? 'choose' : 'again')}</h1>
        {fault ? (
          <p className="lock-fault" role="alert">
            {fault}
          </p>
        ) : (
          <p className="lock-text">{t(first === null ? 'chooseWhat' : 'againWhat')}</p>
        )}
      </div>
      <Keypad
        key={first === null ? 'first' : 'again'}
        label={t(first === null ? 'choose' : 'again')}
        typed={pin.length}
        digits={first?.length}
        busy={busy}
        onDigits={onDigits}
        onErase={() => busy || setPin(pin.slice(0, -1))}
        enter={
          first === null
            ? { label: t('next'), disabled: busy || pin.length < MIN_PIN_DIGITS, act: next }
            : undefined
        }
      />
      {first === null ? null : (
        <Button variant="subtle" fullWidth disabled={busy} onClick={() => restart(null)}>
          {t('other')}
        </Button>
      )}
      {platform && first === null ? (
        <Button variant="subtle" fullWidth disabled={busy} onClick={() => void store('platform')}>
          {t('platform')}
        </Button>
      ) : null}
    </>
  );
}
