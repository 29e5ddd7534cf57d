/**
 * `npm run test:mutation`: all parts of the mutation run (stryker.config.mjs), or the one that is named
 * (`-- codes --mutate FILE`), on one mongod for all of its processes.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
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
// Each run has workers of its own, which can't reuse the databases of others: thousands of open files end mongod.
process.env.TEST_MONGO_ENDS = '';
const failed = [];
for (const part of only ? [only] : Object.keys(PARTS)) {
  if (!(await passes(part))) failed.push(part);
}
await teardown();
if (failed.length > 0) console.error(`Below the threshold, or broken: ${failed.join(', ')}`);
process.exit(failed.length);
