import { NotTheEditor, THIS_TAB } from '../../device/editor.ts';
import { type Draft, deviceDb, type OutboxRow } from '../../device/store/store.ts';
import { takeCodes } from './reserved-codes.ts';
import { willBeFlagged } from './verdict-kinds.ts';

/** An invalid coupon gives no claim number: its code belongs to someone else, or to no one. */
export const paymentClaimNumberOfDraft = ({
  referralCode,
  couponVerdict,
  walkInCode,
}: Pick<Draft, 'referralCode' | 'couponVerdict' | 'walkInCode'>): string | null =>
  (referralCode ? !willBeFlagged(couponVerdict) && referralCode : walkInCode) || null;

/** For a finished interview. Older app versions stored no claim number. */
export function paymentClaimNumberOf({ claimNumber, body, flags, referralCode }: OutboxRow): string | null {
  if (claimNumber !== undefined) return claimNumber;
  if ((body && 'takesPart' in body) || flags.some((flag) => flag.startsWith('REFERRAL_CODE_'))) return null;
  return body?.walkInCode ?? referralCode;
}

/**
 * The number with which this interview's person is paid later: the code of their coupon or, for a walk-in, a code
 * from the phone's own block, always the same one. Null if no code is left (the service then creates one), or if the
 * coupon is invalid.
 */
export function assignClaimNumber(id: string): Promise<string | null> {
  return deviceDb.transaction('rw', deviceDb.drafts, deviceDb.codes, async () => {
    const draft = await deviceDb.drafts.get(id);
    if (draft?.editor !== THIS_TAB) throw new NotTheEditor();
    const claimNumber = paymentClaimNumberOfDraft(draft);
    if (claimNumber || draft.referralCode) return claimNumber;
    const [walkInCode = null] = await takeCodes(draft.owner, id, 1);
    if (walkInCode) await deviceDb.drafts.update(id, { walkInCode });
    return walkInCode;
  });
}
