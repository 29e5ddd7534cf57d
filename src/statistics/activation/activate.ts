import type { Types } from 'mongoose';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import type { Author } from '../../platform/rights/actor.ts';
import { activateQuestionnaire } from '../../questionnaires/change.ts';
import type { QuestionnaireRecord } from '../../questionnaires/model.ts';
import { activationImpact } from './impact.ts';

interface Activation {
  /** Activate even if something is lost. */
  confirm: boolean;
  /** Throws if the caller may not do this. */
  allow?: (questionnaire: QuestionnaireRecord) => void;
}

/**
 * 409 with the consequences for each outcome, if something would be lost and that isn't confirmed. Checked while no
 * other version can be activated or added, so that the result is still valid when this one becomes active.
 */
export async function activateVersion(
  id: Types.ObjectId,
  author: Author,
  { confirm, allow = () => {} }: Activation,
): Promise<QuestionnaireRecord> {
  return await activateQuestionnaire(id, author, async (questionnaire) => {
    allow(questionnaire);
    if (!confirm && !questionnaire.active) await requireConfirmationIfLost(id.toHexString());
  });
}

async function requireConfirmationIfLost(id: string): Promise<void> {
  const { needsConfirm, outcomes, counts, networkSize, eligibility } = await activationImpact(id);
  if (!needsConfirm) return;
  const changes = outcomes.map(({ name, change, interviews }) => ({ name, change, interviews }));
  throw problem('INVALID_TRANSITION', {
    why: { ...fault('ACTIVATION_LOSES'), params: { networkSize, eligibility } },
    lists: { outcomes: changes, counts },
  });
}
