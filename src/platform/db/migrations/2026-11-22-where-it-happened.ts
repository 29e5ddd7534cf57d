/** Adds to audit events the site of their record, so that events can be found by site. */
import type { mongo } from 'mongoose';
import type { Migration } from '../migrate.ts';

const BATCH = 1_000;
type Id = mongo.ObjectId;

interface Event {
  _id: Id;
  subject: string;
  record: Id;
}

/** The collection of each subject, and its field with the site. */
const PLACES: Record<string, [collection: string, field: string]> = {
  User: ['users', 'location'],
  Survey: ['surveys', 'location'],
  Seed: ['seeds', 'location'],
  Location: ['locations', '_id'],
  CodeBatch: ['codebatches', 'location'],
  Count: ['counts', 'location'],
};

export const whereItHappenedMigration: Migration = {
  name: '2026-11-22-where-it-happened',
  run: async ({ db, progress }) => {
    const events = db.collection('auditevents');
    const open = { location: { $exists: false } };
    const total = await events.estimatedDocumentCount();
    let processedCount = 0;
    const mend = async (batch: Event[]) => {
      const sites = await sitesOf(db, batch);
      const changes = batch.map(({ _id, record }) => {
        const location = sites.get(String(record)) ?? null;
        return { updateOne: { filter: { _id, ...open }, update: { $set: { location } } } };
      });
      if (changes.length > 0) await events.bulkWrite(changes, { ordered: false });
      processedCount += batch.length;
      progress(processedCount, total);
    };
    let batch: Event[] = [];
    for await (const one of events.find<Event>(open, { projection: { subject: 1, record: 1 } })) {
      batch.push(one);
      if (batch.length < BATCH) continue;
      await mend(batch);
      batch = [];
    }
    await mend(batch);
  },
};

async function sitesOf(db: mongo.Db, batch: Event[]): Promise<Map<string, Id>> {
  const sites = new Map<string, Id>();
  for (const [subject, [name, field]] of Object.entries(PLACES)) {
    const ids = batch.filter((one) => one.subject === subject).map(({ record }) => record);
    if (ids.length === 0) continue;
    const records = db.collection(name).find({ _id: { $in: ids } }, { projection: { [field]: 1 } });
    for await (const one of records) if (one[field]) sites.set(String(one._id), one[field] as Id);
  }
  return sites;
}
