import mongoose from 'mongoose';
import type { AnyModel } from '../db/schema-options.ts';
import { createdWithin } from '../http/between.ts';
import { withinBudget } from '../http/budget.ts';
import { page } from '../http/page.ts';
import { type Route, route } from '../http/route.ts';
import type { Actor } from '../rights/actor.ts';
import { visible } from '../rights/guard.ts';
import { type AuditEventRecord, AuditEvents } from './model.ts';
import { AuditAction, AuditEvent, AuditList, AuditQuery, AuditSubject } from './schema.ts';

const small = withinBudget<AuditEventRecord>(AuditEvent);

/** `guarded`: records whose changes are shown to whoever may read the record. */
export const auditRoutes = (guarded: readonly AnyModel[]): Route[] => [
  route({
    method: 'get',
    path: '/api/audit',
    access: 'approved',
    tag: 'Audit',
    summary: 'Who did what when',
    description:
      'One event for each change, commands of operators included. What was changed in a survey is shown to whoever may read that survey. A page ends before 2 MiB of JSON, after one event at the least, so that `data` may be shorter than `limit` while `nextCursor` goes on.',
    query: AuditQuery,
    reply: { 200: AuditList },
    problems: ['FORBIDDEN'],
    handle: async ({ actor, query }) => {
      const { by, record, subject, action } = query;
      const ids = Object.entries({ by, record }).flatMap(([key, id]) =>
        id ? [[key, new mongoose.Types.ObjectId(id)]] : [],
      );
      const filter = {
        ...Object.fromEntries(ids),
        // Always both: their index is of use, and in order, only where neither is left open.
        ...(subject || action
          ? {
              subject: subject ?? { $in: AuditSubject.options },
              action: action ?? { $in: AuditAction.options },
            }
          : {}),
        ...createdWithin(query, actor.zone),
      };
      const found = await page(AuditEvents, visible(actor, ['read'], AuditEvents, filter), query, small());
      return { ...found, data: await onWire(actor, found.data, guarded) };
    },
  }),
];

/** What was changed in such a record must not be read here by whoever may not read the record itself. */
async function onWire(actor: Actor, events: AuditEventRecord[], guarded: readonly AnyModel[]) {
  const readable = new Set<string>();
  const withChanges = new Set<AuditEventRecord>();
  for (const model of guarded) {
    const ours = events.filter((one) => one.subject === model.modelName && one.changes.length > 0);
    if (ours.length === 0) continue;
    for (const one of ours) withChanges.add(one);
    const records = { _id: { $in: ours.map((one) => one.record) } };
    const found = await model.find(visible(actor, ['read'], model, records), { _id: 1 }).lean();
    for (const { _id } of found) readable.add(String(_id));
  }
  return events.map((one) => {
    const hidden = withChanges.has(one) && !readable.has(String(one.record));
    return { ...one, at: one.createdAt, changes: hidden ? [] : one.changes, hidden };
  });
}
