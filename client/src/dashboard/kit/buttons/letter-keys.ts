/** Single-key shortcuts. They are ignored in fields, in dialogs, and if they are switched off. */
import { readSetting, storeSetting } from '../../../device/local-settings.ts';

const KEY = 'letter keys';

/** Who speaks to the computer, or hits keys by mistake, can do without them. */
export const areLetterKeysOn = (): boolean => readSetting(KEY) !== 'off';
export const setLetterKeys = (on: boolean): unknown => storeSetting(KEY, on ? 'on' : 'off');

/** The letter on the key, also where the keyboard writes Cyrillic or Arabic. */
export const letterOf = ({ key, code }: KeyboardEvent): string =>
  (/^[ -~]$/.test(key) ? key : code.replace(/^Key/, '')).toLowerCase();

/** The letter or sign that was pressed alone and is meant as a key. */
export function pressedLetterKey(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  if (isWriting(event.target) || isDialogOpen() || !areLetterKeysOn()) return null;
  return letterOf(event);
}

/** A window is open, which comes first. */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));
