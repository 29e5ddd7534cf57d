/** Comments on a survey, including those made with reviews. They are never edited. */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { audit } from '../../../platform/audit/model.ts';
import { schemaOptions } from '../../../platform/db/schema-options.ts';
import { inTransaction } from '../../../platform/db/transaction.ts';
import { loadRecordPage } from '../../../platform/http/lists/page.ts';
import { type Actor, authorFromActor } from '../../../platform/rights/actor.ts';
import { loadPermittedRecord } from '../../../platform/rights/guard.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { type CommentInput, type CommentQuery, ReviewState } from '../schema.ts';

interface CommentRecord {
  _id: Types.ObjectId;
  survey: Types.ObjectId;
  text: string;
  /** Null for an operator's command. */
  by: Types.ObjectId | null;
  /** The review's state, if the comment belongs to one. */
  state: ReviewState | null;
  createdAt: Date;
}

const schema = new Schema<CommentRecord>(
  {
    survey: { type: Schema.Types.ObjectId, ref: 'Survey', required: true },
    text: { type: String, required: true },
    by: { type: Schema.Types.ObjectId, ref: 'User' },
    state: { type: String, enum: ReviewState.options },
    createdAt: { type: Date, required: true },
  },
  schemaOptions('surveycomments'),
);
schema.index({ survey: 1, createdAt: -1, _id: -1 });
export const SurveyCommentModel = mongoose.model<CommentRecord>('SurveyComment', schema);

type NewComment = Omit<CommentRecord, '_id'>;

export async function storeComment(session: ClientSession, comment: NewComment): Promise<CommentRecord> {
  const record = { _id: new mongoose.Types.ObjectId(), ...comment };
  await SurveyCommentModel.collection.insertOne(record, { session });
  return record;
}

const toReply = ({ createdAt, ...comment }: CommentRecord) => ({ ...comment, at: createdAt });

export async function addComment(actor: Actor, id: string, { text }: Pick<CommentInput, 'text'>) {
  return await inTransaction(async (session) => {
    const { _id, location } = await loadPermittedRecord(actor, 'read', SurveyModel, id, session);
    // Conflicts with erasing the survey at the same time, so that one of them runs again. Nothing reads this field.
    // Written first, because concurrent comments conflict too.
    await SurveyModel.collection.updateOne({ _id }, { $inc: { commentsAdded: 1 } }, { session });
    const { by, now } = authorFromActor(actor);
    const comment = { survey: _id, text, by, state: null, createdAt: now };
    const changes = [{ path: 'comment', before: null, after: text }];
    const event = { action: 'update', subject: 'Survey', record: _id, location, changes } as const;
    await audit(session, { by, now }, event);
    return toReply(await storeComment(session, comment));
  }, actor.deadline);
}

export async function listComments({ _id: survey }: Pick<SurveyRecord, '_id'>, query: CommentQuery) {
  const comments = await loadRecordPage(SurveyCommentModel, { survey }, query);
  return { ...comments, data: comments.data.map(toReply) };
}
