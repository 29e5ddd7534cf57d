/**
 * A code that was presented twice: the survey that came second takes it, the first one stands without a place. What is
 * below either follows. The same act leads back, since the first one then has the flag that the second one had.
 */
import type { ClientSession } from 'mongoose';
import { audit, changesOf } from '../audit/model.ts';
import { inTransaction, lock } from '../db/transaction.ts';
import { fault } from '../http/faults.ts';
import { fieldProblem, Problem, problem } from '../http/problem.ts';
import { parseCode } from '../referral-codes/code.ts';
import { type ReferralCodeRecord, ReferralCodes } from '../referral-codes/model.ts';
import type { Actor } from '../rights/actor.ts';
import { load } from '../rights/guard.ts';
import { Seeds } from '../seeds/model.ts';
import { requireVersion, wantedVersion } from './change.ts';
import { flag, type SurveyRecord, Surveys } from './model.ts';
import { setDaysOut } from './redeem.ts';
import type { TakeCode } from './schema.ts';
import { emptyBelow, fillBelow, RECRUITMENT, selfOrAbove } from './tree.ts';

const PENDING = 'RECRUITER_PENDING';

export async function takeCode(
  actor: Actor,
  id: string,
  { from, reason }: TakeCode,
  ifMatch: string | undefined,
): Promise<SurveyRecord> {
  const wanted = wantedVersion(ifMatch);
  return await inTransaction(async (session) => {
    await lock(session, RECRUITMENT);
    const taker = await load(actor, 'update', Surveys, id, session);
    const giver = await giverOf(actor, from, session);
    requireVersion(wanted, taker);
    const code = requireContested(taker, giver);
    if ((await selfOrAbove(session, giver.recruiter, [taker._id])).length > 0)
      throw fieldProblem('from', 'CODE_FROM_BELOW');

    const at = new Date(Math.max(actor.now.getTime(), taker.updatedAt.getTime(), giver.updatedAt.getTime()));
    const { giver: left, taker: right } = exchanged(giver, taker, { code, at });
    // The first one's place is freed before it is taken: no two surveys ever have one code.
    await put(session, actor, { before: giver, after: left, reason });
    await put(session, actor, { before: taker, after: right, reason });
    await moveCode(session, code, right);
    const doer = { by: actor.user._id, now: at };
    await emptyBelow(session, [left._id], doer);
    await fillBelow(session, [right._id], right.seed, right.wave, doer);
    return right;
  });
}

/** One that does not exist is a fault of the request's body. */
async function giverOf(actor: Actor, from: string, session: ClientSession): Promise<SurveyRecord> {
  try {
    return await load(actor, 'update', Surveys, from, session);
  } catch (error) {
    if (!(error instanceof Problem) || error.name !== 'NOT_FOUND') throw error;
    throw fieldProblem('from', 'NO_SURVEY');
  }
}

/** The code that `giver` redeemed and that `taker` presented too. */
function requireContested(taker: SurveyRecord, giver: SurveyRecord): string {
  const code = giver.referralCode;
  const presented = taker.flags.some(
    (one) => one.code === 'REFERRAL_CODE_USED' && parseCode(one.referralCode ?? '') === code,
  );
  if (code !== null && taker.referralCode === null && presented) return code;
  throw problem('INVALID_TRANSITION', { why: fault('CODE_NOT_PRESENTED') });
}

function exchanged(
  giver: SurveyRecord,
  taker: SurveyRecord,
  { code, at }: { code: string; at: Date },
): { giver: SurveyRecord; taker: SurveyRecord } {
  const { referralCode, seed, recruiter, wave } = giver;
  const pending = giver.flags.filter((one) => one.code === PENDING);
  return {
    giver: {
      ...giver,
      ...{ referralCode: null, seed: null, recruiter: null, wave: null },
      flags: [...giver.flags.filter((one) => one.code !== PENDING), flag('REFERRAL_CODE_USED', code, at)],
      updatedAt: at,
      version: giver.version + 1,
    },
    taker: {
      ...taker,
      ...{ referralCode, seed, recruiter, wave },
      flags: [...taker.flags.filter((one) => !one.code.startsWith('REFERRAL_CODE_')), ...pending],
      updatedAt: at,
      version: taker.version + 1,
    },
  };
}

async function put(
  session: ClientSession,
  { user }: Actor,
  { before, after, reason }: { before: SurveyRecord; after: SurveyRecord; reason: string },
): Promise<void> {
  const { _id, ...fields } = after;
  await Surveys.collection.updateOne({ _id }, { $set: fields }, { session });
  const changes = changesOf(before, after).filter(({ path }) => path !== 'updatedAt' && path !== 'version');
  const { location } = after;
  const event = { by: user._id, action: 'update', subject: 'Survey', record: _id, location } as const;
  await audit(session, { ...event, changes, reason, at: after.updatedAt });
}

/** The code's own record, and the seed whose code it is. */
async function moveCode(session: ClientSession, code: string, taker: SurveyRecord): Promise<void> {
  const moved = await ReferralCodes.collection.findOneAndUpdate(
    { code },
    [{ $set: { redeemedBy: taker._id, returnedAt: taker.heldAt ?? taker.createdAt } }, setDaysOut],
    { session },
  );
  const seed = (moved as ReferralCodeRecord | null)?.seed;
  if (seed) await Seeds.collection.updateOne({ _id: seed }, { $set: { survey: taker._id } }, { session });
}
