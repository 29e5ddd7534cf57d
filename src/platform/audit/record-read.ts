/** Who read what: one event per hour, reader, and record or file. */
import { createHash } from 'node:crypto';
import mongoose, { type Types } from 'mongoose';
import type { Logger } from 'pino';
import { violatedIndex } from '../http/problems/errors.ts';
import { HOUR_MS } from '../lib/day.ts';
import { LruCache } from '../lib/lru-cache.ts';
import type { Actor } from '../rights/actor.ts';
import type { AuditedSubject } from '../rights/names.ts';
import { AuditEventModel } from './model.ts';
import type { AuditedFieldChange } from './schema.ts';

/** Events already recorded by this process, so that most reads cost no database access. */
const recorded = new LruCache<true>(20_000);

interface Read {
  subject: AuditedSubject;
  record: Types.ObjectId;
  location: Types.ObjectId | null;
  changes?: AuditedFieldChange[];
}

/** Runs outside of any transaction, and never makes the read fail. */
export async function recordRead({ user, now }: Actor, read: Read, log: Logger): Promise<void> {
  const { subject, record, location, changes = [] } = read;
  const files = changes.map(({ after }) => String(after)).join();
  const key = `${user._id} ${record} ${files} ${Math.floor(now.getTime() / HOUR_MS)}`;
  if (recorded.get(key)) return;
  recorded.set(key, true);
  // The same in every process, so that only one of them can insert it.
  const _id = new mongoose.Types.ObjectId(createHash('sha256').update(key).digest('hex').slice(0, 24));
  const event = { _id, by: user._id, action: 'read', subject, record, location, changes, createdAt: now };
  try {
    await AuditEventModel.collection.insertOne(event as never, { writeConcern: { w: 1 } });
  } catch (error) {
    if (violatedIndex(error) !== null) return;
    recorded.delete(key);
    log.error({ err: error }, 'a read was not recorded');
  }
}
