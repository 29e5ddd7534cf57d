/**
 * Everything stored before there were rounds becomes round 1, which is open: interviews, seeds, incentives, codes that
 * were handed out, population counts and runs.
 */
import mongoose, { type mongo } from 'mongoose';
import type { Migration } from '../migrate.ts';

const FIRST_ROUND = new mongoose.Types.ObjectId('000000000000000000000001');
const OPEN = { round: { $exists: false } };

/** The records that get the round, by collection. A code has no round before it is handed out. */
const RECORDS: [collection: string, filter: object][] = [
  ['surveys', OPEN],
  ['seeds', OPEN],
  ['incentives', OPEN],
  ['counts', OPEN],
  ['referralcodes', { ...OPEN, $or: [{ seed: { $ne: null } }, { survey: { $ne: null } }] }],
];

export const firstRoundMigration: Migration = {
  name: '2026-11-28-first-round',
  run: async ({ db, progress }) => {
    await createRound(db);
    for (const [index, [name, filter]] of RECORDS.entries()) {
      await db.collection(name).updateMany(filter, { $set: { round: FIRST_ROUND } });
      progress(index + 1, RECORDS.length);
    }
    await addToRuns(db);
  },
};

/** The round is part of a run's request, and of the text by which runs are found. */
async function addToRuns(db: mongo.Db): Promise<void> {
  const round = FIRST_ROUND.toHexString();
  const withoutEnd = { $substrCP: ['$filters', 0, { $subtract: [{ $strLenCP: '$filters' }, 1] }] };
  await db
    .collection('analysisruns')
    .updateMany({ 'request.round': { $exists: false }, filters: { $type: 'string' } }, [
      { $set: { 'request.round': round, filters: { $concat: [withoutEnd, `,"${round}"]`] } } },
    ]);
}

/** A new database gets its first round later, when the service prepares it. */
async function createRound(db: mongo.Db): Promise<void> {
  const study = await db.collection('studies').findOne({});
  if (!study) return;
  const [first] = await db.collection('surveys').find().sort({ heldAt: 1 }).limit(1).toArray();
  const openedAt: Date = first && first.heldAt < study.createdAt ? first.heldAt : study.createdAt;
  const day = new Intl.DateTimeFormat('en-CA', { timeZone: study.timeZone ?? 'UTC' });
  const { endsOn = null, targetSampleSize = null, populationSize = null } = study;
  const { populationSizeLow = null, populationSizeHigh = null } = study;
  const round = {
    ...{ name: 'Round 1', startsOn: day.format(first?.heldAt ?? study.createdAt), endsOn, targetSampleSize },
    ...{ populationSize, populationSizeLow, populationSizeHigh, state: 'OPEN', openedAt },
    ...{ closedAt: null, closedBy: null, settings: null, createdAt: openedAt },
  };
  const rounds = db.collection('rounds');
  await rounds.updateOne({ _id: FIRST_ROUND }, { $setOnInsert: round }, { upsert: true });
}
