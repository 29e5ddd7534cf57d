/** The same clientId again: what is stored, or, where other content came, a conflict that keeps both copies. */
import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { withoutCalculated } from '../questionnaires/calculated-names.ts';
import {
  definitionOf,
  type QuestionnaireRecord,
  questionnaireOf,
  requireQuestionnaire,
} from '../questionnaires/model.ts';
import { parseCode } from '../referral-codes/code.ts';
import { heldAtEnd, requireAnswers } from './answers.ts';
import { timesOf } from './clock.ts';
import { keptAnswers } from './clues.ts';
import { keepCopy } from './copies.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import type { SurveyCreate } from './schema.ts';
import type { Sender } from './sender.ts';

/**
 * The stored survey where the request is a replay; null where the clientId is new. A deleted one answers too, so that
 * a device can clear its outbox.
 */
export async function findReplay(sender: Sender, body: SurveyCreate): Promise<SurveyRecord | null> {
  if (!body.clientId) return null;
  const mine = { createdBy: sender.owner, clientId: body.clientId };
  const stored = await Surveys.findOne(mine).lean<SurveyRecord>();
  if (!stored) return null;
  const first = await questionnaireOf(stored.questionnaire);
  if (stored.requestHash === hashOf(body, first)) return stored;
  const asked = await askedOf(stored, body);
  const held = { at: heldAtEnd(timesOf(body, sender.now)), zone: sender.zone };
  await requireAnswers(asked, body.status, body.responses, held);
  // Clues of either version are kept in no copy.
  const own = withoutCalculated(asked.definition, body.responses);
  const responses = keptAnswers(asked, keptAnswers(first, own));
  const kept = await keep(sender, stored, { ...body, responses }, first);
  throw problem('EDIT_CONFLICT', { why: fault(kept ? 'COPY_KEPT' : 'COPY_NOT_KEPT') });
}

/** A copy is judged as a first one would be, so that none is kept that could not have been stored. */
async function askedOf({ questionnaire }: SurveyRecord, body: SurveyCreate): Promise<QuestionnaireRecord> {
  const named = body.questionnaire
    ? await definitionOf(new mongoose.Types.ObjectId(body.questionnaire))
    : null;
  return named ?? (await requireQuestionnaire(questionnaire.toHexString()));
}

async function keep(
  { by, now }: Sender,
  { _id: survey, location }: SurveyRecord,
  body: SurveyCreate,
  first: Parameters<typeof hashOf>[1],
): Promise<boolean> {
  const hash = hashOf(body, first);
  const flag = { code: 'SECOND_COPY' as const, referralCode: body.referralCode ?? null, at: now };
  const copy = JSON.parse(JSON.stringify(body)) as Record<string, unknown>;
  return await inTransaction(async (session) => {
    const outcome = await keepCopy(session, survey, { hash, copy, flag });
    if (outcome !== 'KEPT') return outcome === 'KNOWN';
    const changes = [{ path: 'flags', before: null, after: flag.code }];
    const event = { by, action: 'update', subject: 'Survey', record: survey, location } as const;
    await audit(session, { ...event, changes, at: now });
    return true;
  });
}

/** What was sent, independent of the order of keys and of how codes were spelt. `onCodeProblem` is no content. */
export function hashOf(
  body: SurveyCreate,
  questionnaire: Pick<QuestionnaireRecord, '_id' | 'takesPartIf' | 'identityQuestions'>,
): string {
  const { onCodeProblem: _, ...content } = body;
  // What is ignored is no content either: a later version of the app may say something else of the same interview.
  const saysWhoTakesPart = !questionnaire.takesPartIf && body.takesPart === false;
  const canonical = (text: string) => parseCode(text) ?? text;
  const normal = {
    ...content,
    // A hash without a key tells them to who tries all; so other clues alone make no other interview.
    responses: keptAnswers(questionnaire, body.responses),
    takesPart: saysWhoTakesPart ? false : undefined,
    questionnaire: body.questionnaire ?? questionnaire._id.toHexString(),
    referralCode: typeof body.referralCode === 'string' ? canonical(body.referralCode) : null,
    issuedCodes: body.issuedCodes.map(canonical),
  };
  return createHash('sha256').update(stable(normal)).digest('base64');
}

/** JSON with sorted keys; undefined and null fields are the same as absent ones. */
function stable(value: unknown): string {
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
