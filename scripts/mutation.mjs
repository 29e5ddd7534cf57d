/**
 * `npm run test:mutation`: all parts of the mutation run (stryker.config.mjs), or the one that is named
 * (`-- codes --mutate FILE`), on one mongod. Stryker calls Jest anew for each mutant in a process that lives on: a
 * mongod of Jest's own would be gone after the first, and each later one would wait for it in vain.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { PARTS } from '../stryker.config.mjs';
import globalSetup from '../test/globalSetup.ts';
import globalTeardown from '../test/globalTeardown.ts';

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

await globalSetup();
const failed = [];
for (const part of only ? [only] : Object.keys(PARTS)) {
  if (!(await passes(part))) failed.push(part);
}
await globalTeardown();
if (failed.length > 0) console.error(`Below the threshold, or broken: ${failed.join(', ')}`);
process.exit(failed.length);
