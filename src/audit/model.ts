/** Who did what when: one event a change, written in the change's own transaction. */
import mongoose, { type ClientSession, Schema, type Types } from 'mongoose';
import { schemaOptions } from '../db/schema-options.ts';
import type { Audited } from '../rights/names.ts';

export interface Change {
  path: string;
  before: unknown;
  after: unknown;
}

export type AuditAction = 'create' | 'update' | 'delete' | 'download' | 'check';

export interface AuditEventRecord {
  _id: Types.ObjectId;
  /** Null for a command of an operator. */
  by: Types.ObjectId | null;
  action: AuditAction;
  subject: string;
  record: Types.ObjectId;
  /** The site that it is about: an interview's, a person's. Null where there is none. */
  location: Types.ObjectId | null;
  changes: Change[];
  /** Of a change of a survey, where one was given. */
  reason?: string;
  createdAt: Date;
}

const schema = new Schema<AuditEventRecord>(
  {
    by: Schema.Types.ObjectId,
    action: String,
    subject: String,
    record: Schema.Types.ObjectId,
    location: Schema.Types.ObjectId,
    changes: [Schema.Types.Mixed],
    reason: String,
    createdAt: Date,
  },
  { ...schemaOptions, collection: 'auditevents' },
);
schema.index({ record: 1, createdAt: 1, _id: 1 });
schema.index({ createdAt: -1, _id: -1 });
schema.index({ location: 1, createdAt: -1, _id: -1 });
schema.index({ by: 1, createdAt: -1, _id: -1 });
schema.index({ subject: 1, action: 1, createdAt: -1, _id: -1 });

declare module '../rights/ability.ts' {
  interface Records {
    AuditEvent: AuditEventRecord;
  }
}

export const AuditEvents = mongoose.model<AuditEventRecord>('AuditEvent', schema);

export interface Happening {
  by: Types.ObjectId | null;
  action: AuditAction;
  subject: Audited;
  record: Types.ObjectId;
  location: Types.ObjectId | null;
  changes?: Change[];
  reason?: string | undefined;
  at: Date;
}

/** Of a change of thousands; others are answered in between. */
const AT_ONCE = 500;

export async function audit(session: ClientSession, ...happenings: Happening[]): Promise<void> {
  if (happenings.length === 0) return;
  const events = happenings.map(({ at, changes = [], reason, ...rest }) => ({
    ...rest,
    changes,
    ...(reason === undefined ? {} : { reason }),
    createdAt: at,
    _id: new mongoose.Types.ObjectId(),
  }));
  const [event] = events;
  if (event && events.length === 1) await AuditEvents.collection.insertOne(event, { session });
  else
    for (let at = 0; at < events.length; at += AT_ONCE)
      await AuditEvents.collection.insertMany(events.slice(at, at + AT_ONCE), { session });
}

const comparable = (value: unknown) => JSON.stringify(value ?? null);

/** The fields of `after` that differ from `before`; `responses` is told answer by answer. */
export function changesOf(before: object, after: object, prefix = ''): Change[] {
  const was = before as Record<string, unknown>;
  const is = after as Record<string, unknown>;
  return Object.keys(is).flatMap((key): Change[] => {
    if (comparable(was[key]) === comparable(is[key])) return [];
    if (key === 'responses' && prefix === '') {
      const old = (was.responses ?? {}) as Record<string, unknown>;
      const now = (is.responses ?? {}) as Record<string, unknown>;
      const gone = Object.fromEntries(Object.keys(old).map((name) => [name, undefined]));
      return changesOf(old, { ...gone, ...now }, 'responses.');
    }
    return [{ path: prefix + key, before: was[key] ?? null, after: is[key] ?? null }];
  });
}
