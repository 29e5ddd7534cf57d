/**
 * The order of test files. Jest begins with those that took longest the last time, and knows of none in a fresh clone:
 * there the folders with slow files come first, so that no slow one is left for the end.
 */
import Sequencer from '@jest/test-sequencer';

const isSlow = ({ path }) => /\/test\/(attack|scripts|analysis-runs|print|db)\//.test(path);

export default class SlowFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    if (sorted.some(({ duration }) => duration !== undefined)) return sorted;
    return [...sorted.filter(isSlow), ...sorted.filter((one) => !isSlow(one))];
  }
}
