/**
 * Before an interview: was someone with these clues here? It tells that to whoever knows a person's clues, so that a
 * study allows it or not, each may ask a few times a day, and who asked is on record, never what.
 */
import { audit } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fieldError } from '../http/faults.ts';
import { consume, type Limit } from '../http/limits.ts';
import { fieldProblem, problem } from '../http/problem.ts';
import { requireQuestionnaire } from '../questionnaires/model.ts';
import type { Actor } from '../rights/actor.ts';
import { study as readStudy } from '../study/model.ts';
import { hashesOf } from './clues.ts';
import { alike } from './repeat.ts';
import type { RepeatCheck, RepeatChecked } from './schema.ts';

const CHECKS: Limit = { name: 'repeat-check', points: 30, duration: 86_400 };

export async function checkRepeat(
  actor: Actor,
  { questionnaire, clues }: RepeatCheck,
  { identityKey, rateLimits }: { identityKey: string; rateLimits: boolean },
): Promise<RepeatChecked> {
  const { repeatCheck } = await readStudy();
  if (!repeatCheck) throw problem('FORBIDDEN');
  const asking = await requireQuestionnaire(questionnaire);
  const names = asking.identityQuestions ?? [];
  if (names.length === 0) throw fieldProblem('questionnaire', 'NO_CLUES');
  const errors = Object.keys(clues)
    .filter((name) => !names.includes(name))
    .map((name) => fieldError(`clues.${name}`, 'NO_QUESTION'));
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors: errors.slice(0, 100) });
  if (rateLimits) await consume(CHECKS, actor.user._id.toHexString());
  const hashes = hashesOf(asking, clues, identityKey) ?? [];
  return await inTransaction(async (session) => {
    const found = await alike(session, hashes);
    await audit(session, {
      by: actor.user._id,
      action: 'check',
      subject: 'Questionnaire',
      record: asking._id,
      location: null,
      at: actor.now,
    });
    return { match: found?.strength ?? 'NONE' };
  });
}
