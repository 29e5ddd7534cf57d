/**
 * Marks interviews that somebody else entered on behalf of their interviewer, with a flag unless a third person has
 * reviewed them. Previously only the audit trail recorded this.
 */
import type { mongo } from 'mongoose';
import type { Migration } from '../migrate.ts';

const BATCH = 1_000;

interface Event {
  record: mongo.ObjectId;
  by: mongo.ObjectId | null;
  createdAt: Date;
}

export const markImportedInterviewsMigration: Migration = {
  name: '2026-11-28-imported-interviews',
  run: async ({ db, progress }) => {
    const wrongLine = { subject: 'Survey', action: 'create' };
    const fields = { projection: { record: 1, by: 1, createdAt: 1 } };
    const total = await db.collection('surveys').estimatedDocumentCount();
    let processedCount = 0;
    let batch: Event[] = [];
    const flush = async () => {
      await markImported(db, batch);
      processedCount += batch.length;
      batch = [];
      progress(processedCount, total);
    };
    for await (const event of db.collection<Event>('auditevents').find(wrongLine, fields)) {
      batch.push(event);
      if (batch.length === BATCH) await flush();
    }
    await flush();
  },
};

async function markImported(db: mongo.Db, events: Event[]): Promise<void> {
  const changes = events.flatMap(({ record, by, createdAt }) => {
    const others = { _id: record, createdBy: { $ne: by }, importedAt: null };
    const set = { importedAt: createdAt, importedBy: by };
    const flag = { code: 'IMPORTED', referralCode: null, at: createdAt, by };
    const reviewed = { 'review.by': { $nin: [null, by] } };
    return [
      { updateOne: { filter: { ...others, ...reviewed }, update: { $set: set } } },
      { updateOne: { filter: others, update: { $set: set, $push: { flags: flag } } } },
    ];
  });
  if (changes.length > 0) await db.collection('surveys').bulkWrite(changes as never);
}
