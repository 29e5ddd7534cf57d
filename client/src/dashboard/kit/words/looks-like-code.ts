/** Eight characters with a digit are not a name. If they are not a valid code either, one of them is mistyped. */
import { CODE_LENGTH, stripSeparators } from '../../../../../src/coupons/referral-codes/code.ts';

export function looksLikeCode(text: string): boolean {
  const bare = stripSeparators(text);
  return bare.length === CODE_LENGTH && /^[0-9A-Za-z]+$/.test(bare) && /\d/.test(bare);
}
