/**
 * What records are called, in place of their ids: people by name, interviews by coupon and site. A deleted one is called
 * what it was called last. Only what the caller may know: who may read the record, deleted or not.
 */
import mongoose, { type Types } from 'mongoose';
import { problem } from '../http/problem.ts';
import { asSubject, type Subject } from '../rights/ability.ts';
import type { Actor } from '../rights/actor.ts';
import { readsAll } from '../rights/guard.ts';
import type { SubjectDeclaration, Told } from '../rights/subject.ts';
import type { Change } from './model.ts';
import type { RecordName } from './schema.ts';

interface Naming {
  by: Types.ObjectId | null;
  record: Types.ObjectId;
  changes: readonly Change[];
}

type Names = Record<string, RecordName>;
/** For each event those that it names. */
export type NamesOf = (
  actor: Actor,
  events: readonly Naming[],
  /** What was found before, where more events follow. */
  known?: Map<string, RecordName | null>,
) => Promise<Names[]>;

const toldIn = (all: readonly SubjectDeclaration[]) =>
  all.flatMap(({ collections }) => collections.flatMap(({ model, told }) => (told ? [{ model, told }] : [])));

export function namesFrom(all: readonly SubjectDeclaration[]): NamesOf {
  const kinds = toldIn(all);
  return async (actor, events, known = new Map()) => {
    const named = events.map(idsIn);
    const wanted = [...new Set(named.flat())].filter((id) => !known.has(id));
    for (const id of wanted) known.set(id, null);
    const ids = wanted.map((id) => new mongoose.Types.ObjectId(id));
    for (const { model, told } of ids.length > 0 ? kinds : []) {
      const projection = Object.fromEntries(['deletedAt', ...told.fields].map((field) => [field, 1]));
      const found = model.collection.find({ _id: { $in: ids } }, { projection });
      const subject = model.modelName as Subject;
      for await (const record of found)
        if (mayKnow(actor, subject, told, record))
          known.set(String(record._id), nameOf(subject, told, record));
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

function mayKnow(actor: Actor, subject: Subject, { rightsOf, alsoWith }: Told, record: object): boolean {
  if (rightsOf) return actor.ability.can('read', rightsOf);
  if (actor.ability.can('read', asSubject(subject, { ...record } as never))) return true;
  return alsoWith !== undefined && readsAll(actor, alsoWith);
}

function nameOf(subject: string, told: Told, record: Record<string, unknown>): RecordName {
  const { name = null, code = null, location = null, questionnaire = null } = told.as(record);
  return {
    ...{ subject, name, code, deleted: Boolean(record.deletedAt) },
    ...({ location, questionnaire } as Pick<RecordName, 'location' | 'questionnaire'>),
  };
}

const ID = /^[0-9a-f]{24}$/;

/** Ids stand alone or in lists; what is deeper is no reference. */
function idsIn({ by, record, changes }: Naming): string[] {
  const values = changes.flatMap(({ before, after }) => [before, after].flat());
  return [...new Set([by, record, ...values].map(String))].filter((text) => ID.test(text));
}

/** The records that a coupon concerns, for who looks coupons up. */
export const recordsWithCode =
  (all: readonly SubjectDeclaration[]) =>
  async (actor: Actor, code: string): Promise<Types.ObjectId[]> => {
    if (!readsAll(actor, 'ReferralCode')) throw problem('FORBIDDEN');
    const found = await Promise.all(
      toldIn(all).flatMap(({ told }) => (told.withCode ? [told.withCode(code)] : [])),
    );
    return found.flat();
  };
