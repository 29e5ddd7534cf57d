/**
 * For a coupon presented twice: the second survey gets the code, and the first loses its place in the tree, each with
 * everything below it. Can be undone in the same way, because the surveys also exchange the flag.
 */
import type { ClientSession, Types } from 'mongoose';
import { parseCode } from '../../../coupons/referral-codes/code.ts';
import {
  findCode,
  ReferralCodeModel,
  type ReferralCodeRecord,
  SET_COUPON_DAYS_OUT,
} from '../../../coupons/referral-codes/model.ts';
import { SeedModel } from '../../../coupons/seeds/model.ts';
import { audit, changesOf } from '../../../platform/audit/model.ts';
import { inTransaction, lockInTransaction } from '../../../platform/db/transaction.ts';
import { parseIfMatch, requireExpectedVersion } from '../../../platform/http/if-match.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, Problem, problem } from '../../../platform/http/problems/problem.ts';
import type { Actor, Author } from '../../../platform/rights/actor.ts';
import { findRecord, loadPermittedRecord } from '../../../platform/rights/guard.ts';
import { loadRounds } from '../../../study/rounds/model.ts';
import { roundAt } from '../../../study/rounds/spans.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { toAuditFields } from '../audit-fields.ts';
import { dateCouponsByArrival, interviewDateByCoupon } from '../dates-by-coupon.ts';
import { newFlag, SurveyModel, type SurveyRecord } from '../model.ts';
import {
  clearTreePlaceBelow,
  findSelfAndAncestors,
  RECRUITMENT_LOCK,
  setTreePlacesOfDescendants,
} from '../recruitment-tree.ts';
import { moveToRound } from '../round-moves.ts';
import type { RedeemedCodeTakeover } from '../schema.ts';
import { moveIncentiveToOtherRecruit, updateOwedIncentives } from '../settle-incentives.ts';

const PENDING = 'RECRUITER_PENDING';

export async function takeOverCode(
  actor: Actor,
  id: string,
  { from, reason }: RedeemedCodeTakeover,
  ifMatch: string | undefined,
): Promise<SurveyRecord> {
  const expectedVersion = parseIfMatch(ifMatch);
  return await inTransaction(async (session) => {
    await lockInTransaction(session, RECRUITMENT_LOCK);
    const taker = await loadPermittedRecord(actor, 'update', SurveyModel, id, session);
    const giver = await loadGiver(actor, from, session);
    requireExpectedVersion(expectedVersion, taker);
    const code = requireContested(taker, giver);
    const validated = await validateTakenCode(session, code, taker, actor);
    if ((await findSelfAndAncestors(session, giver.recruiter, [taker._id])).length > 0)
      throw invalidFieldProblem('from', 'CODE_FROM_BELOW');

    const at = new Date(Math.max(actor.now.getTime(), taker.updatedAt.getTime(), giver.updatedAt.getTime()));
    const { giver: left, taker: right } = exchangePlaces(giver, taker, { code, at, validated });
    // Free the place first, because two surveys must never have the same code.
    await saveSurvey(session, actor, { before: giver, after: left, reason });
    await saveSurvey(session, actor, { before: taker, after: right, reason });
    await moveCode(session, code, right);
    const author = { by: actor.user._id, now: at };
    await clearTreePlaceBelow(session, [left._id], author);
    await setTreePlacesOfDescendants(session, [right._id], right.seed, right.wave, author);
    const affected = await exchangeRounds(session, giver, right, author);
    const moved = { recruiter: right.recruiter, from: left._id, to: right._id };
    const study = await loadStudy(session);
    await moveIncentiveToOtherRecruit(session, study, moved, author);
    if (validated.flags.length > 0) await dateCouponsByArrival(session, right);
    const people = validated.flags.length > 0 ? [right._id, ...affected] : affected;
    if (people.length > 0) await updateOwedIncentives(session, study, people, author);
    return affected.length > 0 || !giver.round.equals(taker.round)
      ? await findRecord(SurveyModel, id, session)
      : right;
  }, actor.deadline);
}

/**
 * The taker joins the round of the code; the giver, which has no chain now, joins the round that was open on its
 * interview date.
 */
async function exchangeRounds(
  session: ClientSession,
  giver: SurveyRecord,
  taker: SurveyRecord,
  author: Author,
): Promise<Types.ObjectId[]> {
  const { round } = roundAt(await loadRounds(session), giver.heldAt);
  return [
    ...(await moveToRound(session, [giver._id], round, author)),
    ...(await moveToRound(session, [taker._id], giver.round, author)),
  ];
}

/** A missing survey is an error in the request's body: 400 instead of 404. */
async function loadGiver(actor: Actor, from: string, session: ClientSession): Promise<SurveyRecord> {
  try {
    return await loadPermittedRecord(actor, 'update', SurveyModel, from, session);
  } catch (error) {
    if (!(error instanceof Problem) || error.name !== 'NOT_FOUND') throw error;
    throw invalidFieldProblem('from', 'NO_SURVEY');
  }
}

/** The code that `giver` redeemed and `taker` also presented. */
function requireContested(taker: SurveyRecord, giver: SurveyRecord): string {
  const code = giver.referralCode;
  const presented = taker.flags.some(
    (one) => one.code === 'REFERRAL_CODE_USED' && parseCode(one.referralCode ?? '') === code,
  );
  if (code !== null && taker.referralCode === null && presented) return code;
  throw problem('INVALID_TRANSITION', { why: fault('CODE_NOT_PRESENTED') });
}

async function validateTakenCode(session: ClientSession, code: string, taker: SurveyRecord, { now }: Actor) {
  const coupon = await findCode(code, session);
  return coupon ? interviewDateByCoupon(taker, coupon, now) : { heldAt: taker.heldAt, flags: [] };
}

function exchangePlaces(
  giver: SurveyRecord,
  taker: SurveyRecord,
  { code, at, validated }: { code: string; at: Date; validated: ReturnType<typeof interviewDateByCoupon> },
): { giver: SurveyRecord; taker: SurveyRecord } {
  const { referralCode, seed, recruiter, wave } = giver;
  const pending = giver.flags.filter((one) => one.code === PENDING);
  return {
    giver: {
      ...giver,
      ...{ referralCode: null, seed: null, recruiter: null, wave: null },
      flags: [...giver.flags.filter((one) => one.code !== PENDING), newFlag('REFERRAL_CODE_USED', code, at)],
      updatedAt: at,
      version: giver.version + 1,
    },
    taker: {
      ...taker,
      ...{ referralCode, seed, recruiter, wave },
      heldAt: validated.heldAt,
      flags: [
        ...taker.flags.filter((one) => !one.code.startsWith('REFERRAL_CODE_')),
        ...pending,
        ...validated.flags,
      ],
      updatedAt: at,
      version: taker.version + 1,
    },
  };
}

async function saveSurvey(
  session: ClientSession,
  { user }: Actor,
  { before, after, reason }: { before: SurveyRecord; after: SurveyRecord; reason: string },
): Promise<void> {
  const { _id, ...fields } = after;
  await SurveyModel.collection.updateOne({ _id }, { $set: fields }, { session });
  const changes = changesOf(toAuditFields(before), toAuditFields(after)).filter(
    ({ path }) => path !== 'updatedAt' && path !== 'version',
  );
  const event = { action: 'update', subject: 'Survey', record: _id, location: after.location } as const;
  await audit(session, { by: user._id, now: after.updatedAt }, { ...event, changes, reason });
}

/** Updates the code and, if it is a seed's code, the seed. */
async function moveCode(session: ClientSession, code: string, taker: SurveyRecord): Promise<void> {
  const moved = await ReferralCodeModel.collection.findOneAndUpdate(
    { code },
    [{ $set: { redeemedBy: taker._id, returnedAt: taker.heldAt } }, SET_COUPON_DAYS_OUT],
    { session },
  );
  const seed = (moved as ReferralCodeRecord | null)?.seed;
  if (seed) await SeedModel.collection.updateOne({ _id: seed }, { $set: { survey: taker._id } }, { session });
}
