import type { Types } from 'mongoose';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { activateQuestionnaire } from '../../questionnaires/change.ts';
import type { QuestionnaireRecord } from '../../questionnaires/model.ts';
import { activationImpact } from './impact.ts';

interface Activation {
  /** Although something is lost. */
  confirm: boolean;
  /** Throws where this may not be done. */
  allow?: (questionnaire: QuestionnaireRecord) => void;
}

/**
 * 409 with what becomes of each outcome, where something is lost and that is not confirmed. Judged while no other version
 * can be activated or added, so that the answer still holds when this one becomes active.
 */
export async function activateVersion(
  id: Types.ObjectId,
  author: Author,
  { confirm, allow = () => {} }: Activation,
): Promise<QuestionnaireRecord> {
  return await activateQuestionnaire(id, author, async (questionnaire) => {
    allow(questionnaire);
    if (!confirm && !questionnaire.active) await requireNothingLost(id.toHexString());
  });
}

async function requireNothingLost(id: string): Promise<void> {
  const { needsConfirm, outcomes, counts, networkSize, eligibility } = await activationImpact(id);
  if (!needsConfirm) return;
  const changes = outcomes.map(({ name, change, interviews }) => ({ name, change, interviews }));
  throw problem('INVALID_TRANSITION', {
    why: { ...fault('ACTIVATION_LOSES'), params: { networkSize, eligibility } },
    lists: { outcomes: changes, counts },
  });
}
