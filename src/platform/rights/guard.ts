/** Permission checks for handlers. Rights are checked on records, never on a type alone. */

import { createMongoAbility } from '@casl/ability';
import { accessibleBy } from '@casl/mongoose';
import mongoose, { type ClientSession, type Model, type QueryFilter, type Types } from 'mongoose';
import { findByIdBatched } from '../db/batched-reads.ts';
import { ANY_FIELD_QUERY_OPTIONS } from '../http/lists/page.ts';
import { fault } from '../http/problems/error-codes.ts';
import { problem } from '../http/problems/problem.ts';
import { isRecordId } from '../lib/record-id.ts';
import { type AppAbility, asSubject, type PermissionAction, type Subject } from './ability.ts';

export interface HasAbility {
  ability: AppAbility;
}

/** Parses an id from the path; 404 if it is malformed. */
export function parseId(text: string): Types.ObjectId {
  if (!isRecordId(text)) throw problem('NOT_FOUND');
  return new mongoose.Types.ObjectId(text);
}

/**
 * The filter of a list: the caller's filter AND what the caller may see AND not deleted. Without any rule for an
 * action: 403; if the rules match nothing: an empty list. All `actions` must be allowed: listing users needs `list`,
 * and only shows users that the caller may also read individually.
 */
export function visibleFilter<T>(
  actor: HasAbility,
  actions: PermissionAction[],
  model: Model<T>,
  filter: object,
  /** For records with the permissions of another subject, such as batches, which have those of codes. */
  name: Subject = model.modelName as Subject,
): QueryFilter<T> {
  if (actions.some((action) => !actor.ability.can(action, name))) throw problem('FORBIDDEN');
  const rights = actions.map((action) => accessibleBy(actor.ability, action).ofType(name));
  const notDeleted = model.schema.path('deletedAt') ? [{ deletedAt: null }] : [];
  return { $and: [...notDeleted, filter, ...rights] } as QueryFilter<T>;
}

/** The records that `visibleFilter` finds. */
export const findVisible = <T>(
  actor: HasAbility,
  actions: PermissionAction[],
  model: Model<T>,
  filter: object,
) => model.find(visibleFilter(actor, actions, model, filter)).setOptions(ANY_FIELD_QUERY_OPTIONS);

/** The filter of records on which the caller may do `action` (to `field`, if given); matches nothing without a rule. */
export function permittedFilter(
  { ability }: HasAbility,
  action: PermissionAction,
  name: Subject,
  field?: string,
): object {
  // For CASL's own filter that matches nothing, the database reads all records.
  if (!ability.can(action, name, field)) return { _id: { $in: [] } };
  // Without their fields, because a query has none, and CASL would leave out the prohibitions of single fields. It
  // returns the deciding rule first, but an ability must be built with the deciding rule last.
  const rules = ability
    .rulesFor(action, name, field)
    .map(({ origin: { fields: _, ...rule } }) => rule)
    .reverse();
  return accessibleBy(createMongoAbility<AppAbility>(rules), action).ofType(name);
}

/** Whether the caller may read all records without any condition. Required for figures about all of them. */
export function readsAll({ ability }: HasAbility, name: Subject): boolean {
  const rules = ability.rulesFor('read', name);
  const isWhole = ({ conditions }: { conditions?: object | undefined }) =>
    Object.keys(conditions ?? {}).length === 0;
  return rules.some((rule) => !rule.inverted && isWhole(rule)) && !rules.some((rule) => rule.inverted);
}

/** 403 unless the caller may read all records. */
export function requireReadsAll(actor: HasAbility, name: Subject): void {
  if (!readsAll(actor, name)) throw problem('FORBIDDEN');
}

interface Deletable {
  deletedAt?: Date | null;
}

/** The record with this id, without a permission check; 404 if it doesn't exist. */
export async function findRecord<T extends { _id: Types.ObjectId }>(
  model: Model<T>,
  id: string,
  session: ClientSession | null = null,
): Promise<T> {
  const record = session
    ? await model.findById(parseId(id)).session(session).lean<T & Deletable>()
    : await findByIdBatched<T & Deletable>(model as never, parseId(id));
  // Checked here, because finding by id alone is faster for the database.
  if (!record || record.deletedAt) throw problem('NOT_FOUND');
  return record;
}

/** Finds the record; 403 unless the caller may do `action` to it. */
export async function loadPermittedRecord<T extends { _id: Types.ObjectId }>(
  actor: HasAbility,
  action: PermissionAction,
  model: Model<T>,
  id: string,
  session: ClientSession | null = null,
): Promise<T> {
  const record = await findRecord(model, id, session);
  requireRight(actor, action, model.modelName as Subject, record);
  return record;
}

/** 403 unless the caller may do `action` to this record (to its `field`, if given). */
export function requireRight(
  { ability }: HasAbility,
  action: PermissionAction,
  name: Subject,
  record: object,
  field?: string,
): void {
  if (!ability.can(action, asSubject(name, record), field)) throw problem('FORBIDDEN');
}

/** Checks the complete draft, never the type alone. */
export const requireRightToCreate = (actor: HasAbility, name: Subject, draft: object): void =>
  requireRight(actor, 'create', name, draft);

/**
 * Each changed field must be allowed on the record before AND after the change; checking only one would allow privilege
 * escalation. `checkedBeforeOnly` names fields whose new value isn't checked (a manager may move a volunteer to another
 * site).
 */
export function requireMayChange(
  actor: HasAbility,
  name: Subject,
  record: object,
  changes: object,
  checkedBeforeOnly: readonly string[] = [],
): void {
  const after: Record<string, unknown> = { ...record, ...changes };
  for (const field of checkedBeforeOnly) after[field] = (record as Record<string, unknown>)[field];
  const before = asSubject(name, record);
  const then = asSubject(name, after);
  const refusedFields = Object.keys(changes).filter(
    (field) => !actor.ability.can('update', before, field) || !actor.ability.can('update', then, field),
  );
  // Only names fields from the request, and reveals nothing about the record.
  if (refusedFields.length > 0)
    throw problem('FORBIDDEN', { why: fault('FIELDS_REFUSED', { fields: refusedFields.join(', ') }) });
}
