import { NotTheEditor, TAB } from './drafts.ts';
import { takeCodes } from './reserved-codes.ts';
import { db } from './store.ts';

/**
 * The number with which the person of this interview is paid later: the code of the coupon, or for a walk-in one of the
 * own block, always the same. Null where none is left: the service makes one.
 */
export function claimNumberOf(id: string): Promise<string | null> {
  return db.transaction('rw', db.drafts, db.codes, async () => {
    const draft = await db.drafts.get(id);
    if (draft?.editor !== TAB) throw new NotTheEditor();
    const known = draft.referralCode ?? draft.walkInCode;
    if (known) return known;
    const [walkInCode = null] = await takeCodes(draft.owner, id, 1);
    if (walkInCode) await db.drafts.update(id, { walkInCode });
    return walkInCode;
  });
}
