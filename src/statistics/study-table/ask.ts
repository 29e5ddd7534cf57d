/**
 * Where figures are calculated: for the service, in a separate process that owns the table (process.ts); for commands
 * and tests, in their own process.
 */
import mongoose from 'mongoose';
import { WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { LiveStudyTable } from './live-table.ts';
import { studyTableForRound } from './of-round.ts';
import type { StudyTableQuery } from './table-query.ts';

export type AskTable = <Args, Result>(figure: StudyTableQuery<Args, Result>, args: Args) => Promise<Result>;

/** The process takes one at a time; the second one is ready when it finishes. */
const queue = new WorkQueue({
  capacity: 2,
  each: 2,
  maxWaiting: 200,
  maxWaitingEach: 40,
  maxWaitMs: 30_000,
  overloadProblem: 'SENDING_TOO_MUCH',
});

let dispatch: AskTable = askHere;

/** From now on, figures are calculated in that process. */
export function setTableQueryHandler(ask: AskTable): void {
  dispatch = ask;
}

/** Calculates the figure from current data. `by`: id of the requesting user, for fair queuing. */
export async function queryStudyTable<Args, Result>(
  figure: StudyTableQuery<Args, Result>,
  args: Args,
  by?: string,
): Promise<Result> {
  return await queue.inTurn(by, undefined, async () => await dispatch(figure, args));
}

/** One per connection; it goes away with the connection. */
const tables = new WeakMap<mongoose.mongo.MongoClient, LiveStudyTable>();

async function askHere<Args, Result>({ of }: StudyTableQuery<Args, Result>, args: Args): Promise<Result> {
  const client = mongoose.connection.getClient();
  const live = tables.get(client) ?? new LiveStudyTable();
  tables.set(client, live);
  return of(studyTableForRound(await live.upToDate(), args), args);
}
