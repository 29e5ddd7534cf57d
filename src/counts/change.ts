/** Counts are made, changed and deleted; each change starts a run of the tree bootstrap, from which the bounds come. */
import mongoose, { type ClientSession, type Types } from 'mongoose';
import { announce } from '../analysis-runs/jobs.ts';
import { insertRun, releaseRun, requestOf } from '../analysis-runs/make.ts';
import type { RunRequest } from '../analysis-runs/model.ts';
import { audit, changesOf } from '../audit/model.ts';
import { inTransaction } from '../db/transaction.ts';
import { fieldProblem, problem } from '../http/problem.ts';
import { idOf } from '../rights/guard.ts';
import { type CountRecord, Counts } from './model.ts';
import type { CountCreate, CountPatch } from './schema.ts';

interface Doer {
  by: Types.ObjectId;
  now: Date;
}

/** Whose count starts a run. */
interface Maker extends Doer {
  /** The study's time zone. */
  zone: string;
}

export async function findCount(id: string, session: ClientSession | null = null): Promise<CountRecord> {
  const found = await Counts.findById(idOf(id)).session(session).lean<CountRecord>();
  if (!found || found.deletedAt) throw problem('NOT_FOUND');
  return found;
}

export async function createCount(body: CountCreate, doer: Maker): Promise<CountRecord> {
  const { location = null, from = null, to = null, knownLow = null, knownHigh = null, ...rest } = body;
  const { by, now, zone } = doer;
  const draft: CountRecord = {
    _id: new mongoose.Types.ObjectId(),
    ...rest,
    knownLow,
    knownHigh,
    location: location === null ? null : new mongoose.Types.ObjectId(location),
    from,
    to,
    run: new mongoose.Types.ObjectId(),
    createdBy: by,
    createdAt: now,
    updatedAt: now,
    deletedAt: null,
  };
  const request = await requestFor(draft, zone);
  const count = await inTransaction(async (session) => {
    const run = await insertRun(session, request, { by, now, isKept: true });
    const made = { ...draft, run: run._id };
    await Counts.collection.insertOne(made, { session });
    const event = { by, action: 'create', subject: 'Count', record: made._id } as const;
    await audit(session, { ...event, location: made.location, at: now });
    return made;
  });
  await announce(count.run).catch(() => {}); // Else it is found within a minute.
  return count;
}

/** Answers what is there where nothing changes: then no run is started either. */
export async function updateCount(
  id: string,
  body: CountPatch,
  { by, now, zone }: Maker,
): Promise<CountRecord> {
  const given: Partial<CountRecord> = Object.fromEntries(
    Object.entries(body).filter(([, value]) => value !== undefined),
  );
  if (body.location) given.location = new mongoose.Types.ObjectId(body.location);
  const count = await inTransaction(async (session) => {
    const before = await findCount(id, session);
    const after = { ...before, ...given };
    const changes = changesOf(before, after);
    if (changes.length === 0) return before;
    // Of what it will be: another change may have come in between.
    const request = await requestFor(after, zone);
    await releaseRun(session, before.run, now);
    const run = await insertRun(session, request, { by, now, isKept: true });
    Object.assign(after, { run: run._id, updatedAt: now });
    await Counts.collection.updateOne(
      { _id: before._id },
      { $set: { ...given, run: run._id, updatedAt: now } },
      { session },
    );
    const event = { by, action: 'update', subject: 'Count', record: before._id } as const;
    await audit(session, { ...event, location: after.location, changes, at: now });
    return after;
  });
  await announce(count.run).catch(() => {});
  return count;
}

export async function deleteCount(id: string, { by, now }: Doer): Promise<void> {
  await inTransaction(async (session) => {
    const { _id, run, location } = await findCount(id, session);
    await Counts.collection.updateOne({ _id }, { $set: { deletedAt: now } }, { session });
    await releaseRun(session, run, now);
    await audit(session, { by, action: 'delete', subject: 'Count', record: _id, location, at: now });
  });
}

function checkBounds({ known, knownLow, knownHigh, from, to }: CountRecord): void {
  if (knownLow !== null && knownLow > known) throw fieldProblem('knownLow', 'TOO_BIG', { limit: known });
  if (knownHigh !== null && knownHigh < known) throw fieldProblem('knownHigh', 'TOO_SMALL', { limit: known });
  if (from !== null && to !== null && from > to) throw fieldProblem('to', 'DAYS_REVERSED');
}

/** The run that gives its bounds; 400 for what can not be counted. */
async function requestFor(count: CountRecord, zone: string): Promise<RunRequest> {
  checkBounds(count);
  const { outcome, location, from, to } = count;
  return await requestOf(
    {
      outcome,
      method: 'TREE',
      samples: 1000,
      confidence: 0.95,
      ...(location ? { location: location.toHexString() } : {}),
      ...(from ? { from } : {}),
      ...(to ? { to } : {}),
    },
    zone,
    'CATEGORY',
  );
}
