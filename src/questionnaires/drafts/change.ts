import mongoose, { type Types } from 'mongoose';
import { inTransaction, lockInTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { findRecord, parseId } from '../../platform/rights/guard.ts';
import { QuestionnaireModel } from '../model.ts';
import { MAX_QUESTIONNAIRE_DRAFTS, QuestionnaireDraftModel, type QuestionnaireDraftRecord } from './model.ts';
import type { QuestionnaireDraftCreate, QuestionnaireDraftPatch } from './schema.ts';

export interface DraftAuthor {
  by: Types.ObjectId;
  now: Date;
  deadline?: number | undefined;
}

/** Changes to drafts aren't audited: a draft is saved every few seconds, and the version made from it has an event. */
export async function createQuestionnaireDraft(
  { base = null, ...content }: QuestionnaireDraftCreate,
  { by, now, deadline }: DraftAuthor,
): Promise<QuestionnaireDraftRecord> {
  const draft: QuestionnaireDraftRecord = {
    _id: new mongoose.Types.ObjectId(),
    base: base === null ? null : new mongoose.Types.ObjectId(base),
    ...content,
    version: 1,
    createdBy: by,
    createdAt: now,
    updatedBy: by,
    updatedAt: now,
  };
  await inTransaction(async (session) => {
    // So that two concurrent requests can't exceed the limit.
    await lockInTransaction(session, 'questionnaire-drafts');
    if (
      draft.base &&
      !(await QuestionnaireModel.exists({ _id: draft.base, deletedAt: null }).session(session))
    )
      throw invalidFieldProblem('base', 'NO_QUESTIONNAIRE');
    const storedDrafts = await QuestionnaireDraftModel.find({}, { _id: 1 })
      .sort({ createdAt: -1, _id: -1 })
      .limit(MAX_QUESTIONNAIRE_DRAFTS)
      .session(session)
      .lean();
    if (storedDrafts.length >= MAX_QUESTIONNAIRE_DRAFTS)
      throw problem('INVALID_TRANSITION', {
        why: fault('TOO_MANY_DRAFTS', { most: MAX_QUESTIONNAIRE_DRAFTS }),
      });
    await QuestionnaireDraftModel.collection.insertOne(draft, { session });
  }, deadline);
  return draft;
}

/** `version`: the one that the caller has seen; null skips the check. */
export async function updateDraft(
  id: string,
  version: number | null,
  content: QuestionnaireDraftPatch,
  { by, now }: DraftAuthor,
): Promise<QuestionnaireDraftRecord> {
  const changedDraft = await QuestionnaireDraftModel.findOneAndUpdate(
    { _id: parseId(id), ...(version === null ? {} : { version }) },
    { $set: { ...content, updatedBy: by, updatedAt: now }, $inc: { version: 1 } },
    { returnDocument: 'after' },
  ).lean<QuestionnaireDraftRecord>();
  return changedDraft ?? (await throwConflict(id));
}

export async function deleteQuestionnaireDraft(id: string, version: number | null): Promise<void> {
  const { deletedCount } = await QuestionnaireDraftModel.deleteOne({
    _id: parseId(id),
    ...(version === null ? {} : { version }),
  });
  if (deletedCount === 0) await throwConflict(id);
}

/** 404 if the draft does not exist, otherwise 409, because it has another version. */
async function throwConflict(id: string): Promise<never> {
  await findRecord(QuestionnaireDraftModel, id);
  throw problem('EDIT_CONFLICT');
}
