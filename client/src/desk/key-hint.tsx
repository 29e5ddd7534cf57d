/** On a button: the key that does the same. Not for who has none, or has switched such keys off. */
import { haveLetterKeys } from './letter-keys.ts';

export const KeyHint = ({ letter }: { letter: string }) =>
  haveLetterKeys() ? (
    <i className="key-hint" aria-hidden="true">
      {letter.toUpperCase()}
    </i>
  ) : null;
