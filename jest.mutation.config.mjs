// Jest for the mutation run. Rules and codes are judged in memory, in a second a mutant; what stands between them and
// the database (stryker.database.json) by the few files that ask it most directly.
import base from './jest.config.mjs';

const inMemory = ['test/access/{abilities,matcher}.test.ts', 'test/unit/code.test.ts'];
const onDatabase = [
  'test/access/{current-location,mutants}.test.ts',
  'test/api/{auth-token,dashboard-batches,referral-codes}.test.ts',
];
const files = process.env.MUTANTS === 'database' ? onDatabase : inMemory;
const { globalSetup, globalTeardown, ...rest } = base;

export default {
  ...rest,
  ...(files === onDatabase ? { globalSetup, globalTeardown } : {}),
  testMatch: files.map((file) => `<rootDir>/${file}`),
};
