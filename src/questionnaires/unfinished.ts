/** What may be stored of an interview that is under way: little, and nothing that no question writes. */
import { Model } from 'survey-core';
import { type FieldError, problem } from '../http/problem.ts';
import { keysOf } from './answer-shown.ts';
import { jsonCopy } from './definition.ts';
import { quietly } from './quietly.ts';

/** Many times what a long interview has, so that lists of unfinished ones stay small whoever fills them. */
export const UNFINISHED_BYTES = 100_000;
const KEPT = 20;

/** By id: a questionnaire's definition never changes. The least recently used goes first. */
const known = new Map<string, ReadonlySet<string>>();

function keysByQuestionnaire({ id, definition }: { id: string; definition: object }): ReadonlySet<string> {
  const keys = known.get(id) ?? quietly(() => keysOf(new Model(jsonCopy(definition))));
  known.delete(id);
  known.set(id, keys);
  const oldest = known.keys().next().value;
  if (known.size > KEPT && oldest !== undefined) known.delete(oldest);
  return keys;
}

/** 413 where the answers are too many, 400 where one is of no question. What they say is judged at completion. */
export function requireUnfinished(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
): void {
  if (Buffer.byteLength(JSON.stringify(responses)) > UNFINISHED_BYTES) {
    throw problem('TOO_LARGE', {
      message: `Answers of an unfinished interview may have ${UNFINISHED_BYTES} bytes of JSON at most.`,
    });
  }
  const keys = keysByQuestionnaire(questionnaire);
  const errors = Object.keys(responses)
    .filter((key) => !keys.has(key))
    .map(
      (key): FieldError => ({ path: `responses.${key}`, message: 'The questionnaire has no such question.' }),
    );
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors: errors.slice(0, 100) });
}
