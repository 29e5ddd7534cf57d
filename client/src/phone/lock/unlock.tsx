/** Unlocks with a PIN or the phone's own lock. */
import { Button } from '@mantine/core';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pinTriesLeft } from '../../device/lock/count-tries.ts';
import { unlockByPin, unlockByPlatform } from '../../device/lock/device-lock.ts';
import type { DeviceLockRow } from '../../device/lock/lock.ts';
import { NoPlatformLock } from '../../device/lock/platform-lock.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Keypad } from './keypad.tsx';

interface UnlockProps {
  row: DeviceLockRow;
  /** The person's name, if they were chosen among several. */
  name?: string | undefined;
}

export function Unlock(props: UnlockProps) {
  return props.row.by === 'platform' ? <UnlockByPlatform {...props} /> : <UnlockByPin {...props} />;
}

function Name({ name }: Pick<UnlockProps, 'name'>) {
  return name ? (
    <p className="lock-text" dir="auto">
      {name}
    </p>
  ) : null;
}

/** The number of tries left is shown from here on, or after a wrong PIN. */
const FEW_TRIES = 5;
/** From here on, so are the consequences of the last try. */
const LAST_TRIES = 3;

function UnlockByPin({ row, name }: UnlockProps) {
  const { t } = useTranslation('lock');
  const problemText = useProblemText();
  const [pin, setPin] = useState('');
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const remainingTries = pinTriesLeft(row);
  /** Digits typed while the previous PIN was being checked. */
  const early = useRef('');
  const check = async (complete: string) => {
    setBusy(true);
    setWrong(false);
    setError(null);
    try {
      const outcome = await unlockByPin(row.owner, complete);
      setWrong(outcome.is === 'wrong');
    } catch (fault) {
      setError(fault);
    }
    const next = early.current;
    early.current = '';
    setPin(next);
    if (next.length === row.digits) await check(next);
    else setBusy(false);
  };
  const onDigits = (digits: string) => {
    if (busy) {
      early.current = (early.current + digits).slice(0, row.digits);
      return;
    }
    const next = (pin + digits).slice(0, row.digits);
    setPin(next);
    setWrong(false);
    if (next.length === row.digits) void check(next);
  };
  const onErase = () => {
    if (busy) early.current = early.current.slice(0, -1);
    else setPin(pin.slice(0, -1));
  };
  return (
    <>
      <div className="lock-middle">
        <Name name={name} />
        <h1>{t('enter')}</h1>
        <div role="alert" className="lock-fault">
          {wrong ? `${t('wrong')} ` : ''}
          {wrong || remainingTries <= FEW_TRIES ? t('left', { count: remainingTries }) : ''}
          {remainingTries <= LAST_TRIES ? ` ${t('afterThat')}` : ''}
        </div>
        {error ? <Notice tone="bad" live title={problemText(error)} /> : null}
      </div>
      <Keypad
        label={t('enter')}
        typed={pin.length}
        digits={row.digits}
        busy={busy}
        onDigits={onDigits}
        onErase={onErase}
      />
    </>
  );
}

function UnlockByPlatform({ row, name }: UnlockProps) {
  const { t } = useTranslation('lock');
  const problemText = useProblemText();
  const [error, setError] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const unlock = async () => {
    setBusy(true);
    setError(null);
    await unlockByPlatform(row.owner).catch(setError);
    setBusy(false);
  };
  return (
    <>
      <div className="lock-middle">
        <Name name={name} />
        <h1>{t('locked')}</h1>
        {error ? (
          <Notice
            tone="bad"
            live
            title={error instanceof NoPlatformLock ? t('platformFailed') : problemText(error)}
          />
        ) : null}
      </div>
      <Button
        size="xl"
        fullWidth
        loading={busy}
        leftSection={<Icon name="lock" />}
        onClick={() => void unlock()}
      >
        {t('platformUnlock')}
      </Button>
    </>
  );
}
