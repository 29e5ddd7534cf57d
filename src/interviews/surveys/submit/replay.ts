/**
 * Handles a repeated clientId: returns the stored survey, or keeps a copy and reports a conflict if the content
 * differs.
 */
import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { plainCode } from '../../../coupons/referral-codes/code.ts';
import { audit } from '../../../platform/audit/model.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { fault } from '../../../platform/http/problems/error-codes.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { withoutCalculated } from '../../../questionnaires/answers/calculated-names.ts';
import {
  cachedQuestionnaire,
  type QuestionnaireRecord,
  questionnaireOf,
  requireQuestionnaire,
} from '../../../questionnaires/model.ts';
import { requireValidAnswers } from '../answers.ts';
import { correctedInterviewTimes, earliestPossibleStart, interviewEnd } from '../interview-times.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { removeIdentityAnswers } from '../repeats/identity-hashes.ts';
import type { SurveyCreate } from '../schema.ts';
import { type SurveyCopyOutcome, storeDifferingCopy } from './second-copies.ts';
import type { SubmissionAuthor } from './submission-author.ts';

/**
 * The stored survey if the request is a replay; null if the clientId is new. Also returns deleted surveys, so that the
 * device can clear its outbox.
 */
export async function findReplay(sender: SubmissionAuthor, body: SurveyCreate): Promise<SurveyRecord | null> {
  if (!body.clientId) return null;
  const mine = { createdBy: sender.owner, clientId: body.clientId };
  const stored = await SurveyModel.findOne(mine).lean<SurveyRecord>();
  if (!stored) return null;
  sender.mayReplay(stored);
  const first = await questionnaireOf(stored.questionnaire);
  if (stored.erasedAt || stored.requestHash === hashRequest(body, first)) return stored;
  const questionnaire = await questionnaireFor(stored, body);
  const { now, ownerSince, zone, by } = sender;
  const times = correctedInterviewTimes(
    body,
    now,
    earliestPossibleStart(now, [ownerSince, questionnaire.createdAt]),
  );
  const again = times.completedAt ?? times.startedAt;
  const interviewContext = { at: interviewEnd(times), again, zone, by: by?.toHexString() };
  await requireValidAnswers(questionnaire, body.status, body.responses, interviewContext, sender.deadline);
  // Remove the identity answers of both questionnaire versions.
  const own = withoutCalculated(questionnaire.definition, body.responses);
  const responses = removeIdentityAnswers(questionnaire, removeIdentityAnswers(first, own));
  const outcome = await storeSecondCopy(sender, stored, { ...body, responses }, first);
  if (outcome === 'ERASED') return await SurveyModel.findOne(mine).lean<SurveyRecord>();
  throw problem('EDIT_CONFLICT', { why: fault(outcome === 'FULL' ? 'COPY_NOT_KEPT' : 'COPY_KEPT') });
}

/** A copy is validated like a first submission, so that only valid ones are kept. */
async function questionnaireFor(
  { questionnaire }: SurveyRecord,
  body: SurveyCreate,
): Promise<QuestionnaireRecord> {
  const named = body.questionnaire
    ? await cachedQuestionnaire(new mongoose.Types.ObjectId(body.questionnaire))
    : null;
  return named ?? (await requireQuestionnaire(questionnaire.toHexString()));
}

async function storeSecondCopy(
  { by, now, deadline }: SubmissionAuthor,
  { _id: survey, location }: SurveyRecord,
  body: SurveyCreate,
  first: Parameters<typeof hashRequest>[1],
): Promise<SurveyCopyOutcome> {
  const hash = hashRequest(body, first);
  const flag = {
    code: 'SECOND_COPY' as const,
    referralCode: body.referralCode ? plainCode(body.referralCode) : null,
    at: now,
  };
  const { note: _, contact: __, statusHash: ___, ...readable } = body;
  const copy = JSON.parse(JSON.stringify(readable)) as Record<string, unknown>;
  return await inTransaction(async (session) => {
    const outcome = await storeDifferingCopy(session, survey, { hash, copy, flag });
    if (outcome !== 'KEPT') return outcome;
    const changes = [{ path: 'flags', before: null, after: flag.code }];
    const event = { action: 'update', subject: 'Survey', record: survey, location, changes } as const;
    await audit(session, { by, now }, event);
    return outcome;
  }, deadline);
}

/**
 * A hash of the request's content, independent of key order and spelling of codes; `onCodeProblem` and `statusHash` are
 * not content.
 */
export function hashRequest(
  body: SurveyCreate,
  questionnaire: Pick<QuestionnaireRecord, '_id' | 'takesPartIf' | 'identityQuestions'>,
): string {
  // There are so few phone numbers that one could be guessed from an unkeyed hash.
  const { onCodeProblem: _, contact: __, statusHash: ___, ...content } = body;
  // Omitted if it is ignored, because a later version of the app may send another value.
  const saysWhoTakesPart = !questionnaire.takesPartIf && body.takesPart === false;
  const normal = {
    ...content,
    // Without identity answers, because they could be guessed from an unkeyed hash.
    responses: removeIdentityAnswers(questionnaire, body.responses),
    takesPart: saysWhoTakesPart ? false : undefined,
    questionnaire: body.questionnaire ?? questionnaire._id.toHexString(),
    referralCode: typeof body.referralCode === 'string' ? plainCode(body.referralCode) : null,
    walkInCode: body.walkInCode === undefined ? undefined : plainCode(body.walkInCode),
    issuedCodes: body.issuedCodes.map(plainCode),
  };
  return createHash('sha256').update(stableJson(normal)).digest('base64');
}

/** JSON with sorted keys; undefined and null fields are treated as absent. */
function stableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    inner !== null && typeof inner === 'object' && !Array.isArray(inner)
      ? Object.fromEntries(
          Object.entries(inner)
            .filter(([, one]) => one !== undefined && one !== null)
            .sort(([a], [b]) => (a < b ? -1 : 1)),
        )
      : inner,
  );
}
