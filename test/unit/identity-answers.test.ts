/** The phone checks an identity answer as the service does, so that they never disagree. */
import { hashIdentityAnswers } from '../../src/interviews/surveys/repeats/identity-hashes.ts';
import {
  hasEnoughIdentityAnswers,
  isIdentifyingAnswer,
  isNonemptyIdentityAnswer,
} from '../../src/questionnaires/definition/identity-answers.ts';

const NAMES = ['a', 'b', 'c', 'd'];
const CASES = [
  ['x', true, true],
  [0, true, true],
  ['00', true, true],
  [false, true, true],
  ['٠٧', true, true],
  ['refused', true, false],
  ['dontknow', true, false],
  ['', false, false],
  [' ', false, false],
  ['-', false, false],
  ['…', false, false],
  [null, false, false],
  [undefined, false, false],
  [[], false, false],
  [{}, false, false],
] as const;

test.each(CASES)(
  'the phone and the service agree whether %j is answered and given',
  (value, isAnswered, isGiven) => {
    expect([isNonemptyIdentityAnswer(value), isIdentifyingAnswer(value)]).toEqual([isAnswered, isGiven]);
    const hashes = hashIdentityAnswers(
      { identityQuestions: NAMES },
      { a: 'x', b: 'y', c: 'z', d: value },
      'key',
    );
    expect(hashes).toHaveLength(isGiven ? NAMES.length + 1 : 1);
  },
);

test.each([
  [['a', 'b', 'c', 'd'], true],
  [['a', 'b', 'c', 'refused'], true],
  [['a', 'b', 'dontknow', 'refused'], false],
  [['a', 'b', 'c', ' '], false],
  [['', '', '', ''], false],
])('%j: all identity questions are answered, with at most one refusal: %s', (values, all) => {
  expect(hasEnoughIdentityAnswers(values)).toBe(all);
});
