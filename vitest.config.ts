/** The tests that don't need a browser. `scripts/test.mjs` chooses among them. */
import { fileURLToPath, pathToFileURL } from 'node:url';
import { defineConfig } from 'vitest/config';

const PROJECT = fileURLToPath(new URL('.', import.meta.url));
const SOURCES = `${PROJECT}src/`;
/** Where a module says that its workers lie beside it. */
const WORKERS = 'from: import.meta.url';

/** The threads and processes that the service starts are those of the built service where it fits the sources: a third of the time. */
const builtWorkers = {
  name: 'built-workers',
  transform(code: string, path: string) {
    if (process.env.TEST_BUILT !== '1' || !path.startsWith(SOURCES)) return null;
    const built = `${PROJECT}dist/src/${path.slice(SOURCES.length).replace(/ts$/, 'js')}`;
    return code.replace(WORKERS, `from: '${pathToFileURL(built).href}'`);
  },
};

/**
 * Tests that start, overload and kill processes (commands, services, databases, programs that read what was written), and
 * long ones: random histories and studies, races, limits that are waited for.
 */
const PROCESSES = ['analysis-runs', 'attack', 'export', 'long', 'mongod', 'print', 'scripts'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);
const DEVICE = ['test/device/**/*.test.ts'];

const project = (name: string, options: { include?: string[]; exclude?: string[]; isolate?: boolean }) => ({
  extends: true as const,
  test: { name, include: ['test/**/*.test.ts'], ...options },
});

export default defineConfig({
  plugins: [builtWorkers],
  test: {
    globals: true,
    globalSetup: 'test/global-setup.ts',
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // For two processors: many tests wait for processes, time limits and databases that are away.
    maxWorkers: 3,
    // With V8's own 16 MB a tenth of the time goes into sweeping. The threads of the mutation run refuse the option.
    execArgv: process.env.MUTANTS ? [] : ['--max-semi-space-size=64'],
    coverage: {
      include: ['src/**/*.ts', 'client/src/{device,offline}/**/*.ts'],
      reporter: ['text-summary', 'json-summary'],
    },
    projects: [
      // Loading the service takes seconds: each worker does it once.
      project('service', { exclude: [...DEVICE, ...PROCESSES], isolate: false }),
      project('processes', { include: PROCESSES, isolate: false }),
      // These put other globals under the client's modules.
      project('device', { include: DEVICE }),
    ],
  },
});
