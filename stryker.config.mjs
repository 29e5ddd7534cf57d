// The parts of the mutation run: which files are changed, and which tests have to notice: few each, and those that test
// them most directly. scripts/mutation.mjs runs them.
export const PARTS = {
  rules: {
    mutate: [
      'src/access/rules/{abilities,conditions}.ts',
      'src/platform/rights/{ability,matcher}.ts',
      'src/coupons/referral-codes/code.ts',
    ],
    tests: ['test/access/{abilities,matcher}.test.ts', 'test/unit/code.test.ts'],
  },
  access: {
    mutate: ['src/access/rules/access-checks.ts', 'src/platform/rights/guard.ts'],
    tests: ['test/access/{access-checks,guard}.test.ts'],
  },
  codes: {
    mutate: ['src/coupons/referral-codes/{batches,check,issue,model,reserved-blocks,void}.ts'],
    tests: ['test/api/code-{rules,stocks}.test.ts'],
  },
  routes: {
    mutate: ['src/coupons/referral-codes/{batch-routes,routes}.ts', 'src/coupons/print/routes.ts'],
    tests: ['test/api/code-handlers.test.ts'],
  },
  surveys: {
    mutate: ['src/interviews/surveys/submit/{hand-out,redeem-coupon}.ts'],
    tests: ['test/api/{hand-out,recruitment-place}.test.ts'],
  },
  submit: {
    mutate: ['src/interviews/surveys/submit/submit.ts'],
    tests: ['test/api/submit.test.ts'],
  },
  sample: {
    mutate: ['src/statistics/sample/{by-site,small-cells}.ts'],
    tests: ['test/sample/{by-site,small-cells}.test.ts'],
  },
  incentives: {
    mutate: ['src/interviews/incentives/owed.ts', 'src/study/settings/incentives.ts'],
    tests: ['test/unit/owed.test.ts'],
  },
  device: {
    mutate: ['client/src/offline/row-states.ts'],
    tests: ['test/device/row-states.test.ts'],
  },
};
const { mutate, tests } = PARTS[process.env.MUTANTS ?? 'rules'];

export default {
  mutate,
  testFiles: tests,
  testRunner: 'vitest',
  vitest: { related: false },
  coverageAnalysis: 'perTest',
  // What is decided once, while a file is loaded, would take a run of all tests for each word of a description.
  ignoreStatic: process.env.MUTANTS !== 'rules',
  concurrency: 2,
  // Each run leaves some of its modules in memory.
  maxTestRunnerReuse: 20,
  timeoutMS: 60_000,
  tsconfigFile: 'none.json',
  ignorePatterns: ['client-dist', 'client/src/dashboard', 'test/e2e', 'docs', 'reports', '.cache', '.data'],
  reporters: ['clear-text', 'progress'],
  clearTextReporter: { reportTests: false, logTests: false },
  thresholds: { high: 95, low: 90, break: 85 },
};
