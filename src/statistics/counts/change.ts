/**
 * Creates, changes and deletes population counts. Each change starts a tree bootstrap run, which provides the bounds.
 */

import mongoose, { type Types } from 'mongoose';
import { audit, changesOf } from '../../platform/audit/model.ts';
import { inTransaction, retryUntilUnchanged } from '../../platform/db/transaction.ts';
import { invalidFieldProblem } from '../../platform/http/problems/problem.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { definedFields } from '../../platform/lib/objects/defined-fields.ts';
import { findRecord } from '../../platform/rights/guard.ts';
import { requestedRound } from '../../study/rounds/requested.ts';
import { estimatesForReader } from '../results/estimates.ts';
import { completeRunRequest, insertRun, letRunExpire, rethrowAsFieldProblem } from '../runs/create.ts';
import { wakeRunJobs } from '../runs/jobs.ts';
import type { RunRequest } from '../runs/schema.ts';
import { type ResultsReader, requireRightToNarrowSample } from '../sample/right.ts';
import type { SampleFilterQuery } from '../sample/schema.ts';
import { PopulationCountModel, type PopulationCountRecord } from './model.ts';
import type { CountPatch, PopulationCountCreate } from './schema.ts';

interface Author {
  by: Types.ObjectId;
  now: Date;
}

/** The author of a change that starts a run. */
interface CountAuthor extends Author {
  reader: ResultsReader;
}

export async function createCount(
  body: PopulationCountCreate,
  doer: CountAuthor,
): Promise<PopulationCountRecord> {
  const { location = null, from = null, to = null, knownLow = null, knownHigh = null, ...rest } = body;
  const { by, now } = doer;
  const { round } = await requestedRound(body.round).catch(rethrowAsFieldProblem);
  const draft: PopulationCountRecord = {
    _id: new mongoose.Types.ObjectId(),
    ...rest,
    round: round._id,
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
  const request = await requestFor(draft, doer);
  const count = await inTransaction(async (session) => {
    const run = await insertRun(session, request, { by, now, isKept: true });
    const newCount = { ...draft, run: run._id };
    await PopulationCountModel.collection.insertOne(newCount, { session });
    const { _id: record, location } = newCount;
    await audit(session, { by, now }, { action: 'create', subject: 'Count', record, location });
    return newCount;
  });
  wakeRunJobs();
  return count;
}

/** If nothing changes, returns the existing count and starts no run. */
export async function updateCount(
  id: string,
  body: CountPatch,
  maker: CountAuthor,
): Promise<PopulationCountRecord> {
  const { by, now } = maker;
  const { location: site, ...rest } = definedFields(body);
  const location = site ? new mongoose.Types.ObjectId(site) : null;
  const fields = { ...rest, ...(site !== undefined && { location }) };
  return await retryUntilUnchanged(async () => {
    const current = await findRecord(PopulationCountModel, id);
    if (changesOf(current, { ...current, ...fields }).length === 0) return current;
    // Outside the transaction, because it reads questionnaires.
    const request = await requestFor({ ...current, ...fields }, maker, current);
    const count = await inTransaction(async (session) => {
      const before = await findRecord(PopulationCountModel, id, session);
      const after = { ...before, ...fields };
      const changes = changesOf(before, after);
      if (changes.length === 0) return before;
      // If another change came first, this run's request would be for an outdated count, so try again.
      if (!before.run.equals(current.run)) return null;
      await letRunExpire(session, before.run, now);
      const run = await insertRun(session, request, { by, now, isKept: true });
      Object.assign(after, { run: run._id, updatedAt: now });
      await PopulationCountModel.collection.updateOne(
        { _id: before._id },
        { $set: { ...fields, run: run._id, updatedAt: now } },
        { session },
      );
      const event = {
        action: 'update',
        subject: 'Count',
        record: before._id,
        location: after.location,
      } as const;
      await audit(session, { by, now }, { ...event, changes });
      return after;
    });
    if (count) wakeRunJobs();
    return count;
  });
}

export async function deleteCount(id: string, { by, now }: Author): Promise<void> {
  await inTransaction(async (session) => {
    const { _id, run, location } = await findRecord(PopulationCountModel, id, session);
    await PopulationCountModel.collection.updateOne({ _id }, { $set: { deletedAt: now } }, { session });
    await letRunExpire(session, run, now);
    await audit(session, { by, now }, { action: 'delete', subject: 'Count', record: _id, location });
  });
}

function checkFields(count: PopulationCountRecord, { reader, now }: CountAuthor): void {
  const { known, knownLow, knownHigh, asOf, from, to } = count;
  if (knownLow !== null && knownLow > known)
    throw invalidFieldProblem('knownLow', 'TOO_BIG', { limit: known });
  if (knownHigh !== null && knownHigh < known)
    throw invalidFieldProblem('knownHigh', 'TOO_SMALL', { limit: known });
  if (asOf > isoDateAt(now, reader.zone)) throw invalidFieldProblem('asOf', 'DAY_IN_FUTURE');
  if (from !== null && to !== null && from > to) throw invalidFieldProblem('to', 'DAYS_REVERSED');
}

/**
 * Fields that determine how many interviews have the counted answer, and whether the known number is compatible with
 * them.
 */
const COUNTED = ['outcome', 'value', 'known', 'location', 'from', 'to'] as const;

/**
 * The request for the run that provides the bounds; 400 for something that can't be counted, 403 for days that this
 * caller may not request. `known` isn't checked again while it and the fields it depends on are the same as in
 * `before`, because there may be more interviews by now.
 */
async function requestFor(
  count: PopulationCountRecord,
  maker: CountAuthor,
  before?: PopulationCountRecord,
): Promise<RunRequest> {
  const { outcome, from, to } = count;
  const days = { ...(from ? { from } : {}), ...(to ? { to } : {}) };
  requireRightToNarrowSample(maker.reader, days);
  checkFields(count, maker);
  const location = count.location?.toHexString();
  const narrowed = { round: count.round.toHexString(), ...(location ? { location } : {}), ...days };
  const run = { outcome, method: 'TREE', samples: 1000, confidence: 0.95, ...narrowed } as const;
  const request = await completeRunRequest(run, maker.reader.zone, 'CATEGORY');
  const isChecked = before && COUNTED.every((field) => String(before[field]) === String(count[field]));
  if (!isChecked) await checkKnown(count, narrowed, maker);
  return request;
}

/** Based on what this caller may see: for a hidden answer, a refusal would reveal how many people gave it. */
async function checkKnown(
  { outcome, value, known }: PopulationCountRecord,
  narrowed: SampleFilterQuery,
  { reader, now }: CountAuthor,
): Promise<void> {
  const { levels } = await estimatesForReader(reader, { outcome, ...narrowed }, now);
  const count = levels.find((level) => level.value === value)?.count ?? 0;
  if (known < count) throw invalidFieldProblem('known', 'KNOWN_BELOW_INTERVIEWS', { limit: count });
}
