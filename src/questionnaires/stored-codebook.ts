/** The codebook that is stored with a version (codebook.ts). */
import mongoose, { type Types } from 'mongoose';
import { computeOnce, LruCache } from '../platform/lib/lru-cache.ts';
import { type Codebook, makeCodebook } from './codebook.ts';
import { cachedQuestionnaire, QuestionnaireModel } from './model.ts';
import { codebookWithRenamedValues } from './renamed-values.ts';

/** If questions take their choices from each other, the codebook can be far larger than the form. */
const MAX_BYTES = 4 * 1024 * 1024;

/** The codebook to store. Null if it would be too large; it is then made again when needed. */
export const codebookToStore = (codebook: Codebook): Codebook | null =>
  mongoose.mongo.BSON.calculateObjectSize(codebook) <= MAX_BYTES ? codebook : null;

const codebookCache = new LruCache<Promise<Codebook>>(20);

/**
 * Null if there is no such version. If an older release of the service stored no codebook, it is made and stored now.
 */
export async function codebookOf(id: Types.ObjectId): Promise<Codebook | null> {
  const key = id.toHexString();
  return await computeOnce(codebookCache, key, async () =>
    codebookWithRenamedValues(await readCodebook(id)),
  ).catch((error: unknown) => {
    if (error instanceof NoVersion) return null;
    throw error;
  });
}

/** Thrown so that the cache doesn't store a missing version. */
class NoVersion extends Error {}

async function readCodebook(_id: Types.ObjectId): Promise<Codebook> {
  const document = await QuestionnaireModel.collection.findOne({ _id }, { projection: { codebook: 1 } });
  if (document?.codebook) return document.codebook;
  const questionnaire = await cachedQuestionnaire(_id);
  if (!questionnaire) throw new NoVersion();
  const codebook = await makeCodebook(questionnaire);
  await QuestionnaireModel.collection.updateOne({ _id, codebook: null } as object, {
    $set: { codebook: codebookToStore(codebook) },
  });
  return codebook;
}
