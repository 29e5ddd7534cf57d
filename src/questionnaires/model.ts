import mongoose, { Schema, type Types } from 'mongoose';
import { createBatchedReader } from '../platform/db/batched-reads.ts';
import { schemaOptions } from '../platform/db/schema-options.ts';
import { fieldProblem } from '../platform/http/problems/problem.ts';
import { LruCache } from '../platform/lib/lru-cache.ts';
import { withNonresponseQuestion } from './answers/nonresponse.ts';
import type { Codebook } from './codebook.ts';

export interface QuestionnaireRecord {
  _id: Types.ObjectId;
  name: string;
  /** One more than the last of that name; a version never changes. */
  version: number;
  definition: Record<string, unknown>;
  networkSizeQuestion: string;
  /** Who takes part (eligibility.ts); absent of versions from before, and null where the sender says it. */
  takesPartIf?: string | null;
  /** Whose answers are never kept (identity-questions.ts); absent of versions from before, and null where there are none. */
  identityQuestions?: string[] | null;
  /** What its questions are to statistics (codebook.ts); only read where it is named. */
  codebook?: Codebook | null;
  /** True for one at most. */
  active: boolean;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<QuestionnaireRecord>(
  {
    name: String,
    version: Number,
    definition: Schema.Types.Mixed,
    networkSizeQuestion: String,
    takesPartIf: String,
    active: Boolean,
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: Date,
    deletedAt: Date,
  },
  schemaOptions('questionnaires'),
);
schema.add({
  identityQuestions: { type: [String], default: undefined },
  codebook: { type: Schema.Types.Mixed, select: false },
});
schema.index({ name: 1, version: -1 }, { name: 'version_once', unique: true });
schema.index({ active: 1 }, { name: 'one_active', unique: true, partialFilterExpression: { active: true } });
schema.index({ deletedAt: 1, createdAt: -1, _id: -1 });

export const Questionnaires = mongoose.model<QuestionnaireRecord>('Questionnaire', schema);

type Mutable = Pick<QuestionnaireRecord, '_id' | 'active' | 'deletedAt'>;

/** What can change of a version; the key is its id, or `active`. */
const current = createBatchedReader<string, Mutable>({
  collection: () => Questionnaires.collection,
  filter: (keys) => {
    const ids = keys.filter((key) => key !== 'active').map((id) => new mongoose.Types.ObjectId(id));
    const byId = { _id: { $in: ids } };
    if (!keys.includes('active')) return byId;
    return ids.length === 0 ? { active: true } : { $or: [byId, { active: true }] };
  },
  projection: { active: 1, deletedAt: 1 },
  keysOfRecord: ({ _id, active }) => [String(_id), ...(active ? ['active'] : [])],
});

/** Definitions are large and never change: each is read once. */
const definitions = new LruCache<QuestionnaireRecord>(20);

/** The version with this id, or the active one, as people are asked it: 400 at `questionnaire` where there is none. */
export async function requireQuestionnaire(id: string | undefined): Promise<QuestionnaireRecord> {
  const questionnaire = await current(id ?? 'active');
  const whole =
    questionnaire && !questionnaire.deletedAt ? await cachedQuestionnaire(questionnaire._id) : null;
  if (!questionnaire || !whole) throw fieldProblem('questionnaire', id ? 'NO_QUESTIONNAIRE' : 'NONE_ACTIVE');
  return { ...whole, active: questionnaire.active };
}

/** Of a stored interview, whatever became of it since. */
export async function questionnaireOf(
  id: Types.ObjectId,
): Promise<Pick<QuestionnaireRecord, '_id' | 'takesPartIf' | 'identityQuestions'>> {
  return (await cachedQuestionnaire(id)) ?? { _id: id };
}

export async function cachedQuestionnaire(id: Types.ObjectId): Promise<QuestionnaireRecord | null> {
  const cached = definitions.get(id.toHexString());
  if (cached) return cached;
  const record = await Questionnaires.findById(id).lean<QuestionnaireRecord>();
  if (!record) return null;
  const questionnaire = withNonresponseQuestion(record);
  definitions.set(id.toHexString(), questionnaire);
  return questionnaire;
}
