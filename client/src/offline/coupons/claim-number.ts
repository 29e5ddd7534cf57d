import { NotTheEditor, THIS_TAB } from '../../device/editor.ts';
import { type Draft, db, type OutboxRow } from '../../device/store/store.ts';
import { takeCodes } from './reserved-codes.ts';
import { willBeFlagged } from './verdict-kinds.ts';

/** A coupon that doesn't count brings no number: its code is somebody else's, or nobody's. */
export const claimNumberIn = ({
  referralCode,
  couponVerdict,
  walkInCode,
}: Pick<Draft, 'referralCode' | 'couponVerdict' | 'walkInCode'>): string | null =>
  (referralCode ? !willBeFlagged(couponVerdict) && referralCode : walkInCode) || null;

/** Of a finished interview. An older version of the app stored it without. */
export function claimNumberOfRow({ claimNumber, body, flags, referralCode }: OutboxRow): string | null {
  if (claimNumber !== undefined) return claimNumber;
  if ((body && 'takesPart' in body) || flags.some((flag) => flag.startsWith('REFERRAL_CODE_'))) return null;
  return body?.walkInCode ?? referralCode;
}

/**
 * The number with which the person of this interview is paid later: the code of the coupon, or for a walk-in one of the
 * own block, always the same. Null where none is left (the service makes one), and for a coupon that doesn't count.
 */
export function claimNumberOf(id: string): Promise<string | null> {
  return db.transaction('rw', db.drafts, db.codes, async () => {
    const draft = await db.drafts.get(id);
    if (draft?.editor !== THIS_TAB) throw new NotTheEditor();
    const claimNumber = claimNumberIn(draft);
    if (claimNumber || draft.referralCode) return claimNumber;
    const [walkInCode = null] = await takeCodes(draft.owner, id, 1);
    if (walkInCode) await db.drafts.update(id, { walkInCode });
    return walkInCode;
  });
}
