/** Deleting a survey, and undoing that. */
import { AuditEvents, audit, changesOf } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { problem } from '../http/problem.ts';
import { asSubject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { idOf, load } from '../rights/guard.ts';
import { told } from './change.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { REPEAT, recognise } from './repeat.ts';

/** Undoes a deletion; nothing to do where there was none. Place, code and seed had stayed as they were. */
export async function restoreSurvey(actor: Actor, id: string): Promise<SurveyRecord> {
  return await inTransaction(async (session) => {
    const found = await Surveys.findById(idOf(id)).session(session).lean<SurveyRecord>();
    if (!found) throw problem('NOT_FOUND');
    if (!actor.ability.can('delete', asSubject('Survey', { ...found }))) throw problem('FORBIDDEN');
    if (!found.deletedAt) return found;
    const at = new Date(Math.max(found.updatedAt.getTime(), actor.now.getTime()));
    const back = { ...found, deletedAt: null, updatedAt: at };
    const ofRepeat = { record: found._id, action: 'update', 'changes.path': REPEAT.path } as const;
    // Someone may have judged it: it is not asked again.
    const counted = (await AuditEvents.collection.findOne(ofRepeat, { session })) !== null;
    const { repeat } = await recognise(session, back, { hashes: null, counted, now: at });
    const fields = { deletedAt: null, updatedAt: at, ...(repeat && { repeat }) };
    await Surveys.collection.updateOne({ _id: found._id }, { $set: fields }, { session });
    const changes = changesOf(told(found), told({ ...found, ...fields })).filter(
      ({ path }) => path !== 'updatedAt',
    );
    const event = {
      by: actor.user._id,
      action: 'update' as const,
      subject: 'Survey' as const,
      record: found._id,
      location: found.location,
    };
    await audit(session, { ...event, changes, at });
    return { ...found, ...fields };
  });
}

/** Soft: the tree below keeps its shape, its code stays used, and the codes that it issued stay good. */
export async function deleteSurvey(actor: Actor, id: string): Promise<void> {
  await inTransaction(async (session) => {
    const { _id, location } = await load(actor, 'delete', Surveys, id, session);
    await Surveys.collection.updateOne({ _id }, { $set: { deletedAt: actor.now } }, { session });
    const event = { by: actor.user._id, action: 'delete', subject: 'Survey', record: _id, location } as const;
    await audit(session, { ...event, at: actor.now });
  });
}
