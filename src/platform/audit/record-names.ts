/**
 * Names that are shown in place of record ids: people by name, interviews by coupon and site. A deleted record keeps its
 * last name. Only names of records that the caller may read (deleted or not) are returned.
 */
import mongoose, { type Types } from 'mongoose';
import type { AnyModel } from '../db/schema-options.ts';
import { asSubject, type Subject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import type { AuditLabel, CollectionSettings } from '../rights/collection.ts';
import { readsAll, requireReadsAll } from '../rights/guard.ts';
import type { AuditedFieldChange, RecordName } from './schema.ts';

interface EventWithIds {
  by: Types.ObjectId | null;
  record: Types.ObjectId;
  changes: readonly AuditedFieldChange[];
}

type Names = Record<string, RecordName>;
/** The names of all records that each event refers to. */
export type FindEventRecordNames = (
  actor: Actor,
  events: readonly EventWithIds[],
  /** Names found by earlier calls. */
  cache?: Map<string, RecordName | null>,
) => Promise<Names[]>;

const labelsIn = (all: readonly CollectionSettings[]) =>
  all.flatMap(({ model, auditLabel: label }) => (label ? [{ model, label }] : []));

export function recordNameFinder(all: readonly CollectionSettings[]): FindEventRecordNames {
  const kinds = labelsIn(all);
  return async (actor, events, cache = new Map()) => {
    const idsOfEvents = events.map(idsIn);
    const find = async (ids: readonly string[]) => {
      const missing = [...new Set(ids)].filter((id) => !cache.has(id));
      for (const { model, label } of missing.length > 0 ? kinds : [])
        for (const [id, name] of await namesIn(actor, model, label, missing)) cache.set(id, name);
      for (const id of missing) if (!cache.has(id)) cache.set(id, null);
    };
    await find(idsOfEvents.flat());
    await find([...cache.values()].flatMap((name) => name?.interview ?? []));
    return idsOfEvents.map((some) => pick(some, cache));
  };
}

/** Names of the records of one collection, as far as the caller may read them. */
async function namesIn(
  actor: Actor,
  model: AnyModel,
  label: AuditLabel,
  ids: readonly string[],
): Promise<[string, RecordName][]> {
  const projection = Object.fromEntries(['deletedAt', ...label.fields].map((field) => [field, 1]));
  const _id = { $in: ids.map((id) => new mongoose.Types.ObjectId(id)) };
  const subject = model.modelName as Subject;
  const names: [string, RecordName][] = [];
  for await (const record of model.collection.find({ _id }, { projection }))
    if (mayReadName(actor, subject, label, record))
      names.push([String(record._id), recordName(actor, subject, label, record)]);
  return names;
}

function pick(ids: string[], cache: ReadonlyMap<string, RecordName | null>): Names {
  const names: Names = {};
  for (const id of ids) {
    const name = cache.get(id);
    if (!name) continue;
    names[id] = name;
    const interview = name.interview && cache.get(name.interview);
    if (interview) names[name.interview as string] = interview;
  }
  return names;
}

function mayReadName(
  actor: Actor,
  subject: Subject,
  { rightsOf, orReadsAll }: AuditLabel,
  record: object,
): boolean {
  if (actor.ability.can('read', asSubject(rightsOf ?? subject, record))) return true;
  return orReadsAll !== undefined && readsAll(actor, orReadsAll);
}

function recordName(
  actor: Actor,
  subject: string,
  label: AuditLabel,
  record: Record<string, unknown>,
): RecordName {
  const parts = label.toName(record);
  const { name = null, code = null, location = null, questionnaire = null, interview } = parts;
  const isHidden = label.hidesCode?.(record) && !readsAll(actor, 'ReferralCode');
  return {
    ...{ subject, name, code: isHidden ? null : code, deleted: Boolean(record.deletedAt) },
    ...({ location, questionnaire } as Pick<RecordName, 'location' | 'questionnaire'>),
    ...(interview ? { interview: String(interview) } : {}),
  };
}

const ID = /^[0-9a-f]{24}$/;

/** References are single ids or lists of ids, never nested deeper. */
function idsIn({ by, record, changes }: EventWithIds): string[] {
  const values = changes.flatMap(({ before, after }) => [before, after].flat());
  return [...new Set([by, record, ...values].map(String))].filter((text) => ID.test(text));
}

/** The records that refer to a coupon, for callers who may read coupons. */
export async function findRecordIdsByCode(
  all: readonly CollectionSettings[],
  actor: Actor,
  code: string,
): Promise<Types.ObjectId[]> {
  requireReadsAll(actor, 'ReferralCode');
  const records = await Promise.all(labelsIn(all).flatMap(({ label }) => label.findByCode?.(code) ?? []));
  return records.flat();
}
