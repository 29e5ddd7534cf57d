/**
 * Identity clues: answers by which a person who was here before is known again, and which are never stored. What is left
 * of them are keyed hashes: of all together, and of all but one for each, so that one slip of the pen does not hide a
 * match. There are few dates of birth and few initials: whoever has the key finds the clues by trying, so that the key
 * is never where the hashes are.
 */
import { createHmac } from 'node:crypto';
import { isClueGiven, normalised } from '../questionnaires/clues.ts';
import type { QuestionnaireRecord } from '../questionnaires/model.ts';

type Answers = Record<string, unknown>;
export type Asking = Pick<QuestionnaireRecord, 'identityQuestions'>;

/** The first is of all; of who skipped one there is one, without it; of who skipped two there is none. */
export type Hashes = string[];

/** What may be stored of the answers. */
export function keptAnswers({ identityQuestions }: Asking, responses: Answers): Answers {
  if (!identityQuestions?.length) return responses;
  const dropped = new Set(identityQuestions.flatMap((name) => [name, `${name}-Comment`]));
  return Object.fromEntries(Object.entries(responses).filter(([key]) => !dropped.has(key)));
}

/** Null where the answers name none of them: then nothing is said about them. */
export function hashesOf({ identityQuestions }: Asking, responses: Answers, key: string): Hashes | null {
  const names = [...(identityQuestions ?? [])].sort();
  if (!names.some((name) => Object.hasOwn(responses, name))) return null;
  const all = names.map((name) => [name, normalised(responses[name])] as const);
  const given = all.filter(([, value]) => isClueGiven(value));
  const hash = (pairs: typeof given) =>
    createHmac('sha256', key).update(JSON.stringify(pairs)).digest('base64url');
  if (given.length < all.length - 1) return [];
  if (given.length < all.length) return [hash(given)];
  return [hash(given), ...given.map((one) => hash(given.filter((other) => other !== one)))];
}

/** Whether all clues are alike, of two whose hashes have at least one in common. */
export const areExact = (one: Hashes, other: Hashes): boolean =>
  one.length > 1 && other.length > 1 && one[0] === other[0];
