/** Withdraws what is due, and undoes payments or withdrawals made by mistake. */
import { inTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { findRecord, requireRight } from '../../platform/rights/guard.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { voidCardOfIncentive } from '../cards/give.ts';
import { IncentiveModel, type IncentiveRecord } from '../incentives/model.ts';
import { changedIncentives, NO_PAYMENT } from '../incentives/owed.ts';
import type { IncentiveReopen } from '../incentives/schema.ts';
import { incentiveChangesBetween, storeIncentives } from '../incentives/store.ts';
import { stopQueuedMessages } from '../messages/end.ts';
import { lockIncentivesOfPeople, readOwedInputs } from '../surveys/read-owed.ts';

/** Withdraws permanently: it keeps its place within the limit, and isn't owed again unless reopened. */
export async function withdrawUnpaidIncentive(
  actor: Actor,
  id: string,
  reason: string,
): Promise<IncentiveRecord> {
  return await inTransaction(async (session) => {
    const before = await findRecord(IncentiveModel, id, session);
    requireRight(actor, 'withdraw', 'Incentive', before);
    if (before.state === 'PAID') throw problem('ALREADY_PAID');
    if (before.state === 'WITHDRAWN') throw problem('NOTHING_DUE');
    const after: IncentiveRecord = {
      ...before,
      ...{ state: 'WITHDRAWN', byHand: true, reason, updatedAt: actor.now },
    };
    await storeIncentives(session, [{ before, after }], authorFromActor(actor), reason);
    return after;
  }, actor.deadline);
}

/** Afterwards its state follows the tree, as for an incentive that was never paid or withdrawn by hand. */
export async function reopenIncentive(
  actor: Actor,
  id: string,
  { reason, paidAt: expectedPaidAt }: IncentiveReopen,
): Promise<IncentiveRecord> {
  return await inTransaction(async (session) => {
    const before = await findRecord(IncentiveModel, id, session);
    requireRight(actor, 'withdraw', 'Incentive', before);
    if (before.state === 'DUE') throw problem('INVALID_TRANSITION', { why: fault('STILL_DUE') });
    if (before.state === 'WITHDRAWN' && !before.byHand)
      throw problem('INVALID_TRANSITION', { why: fault('WITHDRAWN_BY_TREE') });
    // Another payment was recorded in the meantime, and that one isn't the mistake.
    if (
      expectedPaidAt !== undefined &&
      (expectedPaidAt ? Date.parse(expectedPaidAt) : undefined) !== before.paidAt?.getTime()
    )
      throw problem('EDIT_CONFLICT');
    const study = await loadStudy(session);
    await lockIncentivesOfPeople(session, [before.survey]);
    const [person] = await readOwedInputs(session, study, [before.survey], actor.now);
    if (!person) throw problem('NOT_FOUND');
    const reopened: IncentiveRecord = {
      ...before,
      ...NO_PAYMENT,
      ...{ state: 'DUE', byHand: false, reason, updatedAt: actor.now },
    };
    const others = person.incentives.filter(({ _id }) => !_id.equals(before._id));
    const changed = changedIncentives({ ...person, incentives: [...others, reopened] });
    const after = changed.find(({ _id }) => _id.equals(before._id)) ?? reopened;
    const all = [after, ...changed.filter((one) => one !== after)];
    if (await voidCardOfIncentive(session, before._id, reason))
      await stopQueuedMessages(
        session,
        { survey: before.survey, kind: 'CARD', incentive: before._id },
        'CARD_VOID',
      );
    await storeIncentives(session, incentiveChangesBetween(person, all), authorFromActor(actor), reason);
    return after;
  }, actor.deadline);
}
