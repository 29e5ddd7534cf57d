/** Moves surveys to the round of their chain, with everything below them. */
import type { ClientSession, Types } from 'mongoose';
import { ReferralCodeModel } from '../../coupons/referral-codes/model.ts';
import { audit, changesOf } from '../../platform/audit/model.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { loadRounds } from '../../study/rounds/model.ts';
import { isRoundClosedAt, type RoundSpan } from '../../study/rounds/spans.ts';
import { IncentiveModel } from '../incentives/model.ts';
import { type FlagRecord, newFlag, SurveyModel, type SurveyRecord } from './model.ts';

const FIELDS = { round: 1, heldAt: 1, flags: 1, location: 1, recruiter: 1 } as const;
type Moved = Pick<SurveyRecord, '_id' | keyof typeof FIELDS>;

/**
 * Returns everyone whose incentives may change, because an interview held after the round was closed doesn't count
 * until a reviewer accepts it.
 */
export async function moveToRound(
  session: ClientSession,
  surveys: Types.ObjectId[],
  round: Types.ObjectId,
  author: Author,
): Promise<Types.ObjectId[]> {
  const rounds = await loadRounds(session);
  const affected: Types.ObjectId[] = [];
  let level = await readMoved(session, { _id: { $in: surveys } });
  // A chain is in one round, so everything below a survey in the right round is in it too.
  for (;;) {
    const moving = level.filter((one) => !round.equals(one.round));
    if (moving.length === 0) return affected;
    for (const survey of moving) {
      const flags = flagsAfterRoundMove(rounds, round, survey, author.now);
      if (flags.length !== survey.flags.length)
        affected.push(survey._id, ...(survey.recruiter ? [survey.recruiter] : []));
      await storeRounds(session, survey, { round, flags }, author);
    }
    const ids = moving.map(({ _id }) => _id);
    await moveRelatedRecords(session, ids, round);
    level = await readMoved(session, { recruiter: { $in: ids } });
  }
}

/** The same for everything below a survey that the caller stores itself. */
export async function moveDescendantsToRound(
  session: ClientSession,
  survey: Types.ObjectId,
  round: Types.ObjectId,
  author: Author,
): Promise<Types.ObjectId[]> {
  await moveRelatedRecords(session, [survey], round);
  const below = await readMoved(session, { recruiter: survey });
  return await moveToRound(
    session,
    below.map(({ _id }) => _id),
    round,
    author,
  );
}

const readMoved = (session: ClientSession, filter: object) =>
  SurveyModel.find(filter, FIELDS).session(session).lean<Moved[]>();

/** Adds NO_ROUND if the interview was held after the round was closed, otherwise removes it. */
export function flagsAfterRoundMove(
  rounds: readonly RoundSpan[],
  round: Types.ObjectId,
  { heldAt, flags }: Pick<SurveyRecord, 'heldAt' | 'flags'>,
  now: Date,
): FlagRecord[] {
  const others = flags.filter(({ code }) => code !== 'NO_ROUND');
  if (!isRoundClosedAt(rounds, round, heldAt)) return others;
  return others.length < flags.length ? flags : [...flags, newFlag('NO_ROUND', null, now)];
}

async function storeRounds(
  session: ClientSession,
  before: Moved,
  after: Pick<Moved, 'round' | 'flags'>,
  author: Author,
): Promise<void> {
  const { _id, location, round, flags } = before;
  const set = { $set: { ...after, updatedAt: author.now } };
  await SurveyModel.collection.updateOne({ _id }, set, { session });
  const changes = changesOf({ round, flags }, after);
  await audit(session, author, { action: 'update', subject: 'Survey', record: _id, location, changes });
}

async function moveRelatedRecords(
  session: ClientSession,
  surveys: Types.ObjectId[],
  round: Types.ObjectId,
): Promise<void> {
  const update = { $set: { round } };
  await ReferralCodeModel.collection.updateMany({ survey: { $in: surveys } }, update, { session });
  await IncentiveModel.collection.updateMany({ survey: { $in: surveys } }, update, { session });
}
