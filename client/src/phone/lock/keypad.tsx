/** A large keypad at the lower end of the screen, where a thumb reaches it. What is typed is never in the page. */
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { digitsIn } from '../../device/lock/pin.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePinKeys } from './use-pin-keys.ts';

interface KeypadProps {
  label: string;
  /** How many digits are typed, and of how many where that is known. */
  typed: number;
  digits?: number | undefined;
  busy?: boolean;
  onDigits(digits: string): void;
  onErase(): void;
  /** A key to go on, where a PIN may be longer; also Enter. */
  enter?: { label: string; disabled: boolean; act(): void } | undefined;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function Keypad({ label, typed, digits, busy = false, onDigits, onErase, enter }: KeypadProps) {
  const { t } = useTranslation('lock');
  const field = useRef<HTMLInputElement>(null);
  usePinKeys({ onDigits, onErase, ...(enter ? { onEnter: enter.act } : {}) });
  useEffect(() => field.current?.focus({ preventScroll: true }), []);
  const places = Array.from({ length: Math.max(digits ?? 0, typed, digits ? 0 : 6) }, (_, at) => at);
  return (
    <>
      <div className="pin-dots" data-busy={busy || undefined} data-many={places.length > 8 || undefined}>
        {places.map((at) => (
          <span key={at} data-typed={at < typed || undefined} />
        ))}
      </div>
      <p className="hidden-text" role="status">
        {busy ? t('checking') : t('typed', { count: typed })}
      </p>
      {/* For screen readers and their keyboards. It is always empty: no browser can remember a PIN. */}
      <input
        ref={field}
        className="hidden-text pin-field"
        aria-label={label}
        inputMode="none"
        autoComplete="off"
        value=""
        onChange={(event) => onDigits(digitsIn(event.currentTarget.value))}
      />
      {/* As on phones, also where one reads from the right. */}
      <div className="keypad" dir="ltr">
        {KEYS.map((key) => (
          <button key={key} type="button" onClick={() => onDigits(key)}>
            {key}
          </button>
        ))}
        <button type="button" aria-label={t('erase')} disabled={typed === 0} onClick={onErase}>
          <span aria-hidden="true">⌫</span>
        </button>
        <button type="button" onClick={() => onDigits('0')}>
          0
        </button>
        {enter ? (
          <button
            type="button"
            className="keypad-enter"
            aria-label={enter.label}
            disabled={enter.disabled}
            onClick={enter.act}
          >
            <Icon name="check" size={34} />
          </button>
        ) : (
          <span />
        )}
      </div>
    </>
  );
}
