/** A referral code as people read it: ABCD-EFGC. */
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';

export function CodeText({ code }: { code: string }) {
  return <span className="code">{formatCode(code)}</span>;
}
