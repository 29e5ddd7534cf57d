/** Who did what and when: one event per change, written in the same transaction as the change. */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import { isDeepEqual } from '../lib/objects/deep-equal.ts';
import type { Author } from '../rights/actor.ts';
import type { AuditedSubject } from '../rights/names.ts';
import { AuditAction, type AuditedFieldChange } from './schema.ts';

export interface AuditEventRecord {
  _id: Types.ObjectId;
  /** Null for an operator's command. */
  by: Types.ObjectId | null;
  action: AuditAction;
  subject: string;
  record: Types.ObjectId;
  /** The site of the record (an interview's, a person's); null if it has none. */
  location: Types.ObjectId | null;
  changes: AuditedFieldChange[];
  /** Why a survey was changed, if given. */
  reason?: string;
  createdAt: Date;
}

const schema = new Schema<AuditEventRecord>(
  {
    by: { type: Schema.Types.ObjectId, ref: 'User' },
    action: { type: String, enum: AuditAction.options, required: true },
    subject: { type: String, required: true },
    record: { type: Schema.Types.ObjectId, required: true },
    location: { type: Schema.Types.ObjectId, ref: 'Location' },
    changes: { type: [{ type: Schema.Types.Mixed }], required: true },
    reason: String,
    createdAt: { type: Date, required: true },
  },
  schemaOptions('auditevents'),
);
schema.index({ record: 1, createdAt: 1, _id: 1 });
schema.index({ createdAt: -1, _id: -1 });
schema.index({ location: 1, createdAt: -1, _id: -1 });
schema.index({ by: 1, createdAt: -1, _id: -1 });
schema.index({ subject: 1, action: 1, createdAt: -1, _id: -1 });
/** Paths of changes that only reviewers of the survey may see (see REPEAT_FIELD_RESTRICTION). */
export const REVIEWER_ONLY_FIELDS = ['repeat', 'repeatFinding'] as const;
schema.index(
  { 'changes.path': 1 },
  { partialFilterExpression: { 'changes.path': { $in: [...REVIEWER_ONLY_FIELDS] } } },
);

export const AuditEventModel = mongoose.model<AuditEventRecord>('AuditEvent', schema);

export interface NewAuditEvent {
  action: AuditAction;
  subject: AuditedSubject;
  record: Types.ObjectId;
  location?: Types.ObjectId | null | undefined;
  changes?: AuditedFieldChange[];
  reason?: string | undefined;
}

/** Events per insert, so that other requests are answered in between. */
const BATCH_SIZE = 500;

export async function audit(
  session: ClientSession,
  { by, now }: Author,
  ...newEvents: NewAuditEvent[]
): Promise<void> {
  if (newEvents.length === 0) return;
  const events = newEvents.map(({ location = null, changes = [], reason, ...rest }) => ({
    ...{ _id: new mongoose.Types.ObjectId(), by, ...rest, location, changes, createdAt: now },
    ...(reason === undefined ? {} : { reason }),
  }));
  const [event] = events;
  if (event && events.length === 1) await AuditEventModel.collection.insertOne(event, { session });
  else
    for (let at = 0; at < events.length; at += BATCH_SIZE)
      await AuditEventModel.collection.insertMany(events.slice(at, at + BATCH_SIZE), { session });
}

/** As they are stored; the order of keys doesn't matter. */
function areEqual(one: unknown, other: unknown): boolean {
  const [a, b] = [JSON.stringify(one ?? null), JSON.stringify(other ?? null)];
  return a === b || isDeepEqual(JSON.parse(a), JSON.parse(b));
}

/** The fields of `after` that differ from `before`; `responses` is compared answer by answer. */
export function changesOf(before: object, after: object, prefix = ''): AuditedFieldChange[] {
  const was = before as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  return Object.keys(is).flatMap((key): AuditedFieldChange[] => {
    if (areEqual(was[key], is[key])) return [];
    if (key === 'responses' && prefix === '') {
      const old = (was.responses ?? {}) as Record<string, unknown>;
      const now = (is.responses ?? {}) as Record<string, unknown>;
      const removed = Object.fromEntries(Object.keys(old).map((name) => [name, undefined]));
      return changesOf(old, { ...removed, ...now }, 'responses.');
    }
    return [{ path: prefix + key, before: was[key] ?? null, after: is[key] ?? null }];
  });
}
