/**
 * A process of an earlier version may write at the same time as this one, during an upgrade or because it was started
 * again. Versions from before migrations existed accept any database. So whatever the migrations add is added again,
 * at each start and every minute, to records that lack it. They are found by index.
 */
import mongoose from 'mongoose';
import { DAY_MS } from '../lib/day.ts';
import type { Log } from '../log.ts';
import { held, odd } from './migrations/2026-11-22-held-at.ts';
import { moveCopies } from './migrations/2026-11-22-second-copies.ts';
import { type Event, sitesOf } from './migrations/2026-11-22-where-it-happened.ts';

type Db = mongoose.mongo.Db;
type Id = mongoose.mongo.ObjectId;

const BATCH = 1_000;
const INTERVAL_MS = 60_000;
/** Longer than any write takes that began before the last look. */
const LOOK_BACK_MS = 10 * INTERVAL_MS;
const EPOCH = new Date(0);
const BY_HELD = { deletedAt: 1, heldAt: -1, location: 1 } as const;

/** Safe in several processes at once; answers how many records it mended. `since`: of events of the history. */
export async function backfillRecords(since = EPOCH): Promise<number> {
  const { db } = mongoose.connection;
  if (!db) throw new Error('the connection to the database does not stand');
  let mended = 0;
  for (const deletedAt of [null, { $gt: EPOCH }]) mended += await mendSurveys(db, deletedAt);
  return mended + (await mendCopies(db)) + (await mendEvents(db, since));
}

async function mendSurveys(db: Db, deletedAt: null | object): Promise<number> {
  const surveys = db.collection<{ _id: Id }>('surveys');
  const lacking = { deletedAt, heldAt: null } as object;
  let mended = 0;
  for (;;) {
    const batch = await surveys
      .find(lacking, { projection: { _id: 1 } })
      .hint(BY_HELD)
      .limit(BATCH)
      .toArray();
    if (batch.length === 0) return mended;
    const ids = batch.map(({ _id }) => _id);
    await mendCodes(db, ids);
    await surveys.updateMany({ _id: { $in: ids }, heldAt: null } as object, [{ $set: { heldAt: held } }]);
    mended += batch.length;
  }
}

const days = { $floor: { $divide: [{ $subtract: ['$returnedAt', '$handedOutAt'] }, DAY_MS] } };
const daysOut = { $cond: [{ $gt: ['$handedOutAt', null] }, { $max: [0, days] }, '$$REMOVE'] };

/** The codes that these surveys brought and handed out. Before their surveys, so that a process that is killed in between finds these again. */
async function mendCodes(db: Db, surveys: Id[]): Promise<void> {
  const codes = db.collection('referralcodes');
  const early = { $expr: { $lt: ['$handedOutAt', '$createdAt'] } };
  await codes.updateMany({ survey: { $in: surveys }, handedOutAt: { $type: 'date' }, ...early }, [
    { $set: { handedOutAt: '$createdAt' } },
  ]);
  const found = db
    .collection('surveys')
    .find({ _id: { $in: surveys } })
    .project({ createdAt: 1, referralCode: 1, at: { $ifNull: ['$heldAt', held] }, odd });
  for await (const { _id, createdAt, referralCode: code, at: returnedAt, odd: isOdd } of found) {
    if (isOdd)
      await codes.updateMany(
        { survey: _id, handedOutAt: { $lt: createdAt } },
        { $set: { handedOutAt: createdAt } },
      );
    if (code) await codes.updateOne({ code, redeemedBy: _id, returnedAt: null }, { $set: { returnedAt } });
    // An earlier version counts days until the arrival of the interview that brought it.
    const either = { $or: [{ code: code ?? '' }, { survey: _id }] };
    await codes.updateMany({ ...either, returnedAt: { $type: 'date' } }, [{ $set: { daysOut } }]);
  }
}

async function mendCopies(db: Db): Promise<number> {
  const lacking = { 'flags.code': 'SECOND_COPY', 'flags.copy': { $exists: true } };
  const found = await db.collection('surveys').find(lacking).project<{ _id: Id }>({ _id: 1 }).toArray();
  for (const { _id } of found) await moveCopies(db, _id);
  return found.length;
}

/** Many events are about no site, which is a null, and are looked at: so not beyond `since`. */
async function mendEvents(db: Db, since: Date): Promise<number> {
  const events = db.collection<Event & { location?: Id | null }>('auditevents');
  const open = { location: { $exists: false } };
  const lacking = { $and: [{ location: null }, open], createdAt: { $gte: since } };
  let mended = 0;
  for (;;) {
    const batch = await events
      .find(lacking, { projection: { subject: 1, record: 1 } })
      .hint({ location: 1, createdAt: -1, _id: -1 })
      .limit(BATCH)
      .toArray();
    if (batch.length === 0) return mended;
    // Of an interview that was mended before, or changed by this version, an earlier one may have changed the codes.
    await mendCodes(
      db,
      batch.flatMap(({ subject, record }) => (subject === 'Survey' ? record : [])),
    );
    const sites = await sitesOf(db, batch);
    const changes = batch.map(({ _id, record }) => ({
      updateOne: {
        filter: { _id, ...open },
        update: { $set: { location: sites.get(String(record)) ?? null } },
      },
    }));
    await events.bulkWrite(changes, { ordered: false });
    mended += batch.length;
  }
}

/** Looks each minute; what it returns ends that. */
export function backfillEachMinute(log: Log): () => Promise<void> {
  let busy: Promise<void> = Promise.resolve();
  const look = async () => {
    const since = new Date(Date.now() - LOOK_BACK_MS);
    const mended = await backfillRecords(since);
    if (mended > 0) log.warn(`An earlier version is writing to this database. Repaired ${mended} records.`);
  };
  const timer = setInterval(() => {
    // A database out of reach: the next look finds it.
    busy = busy.then(look).catch(() => {});
  }, INTERVAL_MS).unref();
  return async () => {
    clearInterval(timer);
    await busy;
  };
}
