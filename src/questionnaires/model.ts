import mongoose, { Schema, type Types } from 'mongoose';
import { createBatchedReader } from '../platform/db/batched-reads.ts';
import { schemaOptions } from '../platform/db/schema-options.ts';
import { invalidFieldProblem } from '../platform/http/problems/problem.ts';
import { LruCache } from '../platform/lib/lru-cache.ts';
import { withNoNetworkSizeReason } from './answers/nonresponse.ts';
import type { Codebook } from './codebook.ts';

export interface QuestionnaireRecord {
  _id: Types.ObjectId;
  name: string;
  /** One more than the last version of that name; a version never changes. */
  version: number;
  definition: Record<string, unknown>;
  networkSizeQuestion: string;
  /** The eligibility condition (eligibility.ts). Absent in old versions; null if the sender decides. */
  takesPartIf?: string | null;
  /**
   * Questions whose answers are never stored (identity-questions.ts). Absent in old versions; null if there are none.
   */
  identityQuestions?: string[] | null;
  /** What its questions mean for statistics (codebook.ts). Only loaded if the query asks for it. */
  codebook?: Codebook | null;
  /** True for at most one version. */
  active: boolean;
  createdBy: Types.ObjectId | null;
  createdAt: Date;
  deletedAt: Date | null;
}

const schema = new Schema<QuestionnaireRecord>(
  {
    name: { type: String, required: true },
    version: { type: Number, required: true },
    definition: { type: Schema.Types.Mixed, required: true },
    networkSizeQuestion: { type: String, required: true },
    takesPartIf: String,
    active: { type: Boolean, required: true },
    createdBy: { type: Schema.Types.ObjectId, ref: 'User' },
    createdAt: { type: Date, required: true },
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

export const QuestionnaireModel = mongoose.model<QuestionnaireRecord>('Questionnaire', schema);

type Mutable = Pick<QuestionnaireRecord, '_id' | 'active' | 'deletedAt'>;

/** The mutable fields of a version; the key is its id, or `active`. */
const current = createBatchedReader<string, Mutable>({
  collection: () => QuestionnaireModel.collection,
  filter: (keys) => {
    const ids = keys.filter((key) => key !== 'active').map((id) => new mongoose.Types.ObjectId(id));
    const byId = { _id: { $in: ids } };
    if (!keys.includes('active')) return byId;
    return ids.length === 0 ? { active: true } : { $or: [byId, { active: true }] };
  },
  projection: { active: 1, deletedAt: 1 },
  keysOfRecord: ({ _id, active }) => [String(_id), ...(active ? ['active'] : [])],
});

/** Definitions are large and never change, so each is read once and cached. */
const definitions = new LruCache<QuestionnaireRecord>(20);

/** The version with this id, or the active one, ready for new interviews. 400 at `questionnaire` if there is none. */
export async function requireQuestionnaire(id: string | undefined): Promise<QuestionnaireRecord> {
  const questionnaire = await current(id ?? 'active');
  const whole =
    questionnaire && !questionnaire.deletedAt ? await cachedQuestionnaire(questionnaire._id) : null;
  if (!questionnaire || !whole)
    throw invalidFieldProblem('questionnaire', id ? 'NO_QUESTIONNAIRE' : 'NONE_ACTIVE');
  return { ...whole, active: questionnaire.active };
}

/** The questionnaire of a stored interview, even if it was deleted since. */
export async function questionnaireOf(
  id: Types.ObjectId,
): Promise<Pick<QuestionnaireRecord, '_id' | 'takesPartIf' | 'identityQuestions'>> {
  return (await cachedQuestionnaire(id)) ?? { _id: id };
}

export async function cachedQuestionnaire(id: Types.ObjectId): Promise<QuestionnaireRecord | null> {
  const cached = definitions.get(id.toHexString());
  if (cached) return cached;
  const record = await QuestionnaireModel.findById(id).lean<QuestionnaireRecord>();
  if (!record) return null;
  const questionnaire = withNoNetworkSizeReason(record);
  definitions.set(id.toHexString(), questionnaire);
  return questionnaire;
}
