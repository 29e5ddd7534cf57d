import { willBeFlagged } from './coupon-verdict.ts';
import { NotTheEditor, TAB } from './drafts.ts';
import { takeCodes } from './reserved-codes.ts';
import { db } from './store.ts';

/**
 * The number with which the person of this interview is paid later: the code of the coupon, or for a walk-in one of the
 * own block, always the same. Null where none is left (the service makes one), and for a coupon that doesn't count: its
 * code is somebody else's number, or nobody's.
 */
export function claimNumberOf(id: string): Promise<string | null> {
  return db.transaction('rw', db.drafts, db.codes, async () => {
    const draft = await db.drafts.get(id);
    if (draft?.editor !== TAB) throw new NotTheEditor();
    if (draft.referralCode) return willBeFlagged(draft.couponVerdict) ? null : draft.referralCode;
    if (draft.walkInCode) return draft.walkInCode;
    const [walkInCode = null] = await takeCodes(draft.owner, id, 1);
    if (walkInCode) await db.drafts.update(id, { walkInCode });
    return walkInCode;
  });
}
