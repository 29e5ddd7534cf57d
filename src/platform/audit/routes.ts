import type { Types } from 'mongoose';
import type { AnyModel } from '../db/schema-options.ts';
import { dateFilter } from '../http/lists/date-range.ts';
import { declaredFieldsSerializer } from '../http/lists/declared-fields.ts';
import { idFilter } from '../http/lists/id-filter.ts';
import { loadRecordPage } from '../http/lists/page.ts';
import { defineRoute, routeGroup } from '../http/route.ts';
import type { PermissionAction, Subject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import type { CollectionSettings } from '../rights/collection.ts';
import { findVisible, visibleFilter } from '../rights/guard.ts';
import { AuditEventModel, type AuditEventRecord } from './model.ts';
import { findRecordIdsByCode, recordNameFinder } from './record-names.ts';
import { hideChangesFromReader, type RestrictableChanges } from './restricted-changes.ts';
import { AuditAction, AuditEvent, AuditEventList, AuditQuery, AuditSubject } from './schema.ts';

const serializeEvent = declaredFieldsSerializer(AuditEvent.omit({ names: true }));
const bytesOf = (event: AuditEventRecord) => Buffer.byteLength(JSON.stringify(serializeEvent(event))) + 1;

export function auditRoutes(collections: readonly CollectionSettings[]) {
  const guarded = collections.filter(({ guardsChanges }) => guardsChanges);
  const findNames = recordNameFinder(collections);
  return routeGroup({ tag: 'Audit' }, [
    defineRoute({
      method: 'get',
      path: '/api/audit',
      memory: 'file',
      summary: 'List who did what and when',
      description:
        'One event for each change, including those by operators’ commands, and one an hour for each reader of an interview that somebody else did. Only callers who may read a survey see what was changed in it. `names` says what the ids refer to, if the caller may know it; `code` is for looking up coupons. A page has at most 2 MiB of JSON (but at least one event), so `data` may be shorter than `limit` although there is a `nextCursor`.',
      query: AuditQuery,
      reply: { 200: AuditEventList },
      handle: async ({ actor, query, deps }) => {
        const { by, record, location, code, subject, action, reads } = query;
        const filter = {
          ...idFilter({ by, record, location }),
          // Always filter by both, because their shared index only helps with both.
          ...(subject || action
            ? {
                subject: subject ?? { $in: AuditSubject.options },
                action: action ?? { $in: AuditAction.options.filter((one) => !reads || one !== 'read') },
              }
            : reads
              ? { action: { $ne: 'read' } }
              : {}),
          ...(code
            ? { $and: [{ record: { $in: await findRecordIdsByCode(collections, actor, code) } }] }
            : {}),
          ...dateFilter('createdAt', query, actor.zone),
          ...(await withoutRestricted(actor, guarded)),
        };
        const events = await loadRecordPage(
          AuditEventModel,
          visibleFilter(actor, ['read'], AuditEventModel, filter),
          query,
          bytesOf,
        );
        const visibleEvents = await hideRestrictedChanges(actor, events.data, guarded);
        for (const { model, recordHistoryRead } of guarded) {
          const withAnswers = visibleEvents.filter(
            (one) => one.subject === model.modelName && isAboutAnswers(one),
          );
          await recordHistoryRead?.(
            actor,
            withAnswers.map((one) => one.record),
            deps.log,
          );
        }
        const names = await findNames(actor, visibleEvents);
        return { ...events, data: visibleEvents.map((one, at) => ({ ...one, names: names[at] })) };
      },
    }),
  ]);
}

/**
 * Leaves out events that only change the restricted field. Even without its changes, such an event would reveal that
 * the record has one, and so would a page or total that counts it.
 */
async function withoutRestricted(actor: Actor, guarded: readonly CollectionSettings[]): Promise<object> {
  const leftOut: object[] = [];
  for (const { model, restrictedField } of guarded) {
    if (!restrictedField) continue;
    const paths = [restrictedField.path, restrictedField.hiddenWith];
    const isOnly = {
      subject: model.modelName,
      'changes.path': { $in: paths },
      changes: { $not: { $elemMatch: { path: { $nin: paths } } } },
    };
    const records = (await AuditEventModel.collection.distinct('record', isOnly)) as Types.ObjectId[];
    const readable = await permittedRecords(actor, 'read', model, records);
    const permitted = await permittedRecords(actor, restrictedField.action, model, records);
    const hidden = records.filter((id) => readable.has(String(id)) && !permitted.has(String(id)));
    if (hidden.length > 0) leftOut.push({ ...isOnly, record: { $in: hidden } });
  }
  return leftOut.length > 0 ? { $nor: leftOut } : {};
}

/** Changes of guarded records must not be readable here by callers who may not read the record. */
async function hideRestrictedChanges(
  actor: Actor,
  events: AuditEventRecord[],
  guarded: readonly CollectionSettings[],
) {
  const changesByEvent = new Map<AuditEventRecord, RestrictableChanges>();
  for (const { model, restrictedField } of guarded) {
    const ours = events.filter((one) => one.subject === model.modelName && one.changes.length > 0);
    if (ours.length === 0) continue;
    const records = ours.map(({ record }) => record);
    const readable = await permittedRecords(actor, 'read', model, records);
    const apart =
      restrictedField &&
      ours.some(({ changes }) =>
        changes.some(({ path }) => path === restrictedField.path || path === restrictedField.hiddenWith),
      );
    const permitted = apart
      ? await permittedRecords(actor, restrictedField.action, model, records)
      : new Set<string>();
    for (const one of ours) {
      const id = String(one.record);
      const { reason } = one;
      const read = readable.has(id) ? { changes: one.changes, reason } : { changes: [] };
      changesByEvent.set(
        one,
        apart ? hideChangesFromReader(read, restrictedField, () => permitted.has(id)) : read,
      );
    }
  }
  return events.map((one) => {
    const { changes, reason } = changesByEvent.get(one) ?? (one as RestrictableChanges);
    const hidden = changes.length === 0 && one.changes.length > 0;
    const restricted = {
      changes,
      reason: hidden ? null : (reason ?? null),
      hidden,
      automatic: isTreeUpdate(one),
    };
    return { ...one, at: one.createdAt, ...restricted };
  });
}

/** Whether a change is about a person's answers, not only about the interview's handling. */
const isAboutAnswers = ({ changes }: Pick<AuditEventRecord, 'changes'>) =>
  changes.some(({ path }) => path === 'responses' || path.startsWith('responses.'));

/** Not requested by anyone: the tree is updated when an interview further up is placed. */
const isTreeUpdate = ({ subject, action, changes }: AuditEventRecord) =>
  subject === 'Survey' &&
  action === 'update' &&
  changes.length > 0 &&
  changes.every(({ path }) => ['seed', 'recruiter', 'wave'].includes(path));

/** The ids of the records on which the caller may do `action`. */
async function permittedRecords(
  actor: Actor,
  action: PermissionAction,
  model: AnyModel,
  records: Types.ObjectId[],
): Promise<Set<string>> {
  if (!actor.ability.can(action, model.modelName as Subject)) return new Set();
  const visibleRecords = await findVisible(actor, [action], model, { _id: { $in: records } })
    .select({ _id: 1 })
    .lean();
  return new Set(visibleRecords.map(({ _id }) => String(_id)));
}
