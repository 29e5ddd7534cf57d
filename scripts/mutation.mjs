/**
 * `npm run test:mutation`: all parts of the mutation run (stryker.config.mjs), or the one that is named
 * (`-- codes --mutate FILE`), on one mongod for all of its processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import mongoose from 'mongoose';
import { PARTS } from '../stryker.config.mjs';
import { setup, teardown } from '../test/global-setup.ts';

const [only, ...options] = process.argv.slice(2);

async function passes(part) {
  console.log(`\nPart: ${part}`);
  const stryker = spawn('node_modules/.bin/stryker', ['run', ...options], {
    stdio: 'inherit',
    env: { ...process.env, MUTANTS: part },
  });
  const [code] = await once(stryker, 'close');
  return code === 0;
}

await setup();
// A run that ends at its first failure leaves its database, and too many open files end mongod. So databases
// older than any run takes are dropped, and none is kept for a later run.
const MAX_RUN_MS = 20_000;
process.env.TEST_MONGO_ENDS = '';
const client = await new mongoose.mongo.MongoClient(process.env.TEST_MONGO_URI ?? '').connect();
// Otherwise the files of a dropped database stay open for five minutes.
await client.db('admin').command({ setParameter: 1, minSnapshotHistoryWindowInSeconds: 0 });
let earlierNames = new Set();
async function dropOldDatabases() {
  const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
  const names = databases.map(({ name }) => name).filter((name) => name.startsWith('t_'));
  // Its run may be dropping it at this moment.
  for (const name of names.filter((one) => earlierNames.has(one)))
    await client
      .db(name)
      .dropDatabase()
      .catch(() => false);
  earlierNames = new Set(names);
}
const dropping = setInterval(() => void dropOldDatabases(), MAX_RUN_MS);
const failed = [];
for (const part of only ? [only] : Object.keys(PARTS)) {
  if (!(await passes(part))) failed.push(part);
}
clearInterval(dropping);
await client.close();
await teardown();
if (failed.length > 0) console.error(`Below the threshold, or broken: ${failed.join(', ')}`);
process.exit(failed.length);
