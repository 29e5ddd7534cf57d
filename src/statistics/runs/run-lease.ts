/**
 * Which process works on a run: one at a time, which keeps renewing its lease by the database's clock. A process that
 * was delayed and finds that another one has taken over stops; only the current holder can store a result.
 */
import { randomUUID } from 'node:crypto';
import mongoose, { type Types } from 'mongoose';
import { AnalysisRunModel, type AnalysisRunRecord, type RunResult } from './model.ts';

export const LEASE_MS = 20_000;
/** Otherwise a run that crashes its process would be passed around forever. */
export const MAX_RUN_TRIES = 5;

const leaseEnd = (holdMs: number) => ({ $add: ['$$NOW', holdMs] });

const isFree = [{ state: 'WAITING' }, { state: 'RUNNING', $expr: { $lte: ['$heldUntil', '$$NOW'] } }];

/** The oldest run that is waiting or whose lease has expired, except those in `except`. */
export async function findUnclaimedRun(except: readonly string[]): Promise<string | null> {
  const $nin = except.map((id) => new mongoose.Types.ObjectId(id));
  const free = { _id: { $nin }, state: { $in: ['WAITING', 'RUNNING'] }, $or: isFree };
  const run = await AnalysisRunModel.collection.findOne(free as never, {
    projection: { _id: 1 },
    sort: { createdAt: 1, _id: 1 },
  });
  return run?._id.toHexString() ?? null;
}

/** The run with its new lease; null if it has ended or another process holds it. */
export async function takeRunLease(
  _id: Types.ObjectId,
  holdMs: number,
): Promise<(AnalysisRunRecord & { holder: string }) | null> {
  const holder = randomUUID();
  const lease = {
    state: 'RUNNING',
    holder,
    heldUntil: leaseEnd(holdMs),
    progress: 0,
    tries: { $add: ['$tries', 1] },
  };
  const run = await AnalysisRunModel.collection.findOneAndUpdate(
    { _id, $or: isFree } as never,
    [{ $set: lease }],
    {
      returnDocument: 'after',
    },
  );
  return run as (AnalysisRunRecord & { holder: string }) | null;
}

type LeasedRun = Pick<AnalysisRunRecord, '_id' | 'holder'>;
const leaseFilter = ({ _id, holder }: LeasedRun) => ({ _id, holder, state: 'RUNNING' as const });

/** Returns false if the run was canceled or another process has taken over. */
export async function renewRunLease(run: LeasedRun, progress: number, holdMs: number): Promise<boolean> {
  const update = [{ $set: { heldUntil: leaseEnd(holdMs), progress } }];
  return (await AnalysisRunModel.collection.updateOne(leaseFilter(run), update)).matchedCount === 1;
}

/**
 * Frees the run for any process to take over immediately. `isTry`: whether this counts as an attempt; it does unless we
 * chose to stop.
 */
export async function giveUpRunLease(run: LeasedRun, isTry: boolean): Promise<void> {
  const free = { state: 'WAITING' as const, progress: 0, holder: null, heldUntil: null };
  await AnalysisRunModel.collection.updateOne(leaseFilter(run), {
    $set: free,
    $inc: { tries: isTry ? 0 : -1 },
  });
}

export async function finishRun(run: LeasedRun, result: RunResult, finishedAt: Date): Promise<void> {
  const changes = { state: 'DONE' as const, progress: 1, result, finishedAt, holder: null, heldUntil: null };
  await AnalysisRunModel.collection.updateOne(leaseFilter(run), { $set: changes });
}

/** `error` is shown to users. */
export async function failRun(run: LeasedRun, error: string, finishedAt: Date): Promise<void> {
  const failed = { state: 'FAILED' as const, error, finishedAt, holder: null, heldUntil: null };
  await AnalysisRunModel.collection.updateOne(leaseFilter(run), { $set: failed });
}
