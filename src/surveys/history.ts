/** What was changed in a survey, the oldest first: read while it is sent, since nothing bounds how often one is changed. */
import { changesKnown } from '../audit/apart.ts';
import { AuditEvents } from '../audit/model.ts';
import type { NamesOf } from '../audit/names.ts';
import type { Actor } from '../rights/actor.ts';
import { withClearedCopies } from './copies.ts';
import type { SurveyRecord } from './model.ts';
import { mayKnowRepeat, REPEAT } from './repeat.ts';

/** A change of all answers tells them twice, and has two megabytes. */
const READ_AHEAD = 2;

export async function* historyOf(actor: Actor, record: SurveyRecord, namesOf: NamesOf) {
  const survey = record._id;
  const events = AuditEvents.collection
    .find({ record: survey, action: 'update' })
    .sort({ createdAt: 1, _id: 1 })
    .batchSize(READ_AHEAD);
  const known = new Map();
  for await (const { createdAt: at, by, reason, changes } of events) {
    const shown = [];
    const told = changesKnown({ changes, reason }, REPEAT, () => mayKnowRepeat(actor, record));
    for (const change of told.changes) shown.push(await withClearedCopies(survey, change));
    // All that was changed is not for this reader.
    if (shown.length === 0 && changes.length > 0) continue;
    const [names] = await namesOf(actor, [{ by, record: survey, changes: shown }], known);
    yield { at, by, reason: told.reason, changes: shown, names };
  }
}
