/** Limits what is stored of an unfinished interview: its size, and only keys that the questionnaire has. */
import { fault, fieldError } from '../platform/http/problems/error-codes.ts';
import { problem } from '../platform/http/problems/problem.ts';
import { computeOnce, LruCache } from '../platform/lib/lru-cache.ts';
import { ANSWERS_TOO_SLOW_ERRORS, answerKeysOf } from './validator/validator.ts';

/** Many times the size of a long interview. Keeps lists of unfinished interviews small, whatever is sent. */
export const MAX_UNFINISHED_ANSWERS_BYTES = 100_000;

/** By id: a questionnaire's definition never changes. Null if computing the keys takes too long. */
const cache = new LruCache<Promise<ReadonlySet<string> | null>>(20);

/** 503 if the machine is busy; 400 only for old versions, stored before definitions had a cost limit. */
async function keysByQuestionnaire(
  { id, definition }: { id: string; definition: object },
  by: string | undefined,
): Promise<ReadonlySet<string>> {
  const keys = await computeOnce(cache, id, async () => {
    const names = await answerKeysOf(definition, by);
    return names && new Set(names);
  });
  if (!keys) throw problem('VALIDATION_ERROR', { errors: ANSWERS_TOO_SLOW_ERRORS });
  return keys;
}

/** 413 if the answers are too large, 400 if a key belongs to no question. Values are validated on completion. */
export async function checkUnfinishedAnswers(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
  by?: string,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(responses)) > MAX_UNFINISHED_ANSWERS_BYTES) {
    throw problem('TOO_LARGE', {
      why: fault('UNFINISHED_TOO_LARGE', { most: MAX_UNFINISHED_ANSWERS_BYTES }),
    });
  }
  const keys = await keysByQuestionnaire(questionnaire, by);
  const errors = Object.keys(responses)
    .filter((key) => !keys.has(key))
    .map((key) => fieldError(`responses.${key}`, 'NO_QUESTION'));
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors: errors.slice(0, 100) });
}
