import mongoose from 'mongoose';
import type { Actor } from '../access/chain.ts';
import { visible } from '../access/guard.ts';
import { createdWithin } from '../http/between.ts';
import { withinBudget } from '../http/budget.ts';
import { page } from '../http/page.ts';
import { type Route, route } from '../http/route.ts';
import { Surveys } from '../surveys/model.ts';
import { type AuditEventRecord, AuditEvents } from './model.ts';
import { AuditAction, AuditEvent, AuditList, AuditQuery, AuditSubject } from './schema.ts';

const small = withinBudget<AuditEventRecord>(AuditEvent);

export const auditRoutes: Route[] = [
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
      return { ...found, data: await onWire(actor, found.data) };
    },
  }),
];

/** Answers of a survey must not be read here by whoever may not read them there. */
async function onWire(actor: Actor, events: AuditEventRecord[]) {
  const told = events.filter((one) => one.subject === 'Survey' && one.changes.length > 0);
  const readable = new Set<string>();
  if (told.length > 0) {
    const records = { _id: { $in: told.map((one) => one.record) } };
    const found = await Surveys.find(visible(actor, ['read'], Surveys, records), { _id: 1 }).lean();
    for (const { _id } of found) readable.add(String(_id));
  }
  return events.map((one) => {
    const hidden = told.includes(one) && !readable.has(String(one.record));
    return { ...one, at: one.createdAt, changes: hidden ? [] : one.changes, hidden };
  });
}
