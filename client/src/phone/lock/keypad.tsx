/** A large keypad at the bottom of the screen, within thumb's reach. The digits themselves are never in the page. */
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { digitsIn } from '../../device/lock/pin.ts';
import { Icon } from '../../ui/icon.tsx';
import { usePinKeyboardInput } from './use-pin-keys.ts';

interface KeypadProps {
  label: string;
  /** How many digits have been entered, and of how many, if known. */
  typed: number;
  digits?: number | undefined;
  busy?: boolean;
  onDigits(digits: string): void;
  onErase(): void;
  /** A confirm key, for PINs of unknown length; Enter works too. */
  enter?: { label: string; disabled: boolean; act(): void } | undefined;
}

const KEYS = ['1', '2', '3', '4', '5', '6', '7', '8', '9'];

export function Keypad({ label, typed, digits, busy = false, onDigits, onErase, enter }: KeypadProps) {
  const { t } = useTranslation('lock');
  const field = useRef<HTMLInputElement>(null);
  usePinKeyboardInput({ onDigits, onErase, ...(enter ? { onEnter: enter.act } : {}) });
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
      {/* For screen readers and their keyboards. Always empty, so that no browser can remember a PIN. */}
      <input
        ref={field}
        className="hidden-text pin-field"
        aria-label={label}
        inputMode="none"
        autoComplete="off"
        value=""
        onChange={(event) => onDigits(digitsIn(event.currentTarget.value))}
      />
      {/* Left to right even in right-to-left languages, as on phones. */}
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
