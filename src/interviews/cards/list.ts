import { loadRecordPage } from '../../platform/http/lists/page.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { visibleFilter } from '../../platform/rights/guard.ts';
import { CardModel } from './model.ts';
import type { CardQuery } from './schema.ts';

/** Without the card numbers; only their last digits are stored in plaintext. */
export async function listCards(actor: Actor, query: CardQuery) {
  const { state, amount, lastFour, givenBy } = query;
  const filter = {
    ...(state && { state }),
    ...(amount && { amount }),
    ...(lastFour && { lastFour: { $in: [...new Set([lastFour, lastFour.toUpperCase()])] } }),
    ...(givenBy && { givenBy }),
  };
  return await loadRecordPage(CardModel, visibleFilter(actor, ['read'], CardModel, filter), query);
}
