/** Pays an incentive exactly once, however often and by however many people the request is sent. */
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { audit, changesOf } from '../../platform/audit/model.ts';
import type { Config } from '../../platform/config.ts';
import { inTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { processEach, type ReportInternalError } from '../../platform/http/problems/process-each.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { findRecord, requireRight } from '../../platform/rights/guard.ts';
import { requireExistingLocation } from '../../study/locations/model.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { assignCard, decryptCard, findGivenGiftCard } from '../cards/give.ts';
import type { CardRecord } from '../cards/model.ts';
import type { CardDetails } from '../cards/schema.ts';
import { IncentiveModel, type IncentiveRecord } from '../incentives/model.ts';
import type { BatchPaymentRequest, IncentivePay } from '../incentives/schema.ts';
import { storeIncentives } from '../incentives/store.ts';
import { findContactLanguages, newMessage, queueCardMessage } from '../messages/queue.ts';
import { SurveyModel, type SurveyRecord } from '../surveys/model.ts';
import { readsAllIncentives, requireClaimNumberOrRight } from './right.ts';
import { isRecentGiftCard } from './show-card.ts';

/** How often one incentive may be paid, reopened and paid again. */
const MAX_PAYMENTS = 20;

export interface PaidIncentive {
  incentive: IncentiveRecord;
  /** Shown to the payer; null if the payment has no card, or it is texted. */
  card: CardDetails | null;
}

type CardConfig = Pick<Config, 'contactKey'>;

export async function payIncentive(
  actor: Actor,
  id: string,
  body: Omit<IncentivePay, 'code'> & Partial<Pick<IncentivePay, 'code'>>,
  config: CardConfig,
): Promise<PaidIncentive> {
  return await inTransaction(async (session) => {
    const incentive = await findRecord(IncentiveModel, id, session);
    const key = `${actor.user._id.toHexString()} ${body.clientId}`;
    // Before any permission check, because a phone that didn't get the reply may resend on a later day or from another
    // site.
    if (incentive.payments.includes(key))
      return { incentive, card: await cardOfReplay(session, actor, { incentive, key }, config) };
    const survey = await SurveyModel.findById(incentive.survey, { responses: 0 })
      .session(session)
      .lean<SurveyRecord>();
    if (!survey) throw problem('NOT_FOUND');
    requireClaimNumberOrRight(actor, survey, body.code);
    const location = await requirePlace(session, actor, incentive, body.location);
    if (incentive.state === 'PAID') throw problem('ALREADY_PAID');
    if (incentive.state === 'WITHDRAWN') throw problem('NOTHING_DUE');
    if (incentive.payments.length >= MAX_PAYMENTS)
      throw problem('INVALID_TRANSITION', { why: fault('PAID_TOO_OFTEN') });
    const at = actor.now;
    const card = body.card ? await takeCard(session, actor, incentive, body.deliver) : null;
    const after: IncentiveRecord = {
      ...incentive,
      state: 'PAID',
      method: body.method,
      reference: body.reference ?? (card && `…${card.lastFour}`),
      ...{ paidBy: actor.user._id, paidAt: at, recordedAt: at, location, updatedAt: at },
      payments: [...incentive.payments, key],
    };
    // The unique index refuses a clientId that the payer has used for another payment.
    await storeIncentives(session, [{ before: incentive, after }], authorFromActor(actor));
    return { incentive: after, card: card && !body.deliver ? decryptCard(card, config.contactKey) : null };
  }, actor.deadline);
}

/** Only for the current payment: after a reopening, the card belongs to another one. */
async function cardOfReplay(
  session: ClientSession,
  actor: Actor,
  { incentive, key }: { incentive: IncentiveRecord; key: string },
  config: CardConfig,
): Promise<CardDetails | null> {
  const isLatest = incentive.state === 'PAID' && incentive.payments.at(-1) === key;
  const card = isLatest ? await findGivenGiftCard(incentive._id, session) : null;
  return card?.delivery === 'SHOWN' && isRecentGiftCard(card, actor.now)
    ? decryptCard(card, config.contactKey)
    : null;
}

/** A card to be texted is queued with the payment, and sent by another process. */
async function takeCard(
  session: ClientSession,
  actor: Actor,
  incentive: IncentiveRecord,
  deliver: IncentivePay['deliver'],
): Promise<CardRecord> {
  const { user, now, zone } = actor;
  const { survey } = incentive;
  const language = deliver && (await findContactLanguages(session, [survey])).get(String(survey));
  if (deliver && (!language || !(await loadStudy(session)).messages.card.on)) throw problem('NO_CONTACT');
  const delivery = deliver ?? 'SHOWN';
  const card = await assignCard(session, incentive, { by: user._id, now, zone, delivery });
  if (language) {
    const queued = { survey, kind: 'CARD', incentive: incentive._id, sendAt: now } as const;
    await queueCardMessage(session, newMessage(queued, language, now));
  }
  const changes = changesOf({ state: 'FREE', incentive: null }, { state: 'GIVEN', incentive: incentive._id });
  const event = { action: 'update', subject: 'Card', record: card._id, changes } as const;
  await audit(session, authorFromActor(actor), event);
  return card;
}

/** The site where it is paid: the payer's current one, or another one if permissions allow it. */
async function requirePlace(
  session: ClientSession,
  actor: Actor,
  incentive: IncentiveRecord,
  named: string | undefined,
): Promise<Types.ObjectId> {
  const location = named === undefined ? actor.location : new mongoose.Types.ObjectId(named);
  if (!location) throw invalidFieldProblem('location', 'NO_SITE_OF_YOURS');
  requireRight(actor, 'pay', 'Incentive', { ...incentive, location });
  return named === undefined ? location : await requireExistingLocation(named, session);
}

/** Pays each incentive independently. Can be sent again, because earlier payments are recognized. */
export async function payIncentives(
  actor: Actor,
  { payments, location }: BatchPaymentRequest,
  { config, unexpected }: { config: CardConfig; unexpected: ReportInternalError },
) {
  if (!readsAllIncentives(actor)) throw problem('FORBIDDEN');
  const seen = new Set<string>();
  const payOne = async ({ id, ...body }: BatchPaymentRequest['payments'][number]) => {
    if (seen.has(id)) throw problem('ALREADY_PAID');
    seen.add(id);
    await payIncentive(actor, id, { ...body, location }, config);
  };
  return await processEach(payments, payOne, unexpected);
}
