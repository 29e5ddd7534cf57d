/** Eight characters with a digit among them are no name: where they are no code either, one of them is wrong. */
import { CODE_LENGTH, stripSeparators } from '../../../src/referral-codes/code.ts';

export function looksLikeCode(text: string): boolean {
  const bare = stripSeparators(text);
  return bare.length === CODE_LENGTH && /^[0-9A-Za-z]+$/.test(bare) && /\d/.test(bare);
}
