/** Changes a survey. Every change is audited: who, when, before, after. */

import mongoose, { type ClientSession, type Types } from 'mongoose';
import { inTransactionUntilUnique } from '../../../coupons/referral-codes/issue.ts';
import { audit, changesOf } from '../../../platform/audit/model.ts';
import type { AuditedFieldChange } from '../../../platform/audit/schema.ts';
import { retryUntilUnchanged } from '../../../platform/db/transaction.ts';
import { parseIfMatch, requireExpectedVersion } from '../../../platform/http/if-match.ts';
import { definedFields } from '../../../platform/lib/objects/defined-fields.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { requireExistingLocation } from '../../../study/locations/model.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { toAuditFields } from '../audit-fields.ts';
import { isCompletedParticipation, isUndeletedInSample } from '../counted-interviews.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { detectRepeat, REPEAT_FIELD_RESTRICTION } from '../repeats/repeat-detection.ts';
import { reviewAfterChange } from '../review/review-rules.ts';
import type { SurveyPatch } from '../schema.ts';
import { recordIncentiveHandOver, updateOwedIncentives } from '../settle-incentives.ts';
import { dropTakenStatusHash, statusHashFieldsOf } from '../status-hash.ts';
import type { SurveyStorageConfig } from '../submit/submission-author.ts';
import {
  applyAnswersToRecord,
  identityHashesToStore,
  requireValidAnswerChange,
  type ValidatedAnswers,
} from './change-answers.ts';
import {
  addLateCodes,
  issueMissingCodes,
  mayIgnoreCouponDates,
  setSurveyReferralCode,
} from './change-codes.ts';
import { changeContact } from './contact.ts';
import { loadForChange, parseCodeInPatch, requireValidTransition } from './load-for-change.ts';
import { moveInterviewToSite } from './move.ts';
import { interviewerNoteChanges } from './note.ts';

/**
 * Validates answers before the transaction, because it may take seconds, and again if the survey was changed in the
 * meantime.
 */
export async function updateSurvey(
  actor: Actor,
  id: string,
  body: SurveyPatch,
  { ifMatch, config }: { ifMatch: string | undefined; config: SurveyStorageConfig },
): Promise<SurveyRecord> {
  const expectedVersion = parseIfMatch(ifMatch);
  if (body.location) await requireExistingLocation(body.location);
  return await retryUntilUnchanged(async () => {
    const survey = await loadForChange(actor, id, body);
    const answerChange = await requireValidAnswerChange(survey, body, actor);
    const validated = answerChange.questionnaire && survey.version;
    const change = { expectedVersion, config, answerChange, validated };
    return await dropTakenStatusHash(body.statusHash, (statusHash) =>
      inTransactionUntilUnique(
        async (session) =>
          await applyChange(session, actor, id, { ...change, body: { ...body, statusHash } }),
        actor.deadline,
      ),
    );
  });
}

interface SurveyChange {
  body: SurveyPatch;
  expectedVersion: number | null;
  config: SurveyStorageConfig;
  answerChange: ValidatedAnswers;
  /** The survey version that the change was validated for; null if it doesn't depend on the version. */
  validated: number | null;
}

/** Returns null if another change came in between, so that the answers have to be validated again. */
async function applyChange(
  session: ClientSession,
  actor: Actor,
  id: string,
  { body, expectedVersion, config, answerChange, validated }: SurveyChange,
): Promise<SurveyRecord | null> {
  // Read inside the transaction, so that the second of two concurrent changes sees the first.
  const before = await loadForChange(actor, id, body, session);
  requireExpectedVersion(expectedVersion, before);
  if (validated !== null && validated !== before.version) return null;
  requireValidTransition(before, body);
  const { clearFlags, reason } = body;
  const code = parseCodeInPatch(body);

  const after: SurveyRecord = { ...before };
  if (body.location) await moveInterviewToSite(session, after, new mongoose.Types.ObjectId(body.location));
  if (body.coordinates !== undefined) after.coordinates = body.coordinates;
  if (body.note !== undefined) after.note = body.note ?? undefined;
  if (clearFlags) after.flags = after.flags.filter((one) => !clearFlags.includes(one.code));
  const { flags: ofStatus, ...status } = statusHashFieldsOf(body.statusHash, actor.now);
  Object.assign(after, status, { flags: [...after.flags, ...ofStatus] });
  if (clearFlags?.includes('POSSIBLE_REPEAT')) after.repeat = undefined;
  const linkedRecruits = body.issuedCodes ? await addLateCodes(session, after, body.issuedCodes, actor) : [];
  applyAnswersToRecord(after, body, { ...answerChange, now: actor.now });
  await issueMissingCodes(session, before, after, actor.now);
  const ignoreDates = mayIgnoreCouponDates(actor, before, reason);
  const movedRecruits = code ? await setSurveyReferralCode(session, after, code, { actor, ignoreDates }) : [];
  const hashes = await identityHashesToStore(session, before, body, {
    ...answerChange,
    identityKey: config.identityKey,
  });
  const contactChange = await changeContact(session, after, body.contact, { config, now: actor.now });
  const detected = await detectRepeat(session, after, {
    hashes,
    counted: isUndeletedInSample(before),
    isFinal: before.status === 'COMPLETED',
    now: actor.now,
  });
  const isCleared = before.repeat !== undefined && after.repeat === undefined;
  after.repeat = detected.repeat;
  const settle = await prepareIncentives(session, actor, {
    before,
    after,
    affected: [...linkedRecruits, ...movedRecruits],
    handedOver: body.incentive,
  });
  const written = await write(session, actor, {
    ...{ before, after, hasNewIdentityAnswers: detected.hasNewIdentityAnswers },
    ...{ isCleared, reason, contactChange },
  });
  await settle();
  return written;
}

/** Flags what was handed over although it wasn't due. The returned function is called once the survey is stored. */
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
  const isUnaffected =
    isCompletedParticipation(before) === isCompletedParticipation(after) &&
    String(before.recruiter) === String(after.recruiter) &&
    before.lateCodes === after.lateCodes &&
    before.heldAt.getTime() === after.heldAt.getTime() &&
    affected.length === 0;
  if (isUnaffected && !handedOver) return async () => {};
  const study = await loadStudy(session);
  const handed = handedOver && recordIncentiveHandOver(after, handedOver, { study, now, by });
  if (handed) after.flags = [...after.flags, ...handed.flags];
  return async () =>
    await updateOwedIncentives(
      session,
      study,
      [after._id, after.recruiter, ...affected],
      { by, now },
      { paid: handed?.paid },
    );
}

interface WriteOptions {
  before: SurveyRecord;
  after: SurveyRecord;
  /** Whether the identity answers changed. Their values aren't known. */
  hasNewIdentityAnswers: boolean;
  /** Whether POSSIBLE_REPEAT was cleared, even if it was set again since. */
  isCleared: boolean;
  reason: string | undefined;
  /** The audit entry that the number for texts was changed or deleted, without the number. */
  contactChange: AuditedFieldChange[];
}

async function write(
  session: ClientSession,
  actor: Actor,
  { before, after, hasNewIdentityAnswers, isCleared, reason, contactChange }: WriteOptions,
): Promise<SurveyRecord> {
  const hasOtherAnswers =
    hasNewIdentityAnswers ||
    changesOf({ responses: before.responses }, { responses: after.responses }).length > 0;
  if (hasOtherAnswers) after.review = reviewAfterChange(before.review, actor.user._id);
  const cleared = { ...before, repeat: isCleared ? undefined : before.repeat };
  const changes = [
    ...changesOf(toAuditFields(before), toAuditFields(cleared)),
    ...changesOf(toAuditFields(cleared), toAuditFields(after)),
    ...interviewerNoteChanges(before, after),
    ...contactChange,
  ];
  if (hasNewIdentityAnswers) changes.push({ path: 'clues', before: null, after: 'CHANGED' });
  if (changes.length === 0) return before;
  // A change that waited for another one gets a later time, even if its request came first.
  const at = new Date(Math.max(before.updatedAt.getTime(), actor.now.getTime()));
  // A change to only the restricted field must not be visible to others.
  if (changes.some(({ path }) => path !== REPEAT_FIELD_RESTRICTION.path)) {
    after.updatedAt = at;
    after.version = before.version + 1;
  }
  const { _id, takesPart, repeat, review, note, ...fields } = after;
  const rare = { takesPart, repeat, review, note };
  const $set = { ...fields, ...definedFields(rare) };
  const unset = Object.entries(rare).flatMap(([name, value]) => (value === undefined ? [[name, '']] : []));
  const $unset = unset.length > 0 ? { $unset: Object.fromEntries(unset) as object } : {};
  await SurveyModel.collection.updateOne({ _id }, { $set, ...$unset } as never, { session });
  const event = { action: 'update', subject: 'Survey', record: _id, location: after.location } as const;
  await audit(session, { by: actor.user._id, now: at }, { ...event, changes, reason });
  return after;
}
