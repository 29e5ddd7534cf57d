/** What may be stored of an unfinished interview: a limited amount, and nothing that no question has. */
import { fault, fieldError } from '../platform/http/problems/error-codes.ts';
import { problem } from '../platform/http/problems/problem.ts';
import { computeOnce, LruCache } from '../platform/lib/lru-cache.ts';
import { answerKeysOf, TOO_SLOW_ERRORS } from './validator/validator.ts';

/** Many times what a long interview has, so that lists of unfinished ones stay small whoever fills them. */
export const MAX_UNFINISHED_BYTES = 100_000;

/** By id: a questionnaire's definition never changes. Null where it takes too long to tell. */
const cache = new LruCache<Promise<ReadonlySet<string> | null>>(20);

/** 503 where the machine is busy; 400 only for a version from before new ones were held to a cost. */
async function keysByQuestionnaire(
  { id, definition }: { id: string; definition: object },
  by: string | undefined,
): Promise<ReadonlySet<string>> {
  const keys = await computeOnce(cache, id, async () => {
    const names = await answerKeysOf(definition, by);
    return names && new Set(names);
  });
  if (!keys) throw problem('VALIDATION_ERROR', { errors: TOO_SLOW_ERRORS });
  return keys;
}

/** 413 where the answers are too many, 400 where one is of no question. What they say is judged at completion. */
export async function requireUnfinishedAnswers(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
  by?: string,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(responses)) > MAX_UNFINISHED_BYTES) {
    throw problem('TOO_LARGE', {
      why: fault('UNFINISHED_TOO_LARGE', { most: MAX_UNFINISHED_BYTES }),
    });
  }
  const keys = await keysByQuestionnaire(questionnaire, by);
  const errors = Object.keys(responses)
    .filter((key) => !keys.has(key))
    .map((key) => fieldError(`responses.${key}`, 'NO_QUESTION'));
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors: errors.slice(0, 100) });
}
