/**
 * Checks before an interview whether someone with these identity answers was interviewed before. This reveals it to anyone
 * who knows a person's answers, so the study has to allow it, checks are limited per day, and the audit trail records who
 * asked (but not the answers).
 */
import { audit } from '../../../platform/audit/model.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { countAgainstLimit, type RateLimit } from '../../../platform/http/limits/rate-limits.ts';
import { fieldError } from '../../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../../platform/http/problems/problem.ts';
import { type Actor, authorFromActor } from '../../../platform/rights/actor.ts';
import { requireQuestionnaire } from '../../../questionnaires/model.ts';
import { loadRounds } from '../../../study/rounds/model.ts';
import { roundAt } from '../../../study/rounds/spans.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import type { RepeatCheckRequest, RepeatCheckResult } from '../schema.ts';
import { hashIdentityAnswers } from './identity-hashes.ts';
import { findRepeatMatch } from './repeat-detection.ts';

const CHECK_LIMIT: RateLimit = { name: 'repeat-check', points: 30, duration: 86_400 };

export async function checkRepeatInterview(
  actor: Actor,
  { questionnaire, clues }: RepeatCheckRequest,
  { identityKey, rateLimits }: { identityKey: string; rateLimits: boolean },
): Promise<RepeatCheckResult> {
  const { repeatCheck, reEnrolAfterDays } = await loadStudy();
  if (!repeatCheck) throw problem('FORBIDDEN');
  const asking = await requireQuestionnaire(questionnaire);
  const names = asking.identityQuestions ?? [];
  if (names.length === 0) throw invalidFieldProblem('questionnaire', 'NO_CLUES');
  const errors = Object.keys(clues)
    .filter((name) => !names.includes(name))
    .map((name) => fieldError(`clues.${name}`, 'NO_QUESTION'));
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors: errors.slice(0, 100) });
  if (rateLimits) await countAgainstLimit(CHECK_LIMIT, actor.user._id.toHexString());
  const hashes = hashIdentityAnswers(asking, clues, identityKey) ?? [];
  return await inTransaction(async (session) => {
    const { round } = roundAt(await loadRounds(session), actor.now);
    const match = await findRepeatMatch(session, hashes, { round, heldAt: actor.now, reEnrolAfterDays });
    const event = { action: 'check', subject: 'Questionnaire', record: asking._id } as const;
    await audit(session, authorFromActor(actor), event);
    return { match: match?.strength ?? 'NONE' };
  }, actor.deadline);
}
