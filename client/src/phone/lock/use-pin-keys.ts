/** Digits and the erase key work wherever the focus is: any keyboard, even an Arabic one, types into the keypad. */
import { useEffect, useRef } from 'react';
import { digitsIn } from '../../device/lock/pin.ts';

interface PinKeys {
  onDigits(digits: string): void;
  onErase(): void;
  onEnter?(): void;
}

/** The event belongs to another field on the page. */
const isElsewhere = ({ target }: Event): boolean =>
  target instanceof HTMLElement && target.matches('input:not(.pin-field), textarea, select');

export function usePinKeyboardInput(keys: PinKeys): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isElsewhere(event)) return;
      const { onDigits, onErase, onEnter } = latest.current;
      const digit = event.key.length === 1 ? digitsIn(event.key) : '';
      if (digit) onDigits(digit);
      else if (event.key === 'Backspace') onErase();
      // A focused button handles Enter itself.
      else if (event.key === 'Enter' && onEnter && !(event.target instanceof HTMLButtonElement)) onEnter();
      else return;
      event.preventDefault();
    };
    const onPaste = (event: ClipboardEvent) => {
      if (isElsewhere(event)) return;
      latest.current.onDigits(digitsIn(event.clipboardData?.getData('text') ?? ''));
      event.preventDefault();
    };
    addEventListener('keydown', onKey);
    addEventListener('paste', onPaste);
    return () => {
      removeEventListener('keydown', onKey);
      removeEventListener('paste', onPaste);
    };
  }, []);
}
