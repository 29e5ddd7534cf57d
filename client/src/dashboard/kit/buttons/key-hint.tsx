/** Shows a button's shortcut key, unless the person has no keyboard or has switched off such keys. */
import { areLetterKeysOn } from './letter-keys.ts';

export const KeyHint = ({ letter }: { letter: string }) =>
  areLetterKeysOn() ? (
    <i className="key-hint" aria-hidden="true">
      {letter.toUpperCase()}
    </i>
  ) : null;
