/**
 * Identity answers ("clues") identify a person who was interviewed before. They are never stored, only keyed hashes: of
 * all of them together, and of all but each one, so that a single mistake doesn't hide a match. There are few dates of
 * birth and initials, so anyone with the key could guess them; the key must never be stored with the hashes.
 */
import { createHmac } from 'node:crypto';
import {
  isIdentifyingAnswer,
  normalizeIdentityAnswer,
} from '../../../questionnaires/definition/identity-answers.ts';
import type { QuestionnaireRecord } from '../../../questionnaires/model.ts';

type Answers = Record<string, unknown>;
export type HasIdentityQuestions = Pick<QuestionnaireRecord, 'identityQuestions'>;

/**
 * The first one is of all answers. If one answer was skipped, there is only the hash of the others; if two were, none.
 */
export type IdentityHashes = string[];

/** The answers that may be stored. */
export function removeIdentityAnswers(
  { identityQuestions }: HasIdentityQuestions,
  responses: Answers,
): Answers {
  if (!identityQuestions?.length) return responses;
  const dropped = new Set(identityQuestions.flatMap((name) => [name, `${name}-Comment`]));
  return Object.fromEntries(Object.entries(responses).filter(([key]) => !dropped.has(key)));
}

/** Null if the answers contain no identity question at all. */
export function hashIdentityAnswers(
  { identityQuestions }: HasIdentityQuestions,
  responses: Answers,
  key: string,
): IdentityHashes | null {
  const names = [...(identityQuestions ?? [])].sort();
  if (!names.some((name) => Object.hasOwn(responses, name))) return null;
  const all = names.map((name) => [name, normalizeIdentityAnswer(responses[name])] as const);
  const answers = all.filter(([, value]) => isIdentifyingAnswer(value));
  const hash = (pairs: typeof answers) =>
    createHmac('sha256', key).update(JSON.stringify(pairs)).digest('base64url');
  if (answers.length < all.length - 1) return [];
  if (answers.length < all.length) return [hash(answers)];
  return [hash(answers), ...answers.map((one) => hash(answers.filter((other) => other !== one)))];
}

/** Whether all answers are the same, for two people who share at least one hash. */
export const haveSameIdentityAnswers = (one: IdentityHashes, other: IdentityHashes): boolean =>
  one.length > 1 && other.length > 1 && one[0] === other[0];
