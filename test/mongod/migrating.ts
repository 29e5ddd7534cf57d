/**
 * A process that starts as the service does, with one slow migration: `old` becomes `now` in each of `things`. Midway
 * it waits for the signal `go`. Tests stop and kill it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, disconnect } from '../../src/platform/db/connect.ts';
import { type Migration, migrate } from '../../src/platform/db/migrate.ts';

const slow: Migration = {
  name: '2027-01-01-things',
  run: async ({ db, progress }) => {
    await db.collection('runs').insertOne({});
    const things = await db.collection('things').find().sort({ _id: 1 }).toArray();
    for (const [at, { _id }] of things.entries()) {
      await db
        .collection('things')
        .updateOne({ _id, old: { $exists: true } }, [
          { $set: { now: '$old', times: { $add: ['$times', 1] } } },
          { $unset: 'old' },
        ]);
      progress(at + 1, things.length);
      if (at !== things.length / 2) continue;
      console.log('half');
      while (!(await db.collection('signs').findOne())) await sleep(20);
    }
  },
};

await connect(process.env.MONGO_URI ?? '');
const log = { info: (text: string) => console.log(text), warn: () => {} };
await migrate([slow], { log, leaseMs: 1_000 });
console.log('done');
await disconnect();
