import { createHash, randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { audit } from '../../platform/audit/model.ts';
import { inTransaction, lockInTransaction } from '../../platform/db/transaction.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { invalidFieldProblem, problem } from '../../platform/http/problems/problem.ts';
import { addDays, dayBounds, isoDateAt } from '../../platform/lib/day.ts';
import { type Actor, authorFromActor } from '../../platform/rights/actor.ts';
import { requireRightToCreate } from '../../platform/rights/guard.ts';
import { ReadTokenModel, type ReadTokenRecord } from './model.ts';
import type { ReadTokenCreate } from './schema.ts';

const PREFIX = 'fst_';
const MAX_TOKENS = 50;
const MAX_DAYS = 365;

export const isReadToken = (text: string): boolean => text.startsWith(PREFIX);
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

export async function createReadToken(
  actor: Actor,
  body: ReadTokenCreate,
): Promise<{ id: string; token: string }> {
  const { by, now } = authorFromActor(actor);
  const token = PREFIX + randomBytes(32).toString('base64url');
  const record: ReadTokenRecord = {
    ...{ _id: new mongoose.Types.ObjectId(), ...body, hash: hashOfToken(token) },
    ...{ expiresAt: endOf(body.expiresOn, actor), lastUsedAt: null },
    ...{ createdBy: by, createdAt: now, deletedAt: null },
  };
  requireRightToCreate(actor, 'ReadToken', record);
  await inTransaction(async (session) => {
    await lockInTransaction(session, 'read-tokens');
    const valid = { deletedAt: null, expiresAt: { $gt: now } };
    if ((await ReadTokenModel.countDocuments(valid).session(session)) >= MAX_TOKENS)
      throw problem('INVALID_TRANSITION', { why: fault('TOO_MANY_TOKENS', { most: MAX_TOKENS }) });
    await ReadTokenModel.collection.insertOne(record, { session });
    const { _id } = record;
    const changes = (['name', 'scopes', 'expiresOn'] as const).map((path) => ({
      ...{ path, before: null, after: record[path] },
    }));
    await audit(session, { by, now }, { action: 'create', subject: 'ReadToken', record: _id, changes });
  }, actor.deadline);
  return { id: String(record._id), token };
}

function endOf(day: string, { now, zone }: Actor): Date {
  const bounds = dayBounds(day, zone);
  if (!bounds) throw invalidFieldProblem('expiresOn', 'NO_DAY');
  const today = isoDateAt(now, zone);
  const last = addDays(today, MAX_DAYS);
  if (day < today || day > last)
    throw invalidFieldProblem('expiresOn', 'NOT_WITHIN_DAYS', { from: today, to: last });
  return bounds.end;
}
