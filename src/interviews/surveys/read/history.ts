/** The changes to a survey, oldest first. Streamed, because their number is unlimited. */

import { AuditEventModel } from '../../../platform/audit/model.ts';
import type { FindEventRecordNames } from '../../../platform/audit/record-names.ts';
import { hideChangesFromReader } from '../../../platform/audit/restricted-changes.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import type { SurveyRecord } from '../model.ts';
import { maySeeRepeat, REPEAT_FIELD_RESTRICTION } from '../repeats/repeat-detection.ts';
import { withCopiesOfClearedFlags } from '../submit/second-copies.ts';

/** Small, because a change of all answers has two megabytes. */
const BATCH_SIZE = 2;

export async function* surveyHistory(actor: Actor, record: SurveyRecord, findNames: FindEventRecordNames) {
  const survey = record._id;
  const events = AuditEventModel.collection
    .find({ record: survey, action: { $in: ['update', 'erase'] } })
    .sort({ createdAt: 1, _id: 1 })
    .batchSize(BATCH_SIZE);
  const nameCache = new Map();
  for await (const { createdAt: at, by, action, reason, changes } of events) {
    const changesWithCopies = [];
    const visible = hideChangesFromReader({ changes, reason }, REPEAT_FIELD_RESTRICTION, () =>
      maySeeRepeat(actor, record),
    );
    for (const change of visible.changes)
      changesWithCopies.push(await withCopiesOfClearedFlags(survey, change));
    // The reader may see none of the changes.
    if (changesWithCopies.length === 0 && changes.length > 0) continue;
    const [names] = await findNames(actor, [{ by, record: survey, changes: changesWithCopies }], nameCache);
    yield {
      at,
      by,
      ...(action === 'erase' && { action }),
      reason: visible.reason,
      changes: changesWithCopies,
      names,
    };
  }
}
