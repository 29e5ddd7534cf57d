/** Changes a survey. Every change is in the audit trail: who, when, before, after. */

import mongoose, { type ClientSession, type Types } from 'mongoose';
import { FAULT_PROBLEMS } from '../../../coupons/referral-codes/check.ts';
import { parseCode } from '../../../coupons/referral-codes/code.ts';
import { storeCodes, withNewCodes } from '../../../coupons/referral-codes/issue.ts';
import { findCode } from '../../../coupons/referral-codes/model.ts';
import { Seeds } from '../../../coupons/seeds/model.ts';
import { audit, changesOf } from '../../../platform/audit/model.ts';
import type { Change } from '../../../platform/audit/schema.ts';
import { lock, untilUnchanged } from '../../../platform/db/transaction.ts';
import { parseIfMatch, requireVersion } from '../../../platform/http/if-match.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { fieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { givenFields } from '../../../platform/lib/objects/given-fields.ts';
import { asSubject } from '../../../platform/rights/ability.ts';
import { type Actor, authorOf } from '../../../platform/rights/actor.ts';
import { findRecord, mayChange, requireRight } from '../../../platform/rights/guard.ts';
import { type CouponValue, usesCouponVariable } from '../../../questionnaires/definition/coupon-variable.ts';
import { areAllAnswered } from '../../../questionnaires/definition/identity-answers.ts';
import { type QuestionnaireRecord, requireQuestionnaire } from '../../../questionnaires/model.ts';
import { deriveFields } from '../../../questionnaires/network-size.ts';
import { requireLocation } from '../../../study/locations/model.ts';
import { loadRounds } from '../../../study/rounds/model.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { requireAnswers } from '../answers.ts';
import { toAuditFields } from '../audit-fields.ts';
import { handOutByArrival } from '../clock-by-coupon.ts';
import { isCounted, isInTheSampleNow } from '../counted-interviews.ts';
import { interviewEnd } from '../interview-times.ts';
import { type SurveyRecord, Surveys } from '../model.ts';
import { findSelfOrAncestors, linkRecruits, RECRUITMENT_LOCK, setPlaceBelow } from '../recruitment-tree.ts';
import { findHashes } from '../repeats/identities.ts';
import { hashIdentityAnswers } from '../repeats/identity-hashes.ts';
import { detectRepeat, maySeeRepeat, REPEAT_FIELD } from '../repeats/repeat-detection.ts';
import { requireOpenAnswers, reviewAfterChange } from '../review/review-rules.ts';
import { moveBelowToRound } from '../round-moves.ts';
import type { FlagCode, SurveyPatch } from '../schema.ts';
import { handOver, settleIncentives } from '../settle-incentives.ts';
import { statusHashOf, withFreeStatusHash } from '../status-hash.ts';
import { codesRefused, createMissingCodes, handOut } from '../submit/hand-out.ts';
import { redeem } from '../submit/redeem-coupon.ts';
import type { SurveyConfig } from '../submit/sender.ts';
import { changeContact } from './contact.ts';
import { moveTo } from './move.ts';
import { mayReadNote, noteChange } from './note.ts';

/** Validates answers before the transaction, because it may take seconds; again if the survey was changed meanwhile. */
export async function updateSurvey(
  actor: Actor,
  id: string,
  body: SurveyPatch,
  { ifMatch, config }: { ifMatch: string | undefined; config: SurveyConfig },
): Promise<SurveyRecord> {
  const wanted = parseIfMatch(ifMatch);
  if (body.location) await requireLocation(body.location);
  return await untilUnchanged(async () => {
    const seen = await loadForChange(actor, id, body);
    const answered = await requireValidChange(seen, body, actor);
    const validated = answered.questionnaire && seen.version;
    const change = { wanted, config, answered, validated };
    return await withFreeStatusHash(body.statusHash, (statusHash) =>
      withNewCodes(
        async (session) =>
          await applyChange(session, actor, id, { ...change, body: { ...body, statusHash } }),
        actor.deadline,
      ),
    );
  });
}

/** Only who may review the survey clears these. */
const FLAGS_OF_REVIEWERS: readonly FlagCode[] = [
  'POSSIBLE_REPEAT',
  'INCENTIVE_NOT_DUE',
  'IMPORTED',
  'NO_ROUND',
];

/** Loads the survey and checks that this change is allowed. */
async function loadForChange(
  actor: Actor,
  id: string,
  body: SurveyPatch,
  session: ClientSession | null = null,
) {
  const before = await findRecord(Surveys, id, session);
  if (actor.isSendToken && !before.createdBy.equals(actor.user._id)) throw problem('FORBIDDEN');
  const { location, ...others } = body;
  if (location !== undefined) requireMayMove(actor, before, location);
  const isMoveAlone = Object.entries(others).every(
    ([name, value]) => name === 'reason' || value === undefined,
  );
  if (location === undefined || !isMoveAlone) requireRight(actor, 'update', 'Survey', before);
  const { clearFlags, reason: _, incentive, statusHash, ...fields } = others;
  const isForReviewer = clearFlags?.some((one) => FLAGS_OF_REVIEWERS.includes(one));
  if (isForReviewer && !maySeeRepeat(actor, before)) throw problem('FORBIDDEN');
  if (fields.note !== undefined && !mayReadNote(actor, before)) throw problem('FORBIDDEN');
  mayChange(actor, 'Survey', before, { ...fields, ...(clearFlags ? { flags: [] } : {}) });
  parseNamedCode(body);
  requireNotErased(before, body);
  if (!isLateArrival(before, body)) await requireOpenRoundOf(actor, before, session);
  if (body.responses) requireOpenAnswers(actor, before);
  if (incentive && !completes(before, body)) throw fieldProblem('incentive', 'INCENTIVE_TOO_EARLY');
  if (statusHash !== undefined && !completes(before, body))
    throw fieldProblem('statusHash', 'STATUS_TOO_EARLY');
  return before;
}

/** What a phone that was offline still sends of an interview: its end, coupons that were handed out, and flags. */
function isLateArrival({ status }: SurveyRecord, body: SurveyPatch): boolean {
  const { issuedCodes: _, clearFlags: __, reason: ___, ...others } = body;
  return status === 'IN_PROGRESS' || Object.values(others).every((value) => value === undefined);
}

/** Only who may review an interview changes it once its round is closed. */
async function requireOpenRoundOf(actor: Actor, survey: SurveyRecord, session: ClientSession | null) {
  if (actor.ability.can('review', asSubject('Survey', survey))) return;
  const round = (await loadRounds(session)).find(({ _id }) => _id.equals(survey.round));
  if (round?.state === 'CLOSED') throw problem('ROUND_CLOSED');
}

/** At both sites, to update it or, on any day that the reviewer may review, to review it. */
function requireMayMove(actor: Actor, before: SurveyRecord, location: string): void {
  const after = { ...before, location: new mongoose.Types.ObjectId(location) };
  const may = (action: 'update' | 'review') =>
    [before, after].every((one) => actor.ability.can(action, asSubject('Survey', one)));
  if (!may('update') && !may('review')) throw problem('FORBIDDEN');
}

/** What needs the answers, or would store some again. */
function requireNotErased({ erasedAt }: SurveyRecord, body: SurveyPatch): void {
  const { responses, status, takesPart, coordinates, note, contact } = body;
  const given = [responses, status, takesPart, coordinates, note, contact ?? undefined];
  const isLeftAlone = given.every((one) => one === undefined);
  if (erasedAt && !isLeftAlone) throw problem('INVALID_TRANSITION', { why: fault('SURVEY_ERASED') });
}

interface SurveyChange {
  body: SurveyPatch;
  wanted: number | null;
  config: SurveyConfig;
  answered: AnswerChange;
  /** The survey version for which the change was validated; null if it does not depend on the version. */
  validated: number | null;
}

/** Returns null if another change came in between, so that the answers have to be validated again. */
async function applyChange(
  session: ClientSession,
  actor: Actor,
  id: string,
  { body, wanted, config, answered, validated }: SurveyChange,
): Promise<SurveyRecord | null> {
  // Read inside the transaction, so that of two parallel changes the second sees the first.
  const before = await loadForChange(actor, id, body, session);
  requireVersion(wanted, before);
  if (validated !== null && validated !== before.version) return null;
  requireTransitions(before, body);
  const { clearFlags, reason } = body;
  const code = parseNamedCode(body);

  const after: SurveyRecord = { ...before };
  if (body.location) await moveTo(session, after, new mongoose.Types.ObjectId(body.location));
  if (body.coordinates !== undefined) after.coordinates = body.coordinates;
  if (body.note !== undefined) after.note = body.note ?? undefined;
  if (clearFlags) after.flags = after.flags.filter((one) => !clearFlags.includes(one.code));
  const { flags: ofStatus, ...status } = statusHashOf(body.statusHash, actor.now);
  Object.assign(after, status, { flags: [...after.flags, ...ofStatus] });
  if (clearFlags?.includes('POSSIBLE_REPEAT')) after.repeat = undefined;
  const judged = body.issuedCodes ? await addCodes(session, after, body.issuedCodes, actor) : [];
  changeAnswers(after, body, { ...answered, now: actor.now });
  await issueMissingCodes(session, before, after, actor.now);
  const ignoreDates = mayIgnoreDates(actor, before, reason);
  const moved = code ? await setCode(session, after, code, { actor, ignoreDates }) : [];
  const hashes = await hashesToStore(session, before, body, {
    ...answered,
    identityKey: config.identityKey,
  });
  const contactChange = await changeContact(session, after, body.contact, { config, now: actor.now });
  const found = await detectRepeat(session, after, {
    hashes,
    counted: isInTheSampleNow(before),
    isFinal: before.status === 'COMPLETED',
    now: actor.now,
  });
  const isCleared = before.repeat !== undefined && after.repeat === undefined;
  after.repeat = found.repeat;
  const settle = await prepareIncentives(session, actor, {
    before,
    after,
    affected: [...judged, ...moved],
    handedOver: body.incentive,
  });
  const written = await write(session, actor, {
    ...{ before, after, isAnew: found.hasNewClues },
    ...{ isCleared, reason, contactChange },
  });
  await settle();
  return written;
}

/** Flags what was handed over although it was not due. The result is called once the survey is stored. */
async function prepareIncentives(
  session: ClientSession,
  { user: { _id: by }, now }: Actor,
  {
    before,
    after,
    affected,
    handedOver,
  }: {
    before: SurveyRecord;
    after: SurveyRecord;
    affected: Types.ObjectId[];
    handedOver: SurveyPatch['incentive'];
  },
): Promise<() => Promise<void>> {
  const isSame =
    isCounted(before) === isCounted(after) &&
    String(before.recruiter) === String(after.recruiter) &&
    before.lateCodes === after.lateCodes &&
    before.heldAt.getTime() === after.heldAt.getTime() &&
    affected.length === 0;
  if (isSame && !handedOver) return async () => {};
  const study = await loadStudy(session);
  const handed = handedOver && handOver(after, handedOver, { study, now, by });
  if (handed) after.flags = [...after.flags, ...handed.flags];
  return async () =>
    await settleIncentives(
      session,
      study,
      [after._id, after.recruiter, ...affected],
      { by, now },
      { paid: handed?.paid },
    );
}

/** Empty identity answers are ignored in a change, so that a person does not become harder to recognize. */
async function hashesToStore(
  session: ClientSession,
  { _id }: SurveyRecord,
  { responses }: SurveyPatch,
  { questionnaire, identityKey }: Pick<AnswerChange, 'questionnaire'> & Pick<SurveyConfig, 'identityKey'>,
) {
  const clues =
    questionnaire && responses ? hashIdentityAnswers(questionnaire, responses, identityKey) : null;
  const saysAll = areAllAnswered((questionnaire?.identityQuestions ?? []).map((name) => responses?.[name]));
  const known = await findHashes(session, _id);
  return clues?.length && (saysAll || clues.length >= known.length) ? clues : null;
}

const completes = (before: SurveyRecord, body: SurveyPatch) =>
  before.status === 'IN_PROGRESS' && body.status === 'COMPLETED';

/** Normalized; null if the change has no code. */
function parseNamedCode({ referralCode }: SurveyPatch): string | null {
  if (referralCode === undefined) return null;
  const code = parseCode(referralCode);
  if (!code) throw problem('REFERRAL_CODE_MALFORMED');
  return code;
}

/**
 * Errors of the request itself, which are reported before conflicts with the record's state. Returns the questionnaire if
 * answers are sent or become final.
 */
async function requireValidChange(
  before: SurveyRecord,
  body: SurveyPatch,
  { user, now, zone, deadline }: Pick<Actor, 'user' | 'now' | 'zone' | 'deadline'>,
): Promise<AnswerChange> {
  const answers = completes(before, body) || body.responses !== undefined;
  if (!answers && body.takesPart === undefined) return { questionnaire: null, responses: null };
  const questionnaire = await requireQuestionnaire(before.questionnaire.toHexString());
  const completed = answers && (completes(before, body) || before.status === 'COMPLETED');
  const given = body.responses ?? (completed ? before.responses : {});
  const at = completes(before, body) ? now : interviewEnd(before);
  const came = await cameWithCoupon(before, questionnaire.definition);
  const held = { at, again: now, zone, came, by: user._id.toHexString() };
  const responses = await requireAnswers(
    questionnaire,
    completed ? 'COMPLETED' : 'IN_PROGRESS',
    given,
    held,
    deadline,
  );
  return { questionnaire, responses: answers ? responses : null };
}

/** Undefined for an interview without a place in the tree. */
async function cameWithCoupon(
  { seed, wave }: SurveyRecord,
  definition: object,
): Promise<CouponValue | undefined> {
  if (seed === null || !usesCouponVariable(definition)) return undefined;
  return wave === 0 && (await Seeds.exists({ _id: seed, kind: 'WALK_IN' })) ? 'no' : 'yes';
}

/** Null if no answers are sent or become final. */
interface AnswerChange {
  questionnaire: QuestionnaireRecord | null;
  responses: SurveyRecord['responses'] | null;
}

function requireTransitions(before: SurveyRecord, body: SurveyPatch): void {
  if (before.status === 'COMPLETED' && body.status === 'IN_PROGRESS') {
    throw problem('INVALID_TRANSITION', { why: fault('SURVEY_COMPLETED') });
  }
  if (before.referralCode !== null && body.referralCode !== undefined) {
    throw problem('INVALID_TRANSITION', { why: fault('SURVEY_HAS_CODE') });
  }
}

function changeAnswers(
  after: SurveyRecord,
  body: SurveyPatch,
  { questionnaire, responses, now }: AnswerChange & { now: Date },
): void {
  if (responses) after.responses = responses;
  if (completes(after, body)) {
    after.status = 'COMPLETED';
    after.completedAt = now;
  }
  const said = body.takesPart ?? after.takesPart !== false;
  if (!questionnaire) return;
  const { networkSize, takesPart } = deriveFields(questionnaire, after, said);
  if (body.responses) after.networkSize = networkSize;
  after.takesPart = takesPart;
}

/** Issues the missing codes, up to the study's limit, when a survey is completed or its person becomes eligible. */
async function issueMissingCodes(
  session: ClientSession,
  before: SurveyRecord,
  after: SurveyRecord,
  now: Date,
): Promise<void> {
  if (isCounted(before) || !isCounted(after)) return;
  const study = await loadStudy(session);
  const issued = createMissingCodes(after, { study, handedOut: after.issuedCodes.length, now });
  await storeCodes(session, issued);
  after.issuedCodes = [...after.issuedCodes, ...issued.map((one) => one.code)];
}

/** A reviewer who gives a reason may accept a coupon outside its dates. */
const mayIgnoreDates = ({ ability }: Actor, survey: SurveyRecord, reason: string | undefined): boolean =>
  reason !== undefined && ability.can('review', asSubject('Survey', survey));

/** Sets the code of a survey that was stored without one. Returns others whose incentives may change. */
async function setCode(
  session: ClientSession,
  after: SurveyRecord,
  code: string,
  { actor, ignoreDates }: { actor: Actor; ignoreDates: boolean },
): Promise<Types.ObjectId[]> {
  const { now } = actor;
  await lock(session, RECRUITMENT_LOCK);
  const found = await findCode(code, session);
  if ((await findSelfOrAncestors(session, found?.survey ?? null, [after._id])).length > 0) {
    throw fieldProblem('referralCode', 'CODE_FROM_BELOW');
  }
  const rounds = await loadRounds(session);
  const redeemed = await redeem(session, found, after, { now, rounds, ignoreDates });
  if ('fault' in redeemed) throw problem(FAULT_PROBLEMS[redeemed.fault]);
  await storeCodes(session, [], redeemed.couponUpdate);
  const isFoundOdd = redeemed.heldAt.getTime() !== after.heldAt.getTime();
  if (isFoundOdd) await handOutByArrival(session, after);
  const isMoved = !redeemed.round.equals(after.round);
  Object.assign(after, redeemed.place, { heldAt: redeemed.heldAt, round: redeemed.round });
  const settled = after.flags.filter((one) => !/^(REFERRAL_CODE_|NO_ROUND$)/.test(one.code));
  after.flags = [...settled, ...redeemed.flags];
  await setPlaceBelow(session, [after._id], after.seed, after.wave, authorOf(actor));
  return isMoved ? await moveBelowToRound(session, after._id, after.round, authorOf(actor)) : [];
}

/** Adds printed codes that were handed out later; codes that the survey has already stay as they are. */
async function addCodes(
  session: ClientSession,
  after: SurveyRecord,
  texts: string[],
  { user, now }: Actor,
): Promise<Types.ObjectId[]> {
  const isNew = texts.map((text) => !after.issuedCodes.includes(parseCode(text) ?? ''));
  const places = texts.flatMap((_, index) => (isNew[index] ? [index] : []));
  const study = await loadStudy(session);
  const most = study.couponsPerSurvey - (after.lateCodes ?? 0);
  const given = { survey: after, user: user._id, study, at: now, most };
  const handed = await handOut(
    session,
    places.map((index) => texts[index] ?? ''),
    given,
  );
  if (handed.refused.length > 0) throw codesRefused(handed.refused.map(({ index }) => places[index] ?? 0));
  if (handed.accepted.length === 0) return [];
  after.issuedCodes = [...after.issuedCodes, ...handed.accepted];
  after.lateCodes = (after.lateCodes ?? 0) + handed.accepted.length;
  return await linkRecruits(session, after, handed.recruits, { by: user._id, now });
}

interface WriteOptions {
  before: SurveyRecord;
  after: SurveyRecord;
  /** Whether the identity answers changed. Their values are unknown. */
  isAnew: boolean;
  /** Whether POSSIBLE_REPEAT was cleared, although it may have been set again since. */
  isCleared: boolean;
  reason: string | undefined;
  /** That the number for texts was changed or deleted, without it. */
  contactChange: Change[];
}

async function write(
  session: ClientSession,
  actor: Actor,
  { before, after, isAnew, isCleared, reason, contactChange }: WriteOptions,
): Promise<SurveyRecord> {
  const hasOtherAnswers =
    isAnew || changesOf({ responses: before.responses }, { responses: after.responses }).length > 0;
  if (hasOtherAnswers) after.review = reviewAfterChange(before.review, actor.user._id);
  const cleared = { ...before, repeat: isCleared ? undefined : before.repeat };
  const changes = [
    ...changesOf(toAuditFields(before), toAuditFields(cleared)),
    ...changesOf(toAuditFields(cleared), toAuditFields(after)),
    ...noteChange(before, after),
    ...contactChange,
  ];
  if (isAnew) changes.push({ path: 'clues', before: null, after: 'CHANGED' });
  if (changes.length === 0) return before;
  // A change that waited for another one gets a later time, even if its request came first.
  const at = new Date(Math.max(before.updatedAt.getTime(), actor.now.getTime()));
  // A change of only the restricted field must not be visible to others.
  if (changes.some(({ path }) => path !== REPEAT_FIELD.path)) {
    after.updatedAt = at;
    after.version = before.version + 1;
  }
  const { _id, takesPart, repeat, review, note, ...fields } = after;
  const rare = { takesPart, repeat, review, note };
  const $set = { ...fields, ...givenFields(rare) };
  const gone = Object.entries(rare).flatMap(([name, value]) => (value === undefined ? [[name, '']] : []));
  const $unset = gone.length > 0 ? { $unset: Object.fromEntries(gone) as object } : {};
  await Surveys.collection.updateOne({ _id }, { $set, ...$unset } as never, { session });
  const event = { action: 'update', subject: 'Survey', record: _id, location: after.location } as const;
  await audit(session, { by: actor.user._id, now: at }, { ...event, changes, reason });
  return after;
}
