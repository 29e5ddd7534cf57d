/**
 * Imports interviews that their interviewer can no longer send. Each is stored separately, as if its owner had sent it
 * with FLAG, regardless of the owner's current role, site and approval.
 */
import mongoose from 'mongoose';
import { requireStorable } from '../../../platform/http/bodies/body.ts';
import { asProblem } from '../../../platform/http/problems/errors.ts';
import {
  invalidFieldProblem,
  PROBLEMS,
  type Problem,
  problem,
} from '../../../platform/http/problems/problem.ts';
import { problemWithoutAnswers } from '../../../platform/http/problems/send-problem.ts';
import { zodMessage } from '../../../platform/http/problems/zod-messages.ts';
import { isSealed } from '../../../platform/http/receipts.ts';
import { fieldErrors } from '../../../platform/http/route.ts';
import type { AgeKeyPair } from '../../../platform/lib/age/identity.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { requireRight } from '../../../platform/rights/guard.ts';
import { UserModel, type UserRecord } from '../../../study/users/model.ts';
import type { SurveyRecord } from '../model.ts';
import { type SurveyImport, type SurveyImportResult, SurveySubmission } from '../schema.ts';
import { openSubmission } from '../sealed/open-sealed.ts';
import type { SubmissionAuthor, SurveyStorageConfig } from '../submit/submission-author.ts';
import { storeOnce } from '../submit/submit.ts';

/** Room for two of the largest encrypted surveys. */
export const MAX_IMPORT_BYTES = 3 * 1024 * 1024;

const MAX_ERRORS = 10;

/** `unexpected` is called for internal errors; the other interviews are stored anyway. */
export async function importSurveys(
  actor: Actor,
  { owner, surveys }: SurveyImport,
  {
    config,
    fieldKeys,
    unexpected,
  }: { config: SurveyStorageConfig; fieldKeys: AgeKeyPair[]; unexpected: (error: unknown) => void },
): Promise<{ data: SurveyImportResult[] }> {
  if (!actor.ability.can('import', 'Survey')) throw problem('FORBIDDEN');
  const mayImport = (survey: SurveyRecord) => requireRight(actor, 'import', 'Survey', survey);
  const of = await loadImportOwner(owner);
  const sender: SubmissionAuthor = {
    owner: of._id,
    ownerSince: of.createdAt,
    by: actor.user._id,
    isImport: true,
    now: actor.now,
    deadline: actor.deadline,
    zone: actor.zone,
    config,
    mayStore: mayImport,
    mayReplay: mayImport,
  };
  const data: SurveyImportResult[] = [];
  // In order, because a recruiter's interview usually comes before those of its recruits.
  for (const survey of surveys) data.push(await importInterview(sender, survey, { fieldKeys, unexpected }));
  return { data };
}

/** A user, even if deleted. */
export async function loadImportOwner(id: string): Promise<Pick<UserRecord, '_id' | 'createdAt'>> {
  const owner = await UserModel.findById(new mongoose.Types.ObjectId(id), {
    createdAt: 1,
  }).lean<UserRecord>();
  if (!owner) throw invalidFieldProblem('owner', 'NO_USER');
  return owner;
}

type Body = SurveyImport['surveys'][number];

export async function importInterview(
  sender: SubmissionAuthor,
  body: Body,
  { fieldKeys, unexpected }: { fieldKeys: AgeKeyPair[]; unexpected(error: unknown): void },
): Promise<SurveyImportResult> {
  const { clientId } = body;
  try {
    requireStorable(body);
    const parsed = SurveySubmission.safeParse({ ...body, onCodeProblem: 'FLAG' }, { error: zodMessage });
    if (!parsed.success) throw problem('VALIDATION_ERROR', { errors: fieldErrors(parsed.error) });
    const { created, survey } = await storeOnce(sender, openSubmission(parsed.data, sender.owner, fieldKeys));
    return { clientId, status: created ? 201 : 200, id: survey._id, code: null, message: null };
  } catch (error) {
    const failure = asProblem(error);
    const refusal = isSealed(body) ? problemWithoutAnswers(failure) : failure;
    // The others would fail too. The import can be repeated, because stored interviews are recognized.
    if (refusal.name === 'UNAVAILABLE' && refusal.why?.code !== 'FIELD_KEY_UNKNOWN') throw error;
    if (refusal.name === 'INTERNAL') unexpected(error);
    return {
      clientId,
      status: refusal.status,
      id: null,
      code: PROBLEMS[refusal.name].wire ? refusal.name : null,
      message: oneLineMessage(refusal),
      ...(refusal.why && { reason: refusal.why.code }),
      ...(refusal.params && { params: refusal.params }),
      ...(refusal.errors && { errors: refusal.errors.slice(0, MAX_ERRORS) }),
    };
  }
}

/** The message, followed by the errors of individual answers. */
function oneLineMessage({ message, errors = [] }: Problem): string {
  const faults = errors.slice(0, MAX_ERRORS).map((one) => `${one.path}: ${one.message}`);
  return [message, ...faults].join(' ');
}
