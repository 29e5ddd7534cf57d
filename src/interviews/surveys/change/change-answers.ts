/**
 * The answers of a changed survey: validated, stored with the fields derived from them, and hashed if they identify the
 * person.
 */

import type { ClientSession } from 'mongoose';
import { SeedModel } from '../../../coupons/seeds/model.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import {
  type CameWithCouponValue,
  usesCouponVariable,
} from '../../../questionnaires/definition/coupon-variable.ts';
import { hasEnoughIdentityAnswers } from '../../../questionnaires/definition/identity-answers.ts';
import { type QuestionnaireRecord, requireQuestionnaire } from '../../../questionnaires/model.ts';
import { deriveSurveyFields } from '../../../questionnaires/network-size.ts';
import { requireValidAnswers } from '../answers.ts';
import { interviewEnd } from '../interview-times.ts';
import type { SurveyRecord } from '../model.ts';
import { loadIdentityHashes } from '../repeats/identities.ts';
import { hashIdentityAnswers } from '../repeats/identity-hashes.ts';
import type { SurveyPatch } from '../schema.ts';
import type { SurveyStorageConfig } from '../submit/submission-author.ts';
import { isCompletingChange } from './load-for-change.ts';

/** Null if no answers are sent or become final. */
export interface ValidatedAnswers {
  questionnaire: QuestionnaireRecord | null;
  responses: SurveyRecord['responses'] | null;
}

/**
 * Errors of the request itself, which are reported before conflicts with the record's state. Returns the questionnaire if
 * answers are sent or become final.
 */
export async function requireValidAnswerChange(
  before: SurveyRecord,
  body: SurveyPatch,
  { user, now, zone, deadline }: Pick<Actor, 'user' | 'now' | 'zone' | 'deadline'>,
): Promise<ValidatedAnswers> {
  const answers = isCompletingChange(before, body) || body.responses !== undefined;
  if (!answers && body.takesPart === undefined) return { questionnaire: null, responses: null };
  const questionnaire = await requireQuestionnaire(before.questionnaire.toHexString());
  const isCompleted = answers && (isCompletingChange(before, body) || before.status === 'COMPLETED');
  const values = body.responses ?? (isCompleted ? before.responses : {});
  const at = isCompletingChange(before, body) ? now : interviewEnd(before);
  const came = await cameWithCoupon(before, questionnaire.definition);
  const interview = { at, again: now, zone, came, by: user._id.toHexString() };
  const responses = await requireValidAnswers(
    questionnaire,
    isCompleted ? 'COMPLETED' : 'IN_PROGRESS',
    values,
    interview,
    deadline,
  );
  return { questionnaire, responses: answers ? responses : null };
}

/** Undefined if the interview has no place in the tree. */
async function cameWithCoupon(
  { seed, wave }: SurveyRecord,
  definition: object,
): Promise<CameWithCouponValue | undefined> {
  if (seed === null || !usesCouponVariable(definition)) return undefined;
  return wave === 0 && (await SeedModel.exists({ _id: seed, kind: 'WALK_IN' })) ? 'no' : 'yes';
}

export function applyAnswersToRecord(
  after: SurveyRecord,
  body: SurveyPatch,
  { questionnaire, responses, now }: ValidatedAnswers & { now: Date },
): void {
  if (responses) after.responses = responses;
  if (isCompletingChange(after, body)) {
    after.status = 'COMPLETED';
    after.completedAt = now;
  }
  const consented = body.takesPart ?? after.takesPart !== false;
  if (!questionnaire) return;
  const { networkSize, takesPart } = deriveSurveyFields(questionnaire, after, consented);
  if (body.responses) after.networkSize = networkSize;
  after.takesPart = takesPart;
}

/** Empty identity answers are ignored in a change, so that a person doesn't become harder to recognize. */
export async function identityHashesToStore(
  session: ClientSession,
  { _id }: SurveyRecord,
  { responses }: SurveyPatch,
  {
    questionnaire,
    identityKey,
  }: Pick<ValidatedAnswers, 'questionnaire'> & Pick<SurveyStorageConfig, 'identityKey'>,
) {
  const clues =
    questionnaire && responses ? hashIdentityAnswers(questionnaire, responses, identityKey) : null;
  const saysAll = hasEnoughIdentityAnswers(
    (questionnaire?.identityQuestions ?? []).map((name) => responses?.[name]),
  );
  const storedHashes = await loadIdentityHashes(session, _id);
  return clues?.length && (saysAll || clues.length >= storedHashes.length) ? clues : null;
}
