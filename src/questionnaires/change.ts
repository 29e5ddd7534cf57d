import mongoose, { type Types } from 'mongoose';
import { audit } from '../platform/audit/model.ts';
import { inTransaction, lockInTransaction } from '../platform/db/transaction.ts';
import { violatedIndex } from '../platform/http/problems/errors.ts';
import { problem } from '../platform/http/problems/problem.ts';
import type { Author } from '../platform/rights/actor.ts';
import { type Codebook, makeCodebook } from './codebook.ts';
import { QuestionnaireModel, type QuestionnaireRecord } from './model.ts';
import type { QuestionnaireCreate } from './schema.ts';
import { DEFAULT_QUESTIONNAIRE } from './shipped/default-questionnaire.ts';
import { codebookToStore } from './stored-codebook.ts';
import { validateDefinition } from './validator/validator.ts';
import { withinDeadline } from './validator/within-deadline.ts';

/** Creates the next version of that name, not active. 400 with the faults of a bad definition. */
export async function createQuestionnaire(
  body: QuestionnaireCreate,
  { by, now, deadline }: Author,
): Promise<QuestionnaireRecord> {
  const codebook = await withinDeadline(codebookOfNew(body, by?.toHexString()), deadline);
  return await inTransaction(async (session) => {
    await lockInTransaction(session, 'questionnaires');
    const last = await QuestionnaireModel.findOne({ name: body.name }, { version: 1 })
      .sort({ version: -1 })
      .session(session)
      .lean();
    const questionnaire: QuestionnaireRecord = {
      _id: new mongoose.Types.ObjectId(),
      name: body.name,
      version: (last?.version ?? 0) + 1,
      definition: body.definition,
      networkSizeQuestion: body.networkSizeQuestion,
      takesPartIf: body.takesPartIf ?? null,
      identityQuestions: body.identityQuestions ?? null,
      codebook,
      active: false,
      createdBy: by,
      createdAt: now,
      deletedAt: null,
    };
    await QuestionnaireModel.collection.insertOne(questionnaire, { session });
    const event = { action: 'create', subject: 'Questionnaire', record: questionnaire._id } as const;
    await audit(session, { by, now }, event);
    return questionnaire;
  }, deadline);
}

async function codebookOfNew(body: QuestionnaireCreate, by?: string): Promise<Codebook | null> {
  const errors = await validateDefinition(body.definition, body, by);
  if (errors.length > 0) throw problem('VALIDATION_ERROR', { errors });
  // If it can't be made now, it is made when first needed.
  return await makeCodebook(body, by).then(codebookToStore, () => null);
}

/** Makes this version the one for new interviews. Interviews in progress keep theirs. */
export async function activateQuestionnaire(
  id: Types.ObjectId,
  author: Author,
  /** Throws if the caller may not do this. */
  allow: (questionnaire: QuestionnaireRecord) => void | Promise<void> = () => {},
): Promise<QuestionnaireRecord> {
  return await inTransaction(async (session) => {
    await lockInTransaction(session, 'questionnaires');
    const questionnaire = await QuestionnaireModel.findOne({ _id: id, deletedAt: null })
      .session(session)
      .lean<QuestionnaireRecord>();
    if (!questionnaire) throw problem('NOT_FOUND');
    await allow(questionnaire);
    if (questionnaire.active) return questionnaire;
    await QuestionnaireModel.collection.updateMany(
      { active: true },
      { $set: { active: false } },
      { session },
    );
    await QuestionnaireModel.collection.updateOne({ _id: id }, { $set: { active: true } }, { session });
    const changes = [{ path: 'active', before: false, after: true }];
    await audit(session, author, { action: 'update', subject: 'Questionnaire', record: id, changes });
    return { ...questionnaire, active: true };
  }, author.deadline);
}

/** Stores the included questionnaire if there is none yet. */
export async function createQuestionnaireIfMissing(now: Date): Promise<void> {
  if (await QuestionnaireModel.findOne({}, { _id: 1 }).lean()) return;
  try {
    await QuestionnaireModel.collection.insertOne({
      _id: new mongoose.Types.ObjectId(),
      ...DEFAULT_QUESTIONNAIRE,
      version: 1,
      active: true,
      createdBy: null,
      createdAt: now,
      deletedAt: null,
    });
  } catch (error) {
    if (violatedIndex(error) === null) throw error; // another process was faster
  }
}
