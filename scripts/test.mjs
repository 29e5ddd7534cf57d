/**
 * `npm test`: makes ready what is missing, then runs Vitest with all arguments passed on, on the projects “service” and “device”
 * (vitest.config.ts); `npm run test:processes` on “processes”, `npm run test:e2e` the browser tests. A file that is named
 * (`test/…`) is run by either.
 * `npm run test:fast -- PATH` makes nothing ready, and takes a file of the sources too: its tests are run.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ensure, ROOT } from './ensure.mjs';
import { runInMemory } from './in-memory.mjs';

const modes = ['--fast', '--browser', '--processes'];
const mode = modes.find((name) => name === process.argv[2]);
const rest = process.argv.slice(mode ? 3 : 2);
const isFast = mode === '--fast';
const inBrowser = mode === '--browser';
try {
  if (!isFast) await ensure({ dev: true });
} catch (error) {
  console.error(error.message);
  process.exit(1);
}

if (inBrowser) process.env.E2E_BUILT = '1';
const command = inBrowser
  ? ['node_modules/@playwright/test/cli.js', 'test', ...rest]
  : ['node_modules/vitest/vitest.mjs', 'run', ...testArguments()];
runInMemory(process.execPath, command, { cwd: ROOT });

function testArguments() {
  if (isFast) return rest.flatMap(testsOf);
  if (rest.some((name) => name.startsWith('test/'))) return rest;
  const projects = mode === '--processes' ? ['processes'] : ['service', 'device'];
  return [...rest, ...projects.map((name) => `--project=${name}`)];
}

/** Of a file of the sources: the tests that bear its name, else those that import it, else its folder's, else the story. */
function testsOf(path) {
  const file = resolve(path);
  if (path.startsWith('-') || !/\/(src|scripts)\/.*(?<!\.test)\.tsx?$/.test(file)) return [path];
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join(ROOT, 'test', name));
  const imports = (test) =>
    [...readFileSync(test, 'utf8').matchAll(/(?:from|import\() ?'(\.[^']+)'/g)].some(
      ([, from]) => resolve(dirname(test), from) === file,
    );
  const named = (name) => tests.filter((test) => basename(test, '.test.ts').startsWith(name));
  const found = [
    tests.filter((test) => basename(test, '.test.ts') === basename(file).replace(/\.tsx?$/, '')),
    tests.filter(imports),
    named(basename(dirname(file))),
    named('story'),
  ].find(({ length }) => length > 0);
  return found ?? [path];
}
