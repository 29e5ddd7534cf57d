/** Changing a survey. Every change is kept: who, when, before, after. */
import type { ClientSession } from 'mongoose';
import { audit, changesOf } from '../audit/model.ts';
import { lock } from '../db/transaction.ts';
import { fault } from '../http/faults.ts';
import { fieldProblem, problem } from '../http/problem.ts';
import { areAllSaid } from '../questionnaires/clues.ts';
import { derivedFrom } from '../questionnaires/derived.ts';
import { type QuestionnaireRecord, requireQuestionnaire } from '../questionnaires/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { storeCodes, withNewCodes } from '../referral-codes/issue.ts';
import { findCode } from '../referral-codes/model.ts';
import { REFUSALS } from '../referral-codes/verdict.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { load, mayChange } from '../rights/guard.ts';
import { study as readStudy } from '../study/model.ts';
import { heldAtEnd, requireAnswers } from './answers.ts';
import { heldAtOf } from './clock.ts';
import { hashesOf, keptAnswers } from './clues.ts';
import { counts, countsNow } from './counting.ts';
import { codesRefused, handOut, issuedCodes } from './hand-out.ts';
import { storedHashes } from './identities.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { redeem } from './redeem.ts';
import { mayKnowRepeat, REPEAT, recognise, toldOf } from './repeat.ts';
import type { SurveyPatch } from './schema.ts';
import { fillBelow, linkRecruits, RECRUITMENT, selfOrAbove } from './tree.ts';

/** `"3"` or `*`; anything else is a 400. Null where the caller does not care. */
export function wantedVersion(ifMatch: string | undefined): number | null {
  if (ifMatch === undefined || ifMatch.trim() === '*') return null;
  const version = /^"(\d{1,9})"$/.exec(ifMatch.trim())?.[1];
  if (version === undefined) throw fieldProblem('If-Match', 'NOT_VERSION');
  return Number(version);
}

/** 409 unless the record has the version that the caller has seen. */
export function requireVersion(wanted: number | null, { version }: SurveyRecord): void {
  if (wanted !== null && wanted !== version) throw problem('EDIT_CONFLICT');
}

/** Of changes that follow each other that quickly. */
const MOST_TRIES = 10;

/** The answers are validated before the transaction, which must not wait for that; of a survey that was changed meanwhile, again. */
export async function updateSurvey(
  actor: Actor,
  id: string,
  body: SurveyPatch,
  { ifMatch, identityKey }: { ifMatch: string | undefined; identityKey: string },
): Promise<SurveyRecord> {
  const wanted = wantedVersion(ifMatch);
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const seen = await loadFor(actor, id, body);
    const answered = await requireShape(seen, body, actor);
    const validated = answered.questionnaire && seen.version;
    const change = { body, wanted, identityKey, answered, validated };
    const changed = await withNewCodes(async (session) => await applyChange(session, actor, id, change));
    if (changed) return changed;
  }
  throw problem('EDIT_CONFLICT');
}

/** The survey, where this change of it is allowed. */
async function loadFor(actor: Actor, id: string, body: SurveyPatch, session: ClientSession | null = null) {
  const before = await load(actor, 'update', Surveys, id, session);
  // As an earlier version stored it.
  before.heldAt ??= heldAtOf(before);
  const { clearFlags, reason: _, ...fields } = body;
  if (clearFlags?.includes('POSSIBLE_REPEAT') && !mayKnowRepeat(actor, before)) throw problem('FORBIDDEN');
  mayChange(actor, 'Survey', before, { ...fields, ...(clearFlags ? { flags: [] } : {}) });
  codeNamed(body);
  return before;
}

interface SurveyChange {
  body: SurveyPatch;
  wanted: number | null;
  identityKey: string;
  answered: Answered;
  /** The version of the survey whose change was found right; null where that depends on none. */
  validated: number | null;
}

/** Null where another change came in between, so that the answers have to be validated again. */
async function applyChange(
  session: ClientSession,
  actor: Actor,
  id: string,
  { body, wanted, identityKey, answered, validated }: SurveyChange,
): Promise<SurveyRecord | null> {
  // Read inside the transaction: of two changes at once the second sees the first, or its stale version.
  const before = await loadFor(actor, id, body, session);
  requireVersion(wanted, before);
  if (validated !== null && validated !== before.version) return null;
  requireMoves(before, body);
  const { clearFlags, reason } = body;
  const code = codeNamed(body);

  const after: SurveyRecord = { ...before };
  if (body.coordinates !== undefined) after.coordinates = body.coordinates;
  if (clearFlags) after.flags = after.flags.filter((one) => !clearFlags.includes(one.code));
  if (clearFlags?.includes('POSSIBLE_REPEAT')) after.repeat = undefined;
  if (body.issuedCodes) await addCodes(session, after, body.issuedCodes, actor);
  changeAnswers(after, body, { ...answered, now: actor.now });
  await issueLacking(session, before, after, actor.now);
  if (code)
    await setCode(session, after, code, { actor, whateverDates: mayPassDates(actor, before, reason) });
  const hashes = await hashesToKeep(session, before, body, { ...answered, identityKey });
  const found = await recognise(session, after, {
    hashes,
    counted: countsNow(before),
    isFinal: before.status === 'COMPLETED',
    now: actor.now,
  });
  const isCleared = before.repeat !== undefined && after.repeat === undefined;
  after.repeat = found.repeat;
  return await write(session, actor, { before, after, isAnew: found.isAnew, isCleared, reason });
}

/** Clues left empty were not typed again, which says nothing of the person: nobody becomes harder to know by that. */
async function hashesToKeep(
  session: ClientSession,
  { _id }: SurveyRecord,
  { responses }: SurveyPatch,
  { questionnaire, identityKey }: Pick<Answered, 'questionnaire'> & Pick<SurveyChange, 'identityKey'>,
) {
  const clues = questionnaire && responses ? hashesOf(questionnaire, responses, identityKey) : null;
  const saysAll = areAllSaid((questionnaire?.identityQuestions ?? []).map((name) => responses?.[name]));
  const known = await storedHashes(session, _id);
  return clues?.length && (saysAll || clues.length >= known.length) ? clues : null;
}

const completes = (before: SurveyRecord, body: SurveyPatch) =>
  before.status === 'IN_PROGRESS' && body.status === 'COMPLETED';

/** In its canonical form; null where the change names none. */
function codeNamed({ referralCode }: SurveyPatch): string | null {
  if (referralCode === undefined) return null;
  const code = parseCode(referralCode);
  if (!code) throw problem('REFERRAL_CODE_MALFORMED');
  return code;
}

/**
 * What no state of the record could make right is told before any conflict with its state. The questionnaire, where
 * answers are sent or become final.
 */
async function requireShape(
  before: SurveyRecord,
  body: SurveyPatch,
  { now, zone }: Pick<Actor, 'now' | 'zone'>,
): Promise<Answered> {
  const answers = completes(before, body) || body.responses !== undefined;
  if (!answers && body.takesPart === undefined) return { questionnaire: null, responses: null };
  const questionnaire = await requireQuestionnaire(before.questionnaire.toHexString());
  const completed = answers && (completes(before, body) || before.status === 'COMPLETED');
  const given = body.responses ?? (completed ? before.responses : {});
  const at = completes(before, body) ? now : heldAtEnd(before);
  const held = { at, again: now, zone };
  const responses = await requireAnswers(questionnaire, completed ? 'COMPLETED' : 'IN_PROGRESS', given, held);
  return { questionnaire, responses: answers ? responses : null };
}

/** Null where no answers are sent or become final. */
interface Answered {
  questionnaire: QuestionnaireRecord | null;
  responses: SurveyRecord['responses'] | null;
}

function requireMoves(before: SurveyRecord, body: SurveyPatch): void {
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
  { questionnaire, responses, now }: Answered & { now: Date },
): void {
  if (responses && questionnaire) after.responses = keptAnswers(questionnaire, responses);
  if (completes(after, body)) {
    after.status = 'COMPLETED';
    after.completedAt = now;
  }
  const said = body.takesPart ?? after.takesPart !== false;
  if (!questionnaire) return;
  const { networkSize, takesPart } = derivedFrom(questionnaire, after, said);
  if (body.responses) after.networkSize = networkSize;
  after.takesPart = takesPart;
}

/** Whoever completes, or comes to take part, gets what is lacking of the study's number. */
async function issueLacking(
  session: ClientSession,
  before: SurveyRecord,
  after: SurveyRecord,
  now: Date,
): Promise<void> {
  if (counts(before) || !counts(after)) return;
  const study = await readStudy(session);
  const issued = issuedCodes(after, { study, handedOut: after.issuedCodes.length, now });
  await storeCodes(session, issued);
  after.issuedCodes = [...after.issuedCodes, ...issued.map((one) => one.code)];
}

/** A coupon out of its dates is let through by whoever may review the survey, and says why. */
const mayPassDates = ({ ability }: Actor, survey: SurveyRecord, reason: string | undefined): boolean =>
  reason !== undefined && ability.can('review', asSubject('Survey', { ...survey }));

/** The right code of a survey that was stored without one. */
async function setCode(
  session: ClientSession,
  after: SurveyRecord,
  code: string,
  { actor, whateverDates }: { actor: Actor; whateverDates: boolean },
): Promise<void> {
  const { now } = actor;
  await lock(session, RECRUITMENT);
  const found = await findCode(code, session);
  if ((await selfOrAbove(session, found?.survey ?? null, [after._id])).length > 0) {
    throw fieldProblem('referralCode', 'CODE_FROM_BELOW');
  }
  const redeemed = await redeem(session, found, after, { now, whateverDates });
  if ('fault' in redeemed) throw problem(REFUSALS[redeemed.fault]);
  await storeCodes(session, [], redeemed.taking);
  Object.assign(after, redeemed.place);
  const settled = after.flags.filter((one) => !one.code.startsWith('REFERRAL_CODE_'));
  after.flags = [...settled, ...redeemed.flags];
  await fillBelow(session, [after._id], after.seed, after.wave, { by: actor.user._id, now });
}

/** Codes of paper that were handed over after all. Those that it has are left as they are. */
async function addCodes(
  session: ClientSession,
  after: SurveyRecord,
  texts: string[],
  { user, now }: Actor,
): Promise<void> {
  const isNew = texts.map((text) => !after.issuedCodes.includes(parseCode(text) ?? ''));
  const places = texts.flatMap((_, index) => (isNew[index] ? [index] : []));
  const study = await readStudy(session);
  const most = study.couponsPerSurvey - (after.lateCodes ?? 0);
  const given = { survey: after, user: user._id, study, at: now, most };
  const handed = await handOut(
    session,
    places.map((index) => texts[index] ?? ''),
    given,
  );
  if (handed.refused.length > 0) throw codesRefused(handed.refused.map(({ index }) => places[index] ?? 0));
  if (handed.accepted.length === 0) return;
  after.issuedCodes = [...after.issuedCodes, ...handed.accepted];
  after.lateCodes = (after.lateCodes ?? 0) + handed.accepted.length;
  await linkRecruits(session, after, handed.recruits, { by: user._id, now });
}

/** As the history tells it. */
export const told = ({ repeat, ...survey }: SurveyRecord) => ({ ...survey, repeat: toldOf(repeat) });

interface Writing {
  before: SurveyRecord;
  after: SurveyRecord;
  /** Other clues than before: which, nobody can tell. */
  isAnew: boolean;
  /** Somebody cleared POSSIBLE_REPEAT, though it may have been found again since. */
  isCleared: boolean;
  reason: string | undefined;
}

async function write(
  session: ClientSession,
  actor: Actor,
  { before, after, isAnew, isCleared, reason }: Writing,
): Promise<SurveyRecord> {
  const cleared = { ...before, repeat: isCleared ? undefined : before.repeat };
  const changes = [...changesOf(told(before), told(cleared)), ...changesOf(told(cleared), told(after))];
  if (isAnew) changes.push({ path: 'clues', before: null, after: 'CHANGED' });
  if (changes.length === 0) return before;
  // A change that waited for another one comes after it, though its request was earlier.
  const at = new Date(Math.max(before.updatedAt.getTime(), actor.now.getTime()));
  // What few may know of shows in nothing that others see.
  if (changes.some(({ path }) => path !== REPEAT.path)) {
    after.updatedAt = at;
    after.version = before.version + 1;
  }
  const { _id, takesPart, repeat, ...fields } = after;
  const rare = Object.entries({ takesPart, repeat });
  const $set = { ...fields, ...Object.fromEntries(rare.filter(([, value]) => value !== undefined)) };
  const gone = rare.filter(([, value]) => value === undefined).map(([name]) => [name, '']);
  const $unset = gone.length > 0 ? { $unset: Object.fromEntries(gone) as object } : {};
  await Surveys.collection.updateOne({ _id }, { $set, ...$unset } as never, { session });
  const { location } = after;
  const event = { by: actor.user._id, action: 'update', subject: 'Survey', record: _id, location } as const;
  await audit(session, { ...event, changes, reason, at });
  return after;
}
