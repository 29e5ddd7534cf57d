/** The four questions that handlers ask of the abilities. Rights are asked of records, never of a bare type alone. */
import { accessibleBy } from '@casl/mongoose';
import mongoose, { type ClientSession, type Model, type QueryFilter, type Types } from 'mongoose';
import { recordById } from '../db/batch.ts';
import { fault } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { type Action, type AppAbility, asSubject, type Subject } from './ability.ts';

export interface Able {
  ability: AppAbility;
}

/** An id of the path, or 404: a malformed one names nothing. */
export function idOf(text: string): Types.ObjectId {
  if (!/^[0-9a-f]{24}$/i.test(text)) throw problem('NOT_FOUND');
  return new mongoose.Types.ObjectId(text);
}

/**
 * The filter of a list: what was asked for AND what the caller may see AND what is not deleted. No rule at all for
 * an action is a 403; rules that match nothing are an empty list. `actions` must all be allowed: users are listed
 * only by who has `list`, and even then only those that could be read one by one.
 */
export function visible<T>(
  actor: Able,
  actions: Action[],
  model: Model<T>,
  filter: object,
  /** Where records are as those of another kind are: a batch as its codes. */
  name: Subject = model.modelName as Subject,
): QueryFilter<T> {
  if (actions.some((action) => !actor.ability.can(action, name))) throw problem('FORBIDDEN');
  const rights = actions.map((action) => accessibleBy(actor.ability, action).ofType(name));
  const notDeleted = model.schema.path('deletedAt') ? [{ deletedAt: null }] : [];
  return { $and: [...notDeleted, filter, ...rights] } as QueryFilter<T>;
}

/** The query of those that the caller may do this to, to one field where it is named; matches none where no rule speaks of it. */
export function allowedTo({ ability }: Able, action: Action, name: Subject, field?: string): object {
  if (!ability.can(action, name, field)) return { _id: { $in: [] } };
  const ofField = {
    rulesFor: (...[one, of]: Parameters<AppAbility['rulesFor']>) => ability.rulesFor(one, of, field),
  };
  return accessibleBy(ofField as AppAbility, action).ofType(name);
}

/** Whether all records may be read, without condition: what is told of all of them together asks for that. */
export function readsAll({ ability }: Able, name: Subject): boolean {
  const rules = ability.rulesFor('read', name);
  const isWhole = ({ conditions }: { conditions?: object | undefined }) =>
    Object.keys(conditions ?? {}).length === 0;
  return rules.some((rule) => !rule.inverted && isWhole(rule)) && !rules.some((rule) => rule.inverted);
}

interface Deletable {
  deletedAt?: Date | null;
}

/** The record with this id: 404 unless it exists, 403 unless the caller may do `action` to it. */
export async function load<T extends { _id: Types.ObjectId }>(
  actor: Able,
  action: Action,
  model: Model<T>,
  id: string,
  session: ClientSession | null = null,
): Promise<T> {
  const found = session
    ? await model.findById(idOf(id)).session(session).lean<T & Deletable>()
    : await recordById<T & Deletable>(model as never, idOf(id));
  // Looked at here, since the database finds a record faster by its id alone.
  if (!found || found.deletedAt) throw problem('NOT_FOUND');
  if (!actor.ability.can(action, asSubject(model.modelName as Subject, found))) throw problem('FORBIDDEN');
  return found;
}

/** Asks about the full draft, never about the bare type. */
export function mayCreate(actor: Able, name: Subject, draft: object): void {
  if (!actor.ability.can('create', asSubject(name, { ...draft }))) throw problem('FORBIDDEN');
}

/**
 * Each changed field must be allowed on the record as it is AND as it would be: either half alone lets someone climb.
 * `judgedBefore` names fields whose new value does not count (a manager may send a volunteer to another site).
 */
export function mayChange(
  actor: Able,
  name: Subject,
  record: object,
  changes: object,
  judgedBefore: readonly string[] = [],
): void {
  const after: Record<string, unknown> = { ...record, ...changes };
  for (const field of judgedBefore) after[field] = (record as Record<string, unknown>)[field];
  const before = asSubject(name, { ...record });
  const then = asSubject(name, after);
  const refused = Object.keys(changes).filter(
    (field) => !actor.ability.can('update', before, field) || !actor.ability.can('update', then, field),
  );
  // The caller's own words: names of fields that the request holds, and nothing of the record.
  if (refused.length > 0)
    throw problem('FORBIDDEN', { why: fault('FIELDS_REFUSED', { fields: refused.join(', ') }) });
}
