/** Questionnaire files for commands: read, checked, and stored as a new version if anything has changed. */

import type { Types } from 'mongoose';
import { parseInput } from '../platform/http/parse-input.ts';
import type { FieldError } from '../platform/http/problems/error-codes.ts';
import { problem } from '../platform/http/problems/problem.ts';
import { isDeepEqual } from '../platform/lib/objects/deep-equal.ts';
import { isPlainObject } from '../platform/lib/objects/plain-object.ts';
import { isRecordId } from '../platform/lib/record-id.ts';
import { createQuestionnaire } from './change.ts';
import { QuestionnaireModel, type QuestionnaireRecord } from './model.ts';
import { QuestionnaireCreate } from './schema.ts';
import { validateDefinition } from './validator/validator.ts';

export async function listQuestionnaires(): Promise<QuestionnaireRecord[]> {
  return await QuestionnaireModel.find({ deletedAt: null })
    .sort({ name: 1, version: -1 })
    .lean<QuestionnaireRecord[]>();
}

/** By id, `active`, a name (its last version), or a name and a version as `Winter count@2`. */
export async function findQuestionnaire(text: string): Promise<QuestionnaireRecord> {
  const [, name = text, version] = /^(.+)@(\d+)$/.exec(text) ?? [];
  const filter = isRecordId(text)
    ? { _id: text }
    : text === 'active'
      ? { active: true }
      : { name, ...(version ? { version: Number(version) } : {}) };
  const questionnaire = await QuestionnaireModel.findOne({ ...filter, deletedAt: null })
    .sort({ version: -1 })
    .lean<QuestionnaireRecord>();
  if (!questionnaire) throw problem('NOT_FOUND', { message: `The questionnaire ${text} doesn’t exist.` });
  return questionnaire;
}

/**
 * An exported questionnaire, or a bare SurveyJS form plus its name and network size question; `unnamed` is the name if
 * neither has one.
 */
export function parseQuestionnaireFile(
  text: string,
  overrides: { name?: string | undefined; networkSizeQuestion?: string | undefined },
  unnamed?: string,
): QuestionnaireCreate {
  const json = parse(text);
  const whole = typeof json.definition === 'object' && json.definition !== null;
  const fields = whole ? json : { definition: json, takesPartIf: null, identityQuestions: null };
  const name = overrides.name ?? fields.name ?? unnamed;
  const networkSizeQuestion = overrides.networkSizeQuestion ?? fields.networkSizeQuestion ?? 'networkSize';
  const { definition, takesPartIf, identityQuestions } = fields;
  return parseInput(QuestionnaireCreate, {
    name,
    definition,
    networkSizeQuestion,
    takesPartIf,
    identityQuestions,
  });
}

function parse(text: string): Record<string, unknown> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw problem('MALFORMED_JSON', { message: `The file is not JSON: ${(error as Error).message}` });
  }
  if (isPlainObject(json)) return json;
  throw problem('MALFORMED_JSON', { message: 'The file must contain one JSON object.' });
}

export async function questionnaireFaultsOf(body: QuestionnaireCreate): Promise<FieldError[]> {
  return await validateDefinition(body.definition, body);
}

/** If the file is identical to the last version of its name, that version is returned and no new one is stored. */
export async function importQuestionnaire(
  body: QuestionnaireCreate,
  doer: { by: Types.ObjectId | null; now: Date },
): Promise<{ questionnaire: QuestionnaireRecord; isNew: boolean }> {
  const last = await QuestionnaireModel.findOne({ name: body.name, deletedAt: null })
    .sort({ version: -1 })
    .lean<QuestionnaireRecord>();
  const isUnchanged =
    last !== null &&
    last.networkSizeQuestion === body.networkSizeQuestion &&
    (last.takesPartIf ?? null) === (body.takesPartIf ?? null) &&
    isDeepEqual(last.identityQuestions ?? null, body.identityQuestions ?? null) &&
    isDeepEqual(plain(last.definition), plain(body.definition));
  if (isUnchanged) return { questionnaire: last, isNew: false };
  return { questionnaire: await createQuestionnaire(body, doer), isNew: true };
}

const plain = (definition: object): unknown => JSON.parse(JSON.stringify(definition));
