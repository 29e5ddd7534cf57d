/** Opens, closes, reopens and renames rounds. */
import mongoose, { type ClientSession } from 'mongoose';
import { audit, changesOf } from '../../platform/audit/model.ts';
import { inTransaction, lockInTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { loadPermittedRecord, requireRightToCreate } from '../../platform/rights/guard.ts';
import { clearStudyCache } from '../settings/cached-study.ts';
import { storeStudy } from '../settings/change.ts';
import { loadStudy, type StudyRecord } from '../settings/model.ts';
import { resetVolunteers, type VolunteersReset } from '../users/reset-volunteers.ts';
import { loadRounds, pickRoundFields, RoundModel, type RoundRecord } from './model.ts';
import type { RoundCreate } from './schema.ts';

const ROUNDS_LOCK = 'rounds';

interface Opened {
  round: RoundRecord;
  volunteers?: VolunteersReset;
}

/** Its end date, target and population size become the study's. */
export async function openRound(actor: Actor, body: RoundCreate): Promise<Opened> {
  const { name, startsOn, endsOn = null, targetSampleSize = null, populationSize = null } = body;
  requireRightToCreate(actor, 'Round', { name, startsOn });
  if (endsOn !== null && endsOn < startsOn) throw invalidFieldProblem('endsOn', 'DAYS_REVERSED');
  const opened = await inTransaction(async (session) => {
    await lockInTransaction(session, ROUNDS_LOCK);
    const rounds = await loadRounds(session);
    if (rounds.some(({ state }) => state === 'OPEN'))
      throw problem('INVALID_TRANSITION', { why: fault('ROUND_OPEN') });
    const author = authorFromActor(actor);
    const fields = {
      endsOn,
      targetSampleSize,
      populationSize,
      populationSizeLow: null,
      populationSizeHigh: null,
    };
    await storeStudy(session, await loadStudy(session), fields, author);
    // Rounds never overlap, even if the clocks of two processes differ.
    const openedAt = new Date(Math.max(+actor.now, ...rounds.map(({ closedAt }) => Number(closedAt) + 1)));
    const round: RoundRecord = {
      _id: new mongoose.Types.ObjectId(),
      ...{ name, startsOn, ...fields, state: 'OPEN', openedAt, closedAt: null, closedBy: null },
      ...{ settings: null, createdAt: openedAt },
    };
    await RoundModel.collection.insertOne(round, { session });
    await audit(session, author, { action: 'create', subject: 'Round', record: round._id });
    const volunteers = body.resetVolunteers ? await resetVolunteers(session, author) : undefined;
    return { round, ...(volunteers && { volunteers }) };
  }, actor.deadline);
  clearStudyCache();
  return opened;
}

/**
 * Coupons of the round expire for interviews held from now on; interviews that are still on their way count in it.
 * `clock` is read as late as possible, so that interviews arriving while the round is being closed find it open.
 */
export const closeRound = (actor: Actor, id: string, clock: () => Date): Promise<RoundRecord> =>
  changeRound(actor, id, async (before, session) => {
    if (before.state === 'CLOSED') throw problem('INVALID_TRANSITION', { why: fault('ROUND_IS_CLOSED') });
    const study = await loadStudy(session);
    const closedAt = new Date(Math.max(+clock(), +before.openedAt));
    return {
      ...{ ...pickRoundFields(study), state: 'CLOSED', closedAt, closedBy: actor.user._id },
      settings: settingsOf(study),
    };
  });

/** Reopens the round as if it had never been closed, unless there is a later round. */
export const reopenRound = (actor: Actor, id: string): Promise<RoundRecord> =>
  changeRound(actor, id, async (before, session) => {
    if (before.state === 'OPEN') throw problem('INVALID_TRANSITION', { why: fault('ROUND_IS_OPEN') });
    const latest = (await loadRounds(session)).at(-1);
    if (!latest?._id.equals(before._id)) throw problem('INVALID_TRANSITION', { why: fault('LATER_ROUND') });
    return { state: 'OPEN', closedAt: null, closedBy: null, settings: null };
  });

export const renameRound = (actor: Actor, id: string, name: string): Promise<RoundRecord> =>
  changeRound(actor, id, async () => ({ name }));

async function changeRound(
  actor: Actor,
  id: string,
  change: (before: RoundRecord, session: ClientSession) => Promise<Partial<RoundRecord>>,
): Promise<RoundRecord> {
  return await inTransaction(async (session) => {
    await lockInTransaction(session, ROUNDS_LOCK);
    const before = await loadPermittedRecord(actor, 'update', RoundModel, id, session);
    const after = { ...before, ...(await change(before, session)) };
    const changes = changesOf(toAuditFields(before), toAuditFields(after));
    if (changes.length === 0) return before;
    const { _id, ...fields } = after;
    await RoundModel.collection.updateOne({ _id }, { $set: fields }, { session });
    await audit(session, authorFromActor(actor), {
      action: 'update',
      subject: 'Round',
      record: _id,
      changes,
    });
    return after;
  }, actor.deadline);
}

/** Without the settings, because their changes are in the study's history. */
const toAuditFields = ({ settings: _, ...round }: RoundRecord) => round;

function settingsOf(study: StudyRecord): Record<string, unknown> {
  const { _id, createdAt, updatedAt, approvedFormulas, earlierIncentives, ...settings } = study;
  return settings;
}

/** The round as in replies: an open round has the study's sizes. */
export const roundWithStudyFields = (round: RoundRecord, study: StudyRecord): RoundRecord =>
  round.state === 'OPEN' ? { ...round, ...pickRoundFields(study) } : round;
