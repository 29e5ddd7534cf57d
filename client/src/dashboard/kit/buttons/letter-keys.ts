/** Single-key shortcuts. They are ignored in fields, in dialogs, and if they are switched off. */
import { readLocalSetting, storeLocalSetting } from '../../../device/local-settings.ts';

const KEY = 'letter keys';

/** Can be switched off, for people who use speech input or press keys by mistake. */
export const areLetterKeysOn = (): boolean => readLocalSetting(KEY) !== 'off';
export const setLetterShortcutsOn = (on: boolean): unknown => storeLocalSetting(KEY, on ? 'on' : 'off');

/** The letter on the key, even if the keyboard layout types Cyrillic or Arabic. */
export const letterOfKeyEvent = ({ key, code }: KeyboardEvent): string =>
  (/^[ -~]$/.test(key) ? key : code.replace(/^Key/, '')).toLowerCase();

/** The key pressed, or null if it has a modifier or isn't meant as a shortcut. */
export function letterShortcutOf(event: KeyboardEvent): string | null {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return null;
  if (isWriting(event.target) || isDialogOpen() || !areLetterKeysOn()) return null;
  return letterOfKeyEvent(event);
}

/** An open dialog gets the keys. */
export const isDialogOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null;

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type=checkbox], [type=radio]), textarea, select'));
