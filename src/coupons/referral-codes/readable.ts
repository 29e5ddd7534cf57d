import { ANY_FIELD_QUERY_OPTIONS } from '../../platform/http/lists/page.ts';
import type { HasAbility } from '../../platform/rights/guard.ts';
import { permittedFilter, readsAll } from '../../platform/rights/guard.ts';
import { ReferralCodeModel } from './model.ts';

/** The given codes that the caller may read. */
export async function permittedCodes(actor: HasAbility, codes: string[]): Promise<Set<string>> {
  if (readsAll(actor, 'ReferralCode')) return new Set(codes);
  if (codes.length === 0 || !actor.ability.can('read', 'ReferralCode')) return new Set();
  const filter = { $and: [{ code: { $in: codes } }, permittedFilter(actor, 'read', 'ReferralCode')] };
  return new Set(await ReferralCodeModel.distinct('code', filter).setOptions(ANY_FIELD_QUERY_OPTIONS));
}
