/** Eight characters with a digit among them are no name: where they are no code either, one of them is wrong. */
import { bareCode, CODE_LENGTH } from '../../../src/referral-codes/code.ts';

export function looksLikeCode(text: string): boolean {
  const bare = bareCode(text);
  return bare.length === CODE_LENGTH && /^[0-9A-Za-z]+$/.test(bare) && /\d/.test(bare);
}
