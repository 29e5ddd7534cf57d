import mongoose, { type Types } from 'mongoose';
import type { AnyModel } from '../db/schema-options.ts';
import { createdWithin } from '../http/between.ts';
import { withinBudget } from '../http/budget.ts';
import { page } from '../http/page.ts';
import { type Route, route } from '../http/route.ts';
import type { Action, Subject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { visible } from '../rights/guard.ts';
import type { ChangesApart } from '../rights/subject.ts';
import { changesKnown, type Told } from './apart.ts';
import { type AuditEventRecord, AuditEvents } from './model.ts';
import type { NamesOf } from './names.ts';
import { AuditAction, AuditEvent, AuditList, AuditQuery, AuditSubject } from './schema.ts';

const small = withinBudget<AuditEventRecord>(AuditEvent.omit({ names: true }));

interface Around {
  /** Records whose changes are shown to whoever may read the record. */
  guarded: readonly { model: AnyModel; changesApart?: ChangesApart }[];
  namesOf: NamesOf;
  concerning: (actor: Actor, code: string) => Promise<Types.ObjectId[]>;
}

export const auditRoutes = ({ guarded, namesOf, concerning }: Around): Route[] => [
  route({
    method: 'get',
    path: '/api/audit',
    access: 'approved',
    memory: 16,
    tag: 'Audit',
    summary: 'Who did what when',
    description:
      'One event for each change, commands of operators included. What was changed in a survey is shown to whoever may read that survey. `names` tells what the ids mean, as far as the caller may know it; `code` is for who looks coupons up. A page ends before 2 MiB of JSON, after one event at the least, so that `data` may be shorter than `limit` while `nextCursor` goes on.',
    query: AuditQuery,
    reply: { 200: AuditList },
    problems: ['FORBIDDEN'],
    handle: async ({ actor, query }) => {
      const { by, record, location, code, subject, action } = query;
      const ids = Object.entries({ by, record, location }).flatMap(([key, id]) =>
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
        ...(code ? { $and: [{ record: { $in: await concerning(actor, code) } }] } : {}),
        ...createdWithin(query, actor.zone),
      };
      const found = await page(AuditEvents, visible(actor, ['read'], AuditEvents, filter), query, small());
      const shown = await onWire(actor, found.data, guarded);
      const names = await namesOf(actor, shown);
      return { ...found, data: shown.map((one, at) => ({ ...one, names: names[at] })) };
    },
  }),
];

/** What was changed in such a record must not be read here by whoever may not read the record itself. */
async function onWire(actor: Actor, events: AuditEventRecord[], guarded: Around['guarded']) {
  const shown = new Map<AuditEventRecord, Told>();
  for (const { model, changesApart } of guarded) {
    const ours = events.filter((one) => one.subject === model.modelName && one.changes.length > 0);
    if (ours.length === 0) continue;
    const readable = await whichOf(actor, 'read', model, ours);
    const apart =
      changesApart && ours.some(({ changes }) => changes.some(({ path }) => path === changesApart.path));
    const known = apart ? await whichOf(actor, changesApart.action, model, ours) : new Set<string>();
    for (const one of ours) {
      const id = String(one.record);
      const { reason } = one;
      const read = readable.has(id) ? { changes: one.changes, reason } : { changes: [] };
      shown.set(one, apart ? changesKnown(read, changesApart, () => known.has(id)) : read);
    }
  }
  return events.map((one) => {
    const { changes, reason } = shown.get(one) ?? (one as Told);
    const hidden = changes.length === 0 && one.changes.length > 0;
    const told = { changes, reason: hidden ? null : (reason ?? null), hidden, byItself: byItself(one) };
    return { ...one, at: one.createdAt, ...told };
  });
}

/** Nobody asked for it: the tree follows when an interview above takes its place. */
const byItself = ({ subject, action, changes }: AuditEventRecord) =>
  subject === 'Survey' &&
  action === 'update' &&
  changes.length > 0 &&
  changes.every(({ path }) => ['seed', 'recruiter', 'wave'].includes(path));

/** The ids of those records of the events to which the caller may do this. */
async function whichOf(
  actor: Actor,
  action: Action,
  model: AnyModel,
  events: AuditEventRecord[],
): Promise<Set<string>> {
  if (!actor.ability.can(action, model.modelName as Subject)) return new Set();
  const records = { _id: { $in: events.map((one) => one.record) } };
  const found = await model.find(visible(actor, [action], model, records), { _id: 1 }).lean();
  return new Set(found.map(({ _id }) => String(_id)));
}
