/**
 * Storing an interview: once by its clientId, with its place in the recruitment tree and its coupons, all in one
 * transaction. A finished interview is not lost to a code's fault where the sender says FLAG.
 */
import { randomUUID } from 'node:crypto';
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { audit } from '../audit/model.ts';
import { databaseOutOfReach } from '../http/errors.ts';
import { fieldProblem, type Problem, problem } from '../http/problem.ts';
import { requireLocation } from '../locations/model.ts';
import { networkSizeOf } from '../questionnaires/answers.ts';
import { type QuestionnaireRecord, requireQuestionnaire } from '../questionnaires/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { insertCodes, issuing, takeAndInsert } from '../referral-codes/issue.ts';
import type { ReferralCodeRecord } from '../referral-codes/model.ts';
import { findCode, REFUSALS } from '../referral-codes/verdict.ts';
import type { Actor } from '../rights/actor.ts';
import { mayCreate } from '../rights/guard.ts';
import { Seeds } from '../seeds/model.ts';
import { newSeed } from '../seeds/plant.ts';
import { study as readStudy, type StudyRecord } from '../study/model.ts';
import { requireAnswers } from './answers.ts';
import { heldAtOf, isClockOdd } from './clock.ts';
import { handOut, issuedCodes } from './hand-out.ts';
import { type FlagRecord, type SurveyRecord, Surveys } from './model.ts';
import { CouponChanged, NO_ORIGIN, type Origin, redeemCode, type Taking, takingOf } from './redeem.ts';
import { findReplay, hashOf } from './replay.ts';
import type { FlagCode, SurveyCreate } from './schema.ts';
import type { Sender } from './sender.ts';
import { takesPart } from './takes-part.ts';
import { linkRecruits } from './tree.ts';

export interface Submitted {
  created: boolean;
  survey: SurveyRecord;
}

export async function submitSurvey(actor: Actor, body: SurveyCreate): Promise<Submitted> {
  const { _id } = actor.user;
  const mayStore = (draft: SurveyRecord) => mayCreate(actor, 'Survey', draft);
  return await storeOnce({ owner: _id, by: _id, now: actor.now, mayStore }, body);
}

/**
 * Most interviews come once, so the clientId is not looked up first: of one that is stored already, the unique index
 * refuses the second survey if nothing refuses it before. Then what is stored is the answer, whatever the refusal.
 */
export async function storeOnce(sender: Sender, body: SurveyCreate): Promise<Submitted> {
  try {
    return { created: true, survey: await storeNew(sender, body) };
  } catch (error) {
    if (databaseOutOfReach(error)) throw error;
    const replay = await findReplay(sender, body);
    if (!replay) throw error;
    return { created: false, survey: replay };
  }
}

async function storeNew(sender: Sender, body: SurveyCreate): Promise<SurveyRecord> {
  const brought = typeof body.referralCode === 'string' ? parseCode(body.referralCode) : null;
  const [location, questionnaire, study, coupon] = await Promise.all([
    requireLocation(body.location),
    requireQuestionnaire(body.questionnaire),
    readStudy(),
    brought ? findCode(brought) : undefined,
  ]);
  await requireAnswers(questionnaire, body.status, body.responses);
  const draft = draftOf(sender, body, { location, questionnaire });
  requireCode(body);
  sender.mayStore(draft);
  const taking = takingOf(coupon, draft, sender.now);
  const stored = (how: Taking | null) =>
    issuing((session) => store(session, sender, body, draft, { study, taking: how }));
  try {
    return await stored(taking);
  } catch (error) {
    if (error instanceof CouponChanged) return await stored(null);
    throw error;
  }
}

/** What is no code at all is a fault of the request's shape: told before anything is asked about rights. */
function requireCode({ referralCode, onCodeProblem }: SurveyCreate): void {
  if (onCodeProblem === 'REJECT' && typeof referralCode === 'string' && !parseCode(referralCode))
    throw problem('REFERRAL_CODE_MALFORMED');
}

function draftOf(
  { owner, now }: Sender,
  body: SurveyCreate,
  given: { location: Types.ObjectId; questionnaire: QuestionnaireRecord },
): SurveyRecord {
  // A device's clock may run ahead; an interview is never held later than it arrives.
  const notAhead = (at: Date | null | undefined) => (at && at < now ? at : now);
  if (body.status === 'IN_PROGRESS' && body.completedAt) {
    throw fieldProblem('completedAt', 'An interview in progress has no end yet.');
  }
  const times = {
    startedAt: notAhead(body.startedAt ?? body.completedAt),
    completedAt: body.status === 'COMPLETED' ? notAhead(body.completedAt) : null,
    createdAt: now,
  };
  return {
    _id: new mongoose.Types.ObjectId(),
    clientId: body.clientId ?? randomUUID(),
    referralCode: null,
    seed: null,
    recruiter: null,
    wave: null,
    issuedCodes: [],
    questionnaire: given.questionnaire._id,
    responses: body.responses,
    networkSize: networkSizeOf(given.questionnaire, body.responses),
    status: body.status,
    ...(takesPart(given.questionnaire, body, body.takesPart !== false) ? {} : { takesPart: false as const }),
    flags: isClockOdd(times) ? [flag('CLOCK_ODD', null, now)] : [],
    coordinates: body.coordinates ?? null,
    location: given.location,
    createdBy: owner,
    ...times,
    heldAt: heldAtOf(times),
    updatedAt: now,
    version: 1,
    requestHash: hashOf(body, given.questionnaire),
    deletedAt: null,
  };
}

/** Runs as a whole again after a conflict, so it changes nothing but its own copy of the draft. */
async function store(
  session: ClientSession,
  { owner, by, now }: Sender,
  body: SurveyCreate,
  draft: SurveyRecord,
  { study, taking }: { study: StudyRecord; taking: Taking | null },
): Promise<SurveyRecord> {
  const survey: SurveyRecord = { ...draft, flags: [...draft.flags] };
  const newCodes: ReferralCodeRecord[] = [];

  // An empty text is a wrong code, not a walk-in.
  if (taking) Object.assign(survey, placed(taking.origin, survey.flags, now));
  else if (typeof body.referralCode === 'string') {
    Object.assign(survey, await placeByCode(session, survey, body, body.referralCode, now));
  } else {
    Object.assign(survey, await placeAsWalkIn(session, survey, newCodes));
  }

  const handed = await handOut(session, body.issuedCodes, {
    survey,
    user: owner,
    study,
    at: isClockOdd(survey) ? now : (survey.completedAt ?? now),
  });
  if (handed.refused.length > 0 && body.onCodeProblem === 'REJECT') {
    throw codesRefused(handed.refused.map(({ index }) => index));
  }
  for (const { text } of handed.refused) survey.flags.push(flag('ISSUED_CODE_REFUSED', text, now));
  if (survey.status === 'COMPLETED') {
    newCodes.push(...issuedCodes(survey, { study, handedOut: handed.accepted.length, now }));
  }
  if (!taking) await insertCodes(session, newCodes);
  else if (!(await takeAndInsert(session, taking.write, newCodes))) throw new CouponChanged();
  const issued = newCodes.filter((one) => one.survey !== null).map((one) => one.code);
  survey.issuedCodes = [...handed.accepted, ...issued];
  await Surveys.collection.insertOne(survey, { session });
  await linkRecruits(session, survey, handed.recruits, { by, now });
  await audit(session, { by, action: 'create', subject: 'Survey', record: survey._id, at: now });
  return survey;
}

/** 400 that names each code by its place in the request. */
export function codesRefused(places: number[]): Problem {
  const message = 'This code is not one that you can hand out here.';
  return problem('VALIDATION_ERROR', {
    errors: places.map((at) => ({ path: `issuedCodes.${at}`, message })),
  });
}

export function flag(code: FlagCode, referralCode: string | null, at: Date): FlagRecord {
  return { code, referralCode: referralCode?.slice(0, 100) ?? null, at };
}

type Placed = Omit<Origin, 'recruiterPending'> & { flags: FlagRecord[] };

function placed({ recruiterPending, ...origin }: Origin, flags: FlagRecord[], now: Date): Placed {
  const waiting = recruiterPending ? [flag('RECRUITER_PENDING', origin.referralCode, now)] : [];
  return { ...origin, flags: [...flags, ...waiting] };
}

async function placeByCode(
  session: ClientSession,
  survey: SurveyRecord,
  { onCodeProblem }: SurveyCreate,
  text: string,
  now: Date,
): Promise<Placed> {
  const code = parseCode(text);
  const origin = code ? await redeemCode(session, code, survey, { now }) : { fault: 'MALFORMED' as const };
  if (!('fault' in origin)) return placed(origin, survey.flags, now);
  if (onCodeProblem === 'REJECT') throw problem(REFUSALS[origin.fault]);
  return placed(NO_ORIGIN, [...survey.flags, flag(`REFERRAL_CODE_${origin.fault}`, code ?? text, now)], now);
}

/** A person without a coupon starts a chain: a seed is made whose code this survey redeems. */
async function placeAsWalkIn(
  session: ClientSession,
  survey: SurveyRecord,
  newCodes: ReferralCodeRecord[],
): Promise<Placed> {
  const { location, createdBy: by, createdAt: now, heldAt: returnedAt } = survey;
  const { seed, code } = newSeed({ kind: 'WALK_IN', location, note: null, by, now });
  await Seeds.collection.insertOne({ ...seed, survey: survey._id }, { session });
  newCodes.push({ ...code, state: 'USED', redeemedBy: survey._id, redeemedAt: now, returnedAt });
  const origin = {
    referralCode: code.code,
    seed: seed._id,
    recruiter: null,
    wave: 0,
    recruiterPending: false,
  };
  return placed(origin, survey.flags, now);
}
