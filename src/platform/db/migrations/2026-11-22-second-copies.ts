/** Moves second copies from the flags of their survey to `surveycopies`. */
import type mongoose from 'mongoose';
import type { Migration } from '../migrate.ts';
import { inTransaction } from '../transaction.ts';

interface Flag {
  at: Date;
  copy?: object;
  copyHash?: string;
}

type Survey = { _id: mongoose.mongo.ObjectId; flags: Flag[] };

export const secondCopiesMigration: Migration = {
  name: '2026-11-22-second-copies',
  run: async ({ db, progress }) => {
    const surveys = db.collection<Survey>('surveys');
    // Must exist before a transaction uses it. 48: it exists already.
    await db.createCollection('surveycopies').catch((error: { code?: number }) => {
      if (error.code !== 48) throw error;
    });
    const flagged = { 'flags.code': 'SECOND_COPY' };
    const copies = await surveys.find(flagged).project<Survey>({ _id: 1 }).toArray();
    for (const [at, { _id }] of copies.entries()) {
      await moveCopies(db, _id);
      progress(at + 1, copies.length);
    }
  },
};

async function moveCopies(db: mongoose.mongo.Db, _id: mongoose.mongo.ObjectId): Promise<void> {
  const surveys = db.collection<Survey>('surveys');
  const copies = db.collection('surveycopies');
  await inTransaction(async (session) => {
    const survey = await surveys.findOne({ _id }, { session });
    if (!survey?.flags.some((one) => one.copy)) return;
    for (const { copy, copyHash, at: createdAt } of survey.flags) {
      if (!copy) continue;
      const key = { survey: _id, hash: copyHash };
      await copies.updateOne(key, { $setOnInsert: { copy, createdAt } }, { session, upsert: true });
    }
    const flags = survey.flags.map(({ copy: _, ...flag }) => flag);
    await surveys.updateOne({ _id }, { $set: { flags } }, { session });
  });
}
