/**
 * The order of test files. Jest begins with those that took longest the last time, and knows of none in a fresh clone:
 * there the slowest come first, then the folders with slow files, so that no slow one is left for the end.
 */
import Sequencer from '@jest/test-sequencer';

/** From half a minute to ten seconds; one that is not named, or named in vain, only makes the end a little later. */
const SLOWEST = [
  ...['attack/budgets', 'scripts/restore', 'scripts/simulate', 'attack/slow-questionnaire', 'print/coupons'],
  ...[
    'scripts/first-command',
    'scripts/backup',
    'scripts/interruption',
    'api/incentives-history',
    'access/matrix',
    'db/embedded',
  ],
  ...['analysis-runs/jobs', 'attack/busy-validator', 'scripts/doctor', 'attack/files', 'attack/stop'],
  ...['scripts/demo', 'attack/full-disk', 'scripts/export-file', 'unit/answers', 'attack/real-size-form'],
  ...['attack/memory', 'attack/cut-connection', 'recruitment/summary', 'db/indexes', 'auth/sending'],
  ...['attack/outage', 'access/agreement', 'api/xlsform', 'scripts/print', 'print/print'],
];
const rankOf = ({ path }) => {
  const at = SLOWEST.findIndex((name) => path.endsWith(`/test/${name}.test.ts`));
  if (at >= 0) return at;
  return SLOWEST.length + (/\/test\/(attack|scripts|analysis-runs|print|db)\//.test(path) ? 0 : 1);
};

export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
