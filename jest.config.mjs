// Jest with Node's own loader, see test/native/; what stands here about transforming is for files that ask for the
// sandbox. One file for Node with --experimental-vm-modules (ES modules) and without: @swc/jest picks the kind itself.
const esmOnly = ['temporal-polyfill', 'temporal-utils'];
export default {
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  runtime: '<rootDir>/test/native/runtime.mjs',
  testEnvironment: '<rootDir>/test/native/environment.mjs',
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: '<rootDir>/test/globalSetup.ts',
  globalTeardown: '<rootDir>/test/globalTeardown.ts',
  transform: {
    '^.+\\.(ts|js|mjs)$': [
      '@swc/jest',
      {
        jsc: {
          parser: { syntax: 'typescript' },
          target: 'es2022',
          experimental: { keepImportAttributes: true },
        },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${esmOnly.join('|')})/)`],
  cacheDirectory: '<rootDir>/node_modules/.cache/jest',
  testTimeout: 60_000,
  // For two processors: many tests wait for processes, time limits and databases that are away.
  maxWorkers: 3,
  // With coverage, a worker writes what it has covered as it exits: longer than Jest's half second.
  workerGracefulExitTimeout: 10_000,
};
