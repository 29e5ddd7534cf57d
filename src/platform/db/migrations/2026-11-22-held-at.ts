/**
 * Adds the date by which interviews are counted (`heldAt`), and recalculates after how many days coupons were returned,
 * from the time of the interview instead of its arrival.
 */
import type { mongo } from 'mongoose';
import type { Migration, MigrationContext } from '../migrate.ts';

const BATCH = 2_000;
const DAY = 86_400_000;
const YEAR = 365 * DAY;

interface Code {
  _id: mongo.ObjectId;
  redeemedBy: mongo.ObjectId;
  redeemedAt: Date;
  handedOutAt?: Date;
}

export const interviewHeldAtMigration: Migration = {
  name: '2026-11-22-held-at',
  run: async (step) => {
    await setHeldAt(step);
    await mendHandingOut(step);
    await countDaysAnew(step);
  },
};

const odd = {
  $or: [
    { $gt: [{ $subtract: ['$createdAt', '$startedAt'] }, YEAR] },
    { $and: [{ $gt: ['$completedAt', null] }, { $lt: ['$completedAt', '$startedAt'] }] },
  ],
};

const heldDate = { $cond: [odd, '$createdAt', { $ifNull: ['$startedAt', '$createdAt'] }] };

async function setHeldAt(step: MigrationContext): Promise<void> {
  const surveys = step.db.collection('surveys');
  const open = { heldAt: { $exists: false } };
  await updateInBatches(step, 'surveys', open, { _id: 1 }, async (batch) => {
    const ids = { _id: { $in: batch.map((one) => one._id as mongo.ObjectId) } };
    await surveys.updateMany({ ...ids, ...open }, [{ $set: { heldAt: heldDate } }]);
  });
}

/**
 * Corrects when codes were handed out: not before they were created, and, if the interview's clock was wrong, not
 * before the interview arrived.
 */
async function mendHandingOut({ db }: MigrationContext): Promise<void> {
  const codes = db.collection('referralcodes');
  const early = { handedOutAt: { $type: 'date' }, $expr: { $lt: ['$handedOutAt', '$createdAt'] } };
  await codes.updateMany(early, [{ $set: { handedOutAt: '$createdAt' } }]);
  const surveys = db.collection('surveys').find({ $expr: odd }, { projection: { createdAt: 1 } });
  for await (const { _id, createdAt } of surveys)
    await codes.updateMany(
      { survey: _id, handedOutAt: { $lt: createdAt } },
      { $set: { handedOutAt: createdAt } },
    );
}

async function countDaysAnew(step: MigrationContext): Promise<void> {
  const codes = step.db.collection<Code>('referralcodes');
  const open = { redeemedBy: { $ne: null }, returnedAt: { $exists: false } };
  const fields = { redeemedBy: 1, redeemedAt: 1, handedOutAt: 1 };
  await updateInBatches(step, 'referralcodes', open, fields, async (records) => {
    const batch = records as unknown as Code[];
    const surveys = await step.db
      .collection('surveys')
      .find({ _id: { $in: batch.map((one) => one.redeemedBy) } }, { projection: { heldAt: 1 } })
      .toArray();
    const heldOf = new Map(surveys.map((one) => [String(one._id), one.heldAt as Date]));
    const changes = batch.map(({ _id, redeemedBy, redeemedAt, handedOutAt }) => {
      const returnedAt = heldOf.get(String(redeemedBy)) ?? redeemedAt;
      const days = handedOutAt && Math.max(0, Math.floor((+returnedAt - +handedOutAt) / DAY));
      const $set = { returnedAt, ...(days === undefined ? {} : { daysOut: days }) };
      return { updateOne: { filter: { _id, returnedAt: { $exists: false } }, update: { $set } } };
    });
    await codes.bulkWrite(changes as never, { ordered: false });
  });
}

async function updateInBatches(
  { db, progress }: MigrationContext,
  name: string,
  filter: mongo.Filter<mongo.Document>,
  projection: mongo.Document,
  change: (batch: mongo.Document[]) => Promise<void>,
): Promise<void> {
  const total = await db.collection(name).estimatedDocumentCount();
  let processedCount = 0;
  let batch: mongo.Document[] = [];
  const flush = async () => {
    if (batch.length > 0) await change(batch);
    processedCount += batch.length;
    batch = [];
    progress(processedCount, total);
  };
  for await (const one of db.collection(name).find(filter, { projection })) {
    batch.push(one);
    if (batch.length === BATCH) await flush();
  }
  await flush();
}
