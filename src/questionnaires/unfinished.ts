/** What may be stored of an interview that is under way: little, and nothing that no question writes. */
import { fault, fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { answerKeysOf, TOO_SLOW } from './judge.ts';

/** Many times what a long interview has, so that lists of unfinished ones stay small whoever fills them. */
export const UNFINISHED_BYTES = 100_000;
const KEPT = 20;

/** By id: a questionnaire's definition never changes. The least recently used goes first. */
const known = new Map<string, ReadonlySet<string>>();

async function keysByQuestionnaire(questionnaire: {
  id: string;
  definition: object;
}): Promise<ReadonlySet<string>> {
  const { id, definition } = questionnaire;
  let keys = known.get(id);
  if (!keys) {
    const names = await answerKeysOf(definition);
    if (!names) throw problem('VALIDATION_ERROR', { errors: TOO_SLOW });
    keys = new Set(names);
  }
  known.delete(id);
  known.set(id, keys);
  const oldest = known.keys().next().value;
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return keys;
}

/** 413 where the answers are too many, 400 where one is of no question. What they say is judged at completion. */
export async function requireUnfinished(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(responses)) > UNFINISHED_BYTES) {
    throw problem('TOO_LARGE', {
      why: fault('UNFINISHED_TOO_LARGE', { most: UNFINISHED_BYTES }),
    });
  }
  const keys = await keysByQuestionnaire(questionnaire);
  const errors = Object.keys(responses)
    .filter((key) => !keys.has(key))
    .map((key) => fieldError(`responses.${key}`, 'NO_QUESTION'));
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors: errors.slice(0, 100) });
}
