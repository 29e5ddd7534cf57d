/** Pays an incentive, exactly once, however often and by however many people the request is sent. */
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { inTransaction } from '../../platform/db/transaction.ts';
import { eachAlone, type Unexpected } from '../../platform/http/problems/each-alone.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { fieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorOf } from '../../platform/rights/actor.ts';
import { findRecord, requireRight } from '../../platform/rights/guard.ts';
import { requireLocation } from '../../study/locations/model.ts';
import { type IncentiveRecord, Incentives } from '../incentives/model.ts';
import type { IncentivePay, IncentivesPay } from '../incentives/schema.ts';
import { type SurveyRecord, Surveys } from '../surveys/model.ts';
import { storeIncentives } from '../surveys/settle-incentives.ts';
import { readsAllIncentives, requireClaim } from './right.ts';

/** How often one incentive may be paid, reopened and paid again. */
const MAX_PAYMENTS = 20;

export async function payIncentive(actor: Actor, id: string, body: IncentivePay): Promise<IncentiveRecord> {
  return await inTransaction(async (session) => {
    const incentive = await findRecord(Incentives, id, session);
    const key = `${actor.user._id.toHexString()} ${body.clientId}`;
    // Before any permission: a phone sends it again on a later day or from another site if the reply was lost.
    if (incentive.payments.includes(key)) return incentive;
    const survey = await Surveys.findById(incentive.survey, { responses: 0 })
      .session(session)
      .lean<SurveyRecord>();
    if (!survey) throw problem('NOT_FOUND');
    requireClaim(actor, survey, body.code);
    const location = await requirePlace(session, actor, incentive, body.location);
    if (incentive.state === 'PAID') throw problem('ALREADY_PAID');
    if (incentive.state === 'WITHDRAWN') throw problem('NOTHING_DUE');
    if (incentive.payments.length >= MAX_PAYMENTS)
      throw problem('INVALID_TRANSITION', { why: fault('PAID_TOO_OFTEN') });
    const at = actor.now;
    const after: IncentiveRecord = {
      ...incentive,
      state: 'PAID',
      method: body.method,
      reference: body.reference ?? null,
      ...{ paidBy: actor.user._id, paidAt: at, recordedAt: at, location, updatedAt: at },
      payments: [...incentive.payments, key],
    };
    // The unique index refuses a clientId that the payer has used for another one.
    await storeIncentives(session, [{ before: incentive, after }], authorOf(actor));
    return after;
  }, actor.deadline);
}

/** Where it is paid: the payer's current site, or another one where the rights allow it. */
async function requirePlace(
  session: ClientSession,
  actor: Actor,
  incentive: IncentiveRecord,
  named: string | undefined,
): Promise<Types.ObjectId> {
  const location = named === undefined ? actor.location : new mongoose.Types.ObjectId(named);
  if (!location) throw fieldProblem('location', 'NO_SITE_OF_YOURS');
  requireRight(actor, 'pay', 'Incentive', { ...incentive, location });
  return named === undefined ? location : await requireLocation(named, session);
}

/** Each by itself. It can be sent again: what was paid is recognized. */
export async function payIncentives(
  actor: Actor,
  { payments, location }: IncentivesPay,
  unexpected: Unexpected,
) {
  if (!readsAllIncentives(actor)) throw problem('FORBIDDEN');
  const seen = new Set<string>();
  const payOne = async ({ id, ...body }: IncentivesPay['payments'][number]) => {
    if (seen.has(id)) throw problem('ALREADY_PAID');
    seen.add(id);
    await payIncentive(actor, id, { ...body, location });
  };
  return await eachAlone(payments, payOne, unexpected);
}
