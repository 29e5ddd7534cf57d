/** Shows the card of a payment again: to its payer for one day, and to people who may read cards. */
import type { Logger } from 'pino';
import { recordRead } from '../../platform/audit/record-read.ts';
import type { Config } from '../../platform/config.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { DAY_MS } from '../../platform/lib/day.ts';
import { asSubject } from '../../platform/rights/ability.ts';
import type { Actor } from '../../platform/rights/actor.ts';
import { findRecord } from '../../platform/rights/guard.ts';
import { decryptCard, findGivenGiftCard } from '../cards/give.ts';
import type { CardRecord } from '../cards/model.ts';
import type { CardDetails } from '../cards/schema.ts';
import { IncentiveModel } from '../incentives/model.ts';
import { MessageModel } from '../messages/model.ts';

export const isRecentGiftCard = ({ givenAt }: CardRecord, now: Date): boolean =>
  givenAt !== null && now.getTime() - givenAt.getTime() < DAY_MS;

export async function showIncentiveCard(
  actor: Actor,
  id: string,
  { config, log }: { config: Pick<Config, 'contactKey'>; log: Logger },
): Promise<CardDetails> {
  const incentive = await findRecord(IncentiveModel, id);
  const card = await findGivenGiftCard(incentive._id);
  const isPayer =
    card?.givenBy?.equals(actor.user._id) && isRecentGiftCard(card, actor.now) && (await isForPayer(card));
  const mayRead = actor.ability.can('read', card ? asSubject('Card', card) : 'Card');
  if (!isPayer && !mayRead)
    throw problem(incentive.paidBy?.equals(actor.user._id) && !card ? 'NOT_FOUND' : 'FORBIDDEN');
  const details = card && decryptCard(card, config.contactKey);
  if (!card || !details) throw problem('NOT_FOUND');
  const { _id: record, location, site } = incentive;
  const changes = [{ path: 'card', before: null, after: 'SHOWN' }];
  await recordRead(actor, { subject: 'Incentive', record, location: location ?? site, changes }, log);
  return details;
}

/** A texted card is only for its recipient, unless the text didn't arrive. */
async function isForPayer({ delivery, incentive }: CardRecord): Promise<boolean> {
  if (delivery === 'SHOWN') return true;
  const message = await MessageModel.collection.findOne({
    kind: 'CARD',
    incentive,
    state: { $in: ['FAILED', 'STOPPED'] },
  });
  return message !== null;
}
