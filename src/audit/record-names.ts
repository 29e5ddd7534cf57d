/**
 * Names that are shown in place of record ids: people by name, interviews by coupon and site. A deleted record keeps its
 * last name. Only names of records that the caller may read (deleted or not) are returned.
 */
import mongoose, { type Types } from 'mongoose';
import { asSubject, type Subject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll, requireReadsAll } from '../rights/guard.ts';
import type { AuditLabel, ResourceDeclaration } from '../rights/resource.ts';
import type { Change, RecordName } from './schema.ts';

interface EventWithIds {
  by: Types.ObjectId | null;
  record: Types.ObjectId;
  changes: readonly Change[];
}

type Names = Record<string, RecordName>;
/** The names of all records that each event refers to. */
export type FindNames = (
  actor: Actor,
  events: readonly EventWithIds[],
  /** Names found by earlier calls. */
  known?: Map<string, RecordName | null>,
) => Promise<Names[]>;

const labelsIn = (all: readonly ResourceDeclaration[]) =>
  all.flatMap(({ collections = [] }) =>
    collections.flatMap(({ model, auditLabel }) => (auditLabel ? [{ model, label: auditLabel }] : [])),
  );

export function recordNameFinder(all: readonly ResourceDeclaration[]): FindNames {
  const kinds = labelsIn(all);
  return async (actor, events, known = new Map()) => {
    const named = events.map(idsIn);
    const wanted = [...new Set(named.flat())].filter((id) => !known.has(id));
    for (const id of wanted) known.set(id, null);
    const ids = wanted.map((id) => new mongoose.Types.ObjectId(id));
    for (const { model, label } of ids.length > 0 ? kinds : []) {
      const projection = Object.fromEntries(['deletedAt', ...label.fields].map((field) => [field, 1]));
      const found = model.collection.find({ _id: { $in: ids } }, { projection });
      const subject = model.modelName as Subject;
      for await (const record of found)
        if (mayReadName(actor, subject, label, record))
          known.set(String(record._id), recordName(actor, subject, label, record));
    }
    return named.map((some) => pick(some, known));
  };
}

function pick(ids: string[], known: ReadonlyMap<string, RecordName | null>): Names {
  const names: Names = {};
  for (const id of ids) {
    const name = known.get(id);
    if (name) names[id] = name;
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
  const { name = null, code = null, location = null, questionnaire = null } = label.toName(record);
  const isHidden = label.hidesCode?.(record) && !readsAll(actor, 'ReferralCode');
  return {
    ...{ subject, name, code: isHidden ? null : code, deleted: Boolean(record.deletedAt) },
    ...({ location, questionnaire } as Pick<RecordName, 'location' | 'questionnaire'>),
  };
}

const ID = /^[0-9a-f]{24}$/;

/** References are single ids or lists of ids; nothing deeper is one. */
function idsIn({ by, record, changes }: EventWithIds): string[] {
  const values = changes.flatMap(({ before, after }) => [before, after].flat());
  return [...new Set([by, record, ...values].map(String))].filter((text) => ID.test(text));
}

/** The records that refer to a coupon, for callers who may read coupons. */
export const findRecordsByCode =
  (all: readonly ResourceDeclaration[]) =>
  async (actor: Actor, code: string): Promise<Types.ObjectId[]> => {
    requireReadsAll(actor, 'ReferralCode');
    const found = await Promise.all(
      labelsIn(all).flatMap(({ label }) => (label.findByCode ? [label.findByCode(code)] : [])),
    );
    return found.flat();
  };
