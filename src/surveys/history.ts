/** What was changed in a survey, the oldest first: read while it is sent, since nothing bounds how often one is changed. */
import type { Types } from 'mongoose';
import { AuditEvents } from '../audit/model.ts';
import type { NamesOf } from '../audit/names.ts';
import type { Actor } from '../rights/actor.ts';
import { withClearedCopies } from './copies.ts';

/** A change of all answers tells them twice, and has two megabytes. */
const READ_AHEAD = 2;

export async function* historyOf(actor: Actor, survey: Types.ObjectId, namesOf: NamesOf) {
  const events = AuditEvents.collection
    .find({ record: survey, action: 'update' })
    .sort({ createdAt: 1, _id: 1 })
    .batchSize(READ_AHEAD);
  const known = new Map();
  for await (const { createdAt: at, by, reason, changes } of events) {
    const shown = [];
    for (const change of changes) shown.push(await withClearedCopies(survey, change));
    const [names] = await namesOf(actor, [{ by, record: survey, changes: shown }], known);
    yield { at, by, reason, changes: shown, names };
  }
}
