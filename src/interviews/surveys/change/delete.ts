import type { ClientSession } from 'mongoose';
import { audit, changesOf } from '../../../platform/audit/model.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { type Actor, type Author, authorFromActor } from '../../../platform/rights/actor.ts';
import { loadPermittedRecord, parseId, requireRight } from '../../../platform/rights/guard.ts';
import { loadStudy } from '../../../study/settings/model.ts';
import { toAuditFields } from '../audit-fields.ts';
import { isCompletedParticipation } from '../counted-interviews.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { detectRepeatOnReinstatement } from '../repeats/repeat-detection.ts';
import { updateOwedIncentives } from '../settle-incentives.ts';

/** Undoes a deletion, which didn't change the survey's place, code and seed. */
export async function restoreSurvey(actor: Actor, id: string): Promise<SurveyRecord> {
  return await inTransaction(async (session) => {
    const survey = await SurveyModel.findById(parseId(id)).session(session).lean<SurveyRecord>();
    if (!survey) throw problem('NOT_FOUND');
    requireRight(actor, 'delete', 'Survey', survey);
    if (!survey.deletedAt) return survey;
    const at = new Date(Math.max(survey.updatedAt.getTime(), actor.now.getTime()));
    const back = { ...survey, deletedAt: null, updatedAt: at };
    const repeat = await detectRepeatOnReinstatement(session, back, at);
    const fields = { deletedAt: null, updatedAt: at, ...(repeat && { repeat }) };
    await SurveyModel.collection.updateOne({ _id: survey._id }, { $set: fields }, { session });
    const changes = changesOf(toAuditFields(survey), toAuditFields({ ...survey, ...fields })).filter(
      ({ path }) => path !== 'updatedAt',
    );
    const author = { by: actor.user._id, now: at };
    const { _id: record, location } = survey;
    await audit(session, author, { action: 'update', subject: 'Survey', record, location, changes });
    await settleIfCounted(session, survey, author);
    return { ...survey, ...fields };
  }, actor.deadline);
}

/**
 * Soft delete: the tree below keeps its shape, the survey's code stays used, and the codes that it issued stay valid.
 */
export async function deleteSurvey(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    const survey = await loadPermittedRecord(actor, 'delete', SurveyModel, id, session);
    const { _id, location } = survey;
    await SurveyModel.collection.updateOne({ _id }, { $set: { deletedAt: actor.now } }, { session });
    const author = authorFromActor(actor);
    await audit(session, author, { action: 'delete', subject: 'Survey', record: _id, location });
    await settleIfCounted(session, survey, author);
  }, actor.deadline);
}

/** Only needed if the interview would count otherwise. */
async function settleIfCounted(session: ClientSession, survey: SurveyRecord, author: Author): Promise<void> {
  if (!isCompletedParticipation(survey)) return;
  await updateOwedIncentives(session, await loadStudy(session), [survey._id, survey.recruiter], author);
}
