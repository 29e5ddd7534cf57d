/** What the database did during a piece of work, as its profiler tells it. */
import mongoose from 'mongoose';

export interface Profiled {
  op: string;
  ns: string;
  command: Record<string, unknown>;
  planSummary?: string;
  docsExamined?: number;
  nreturned?: number;
  hasSortStage?: boolean;
  responseLength?: number;
}

export function database(): mongoose.mongo.Db {
  const { db } = mongoose.connection;
  if (!db) throw new Error('not connected');
  return db;
}

/** Before the first piece of work: the profiler keeps its last operations, this many megabytes of them. */
export async function prepareProfiler(megabytes: number): Promise<void> {
  await database().createCollection('system.profile', { capped: true, size: megabytes * 1024 * 1024 });
}

export async function stopProfiler(): Promise<void> {
  await database().command({ profile: 0 });
}

/** Database operations during `work`, without the profiler's own reads. */
export async function profiled(work: () => Promise<unknown>): Promise<Profiled[]> {
  const from = new Date();
  await database().command({ profile: 2 });
  await work();
  await stopProfiler();
  const ours = { ts: { $gte: from }, ns: { $not: /system\.profile|\$cmd/ }, 'command.profile': null };
  const profile = database().collection<Profiled & { ts: Date }>('system.profile');
  // The profiler truncates long commands, perhaps within a character.
  return await profile.find(ours, { enableUtf8Validation: false }).toArray();
}
