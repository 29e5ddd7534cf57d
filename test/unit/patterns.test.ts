import { Model } from 'survey-core';
import { patternFault } from '../../src/questionnaires/definition/pattern.ts';

/** The form library's result for this answer. */
function isRight(regex: string, answer: string, more: object = {}): boolean {
  const model = new Model({
    elements: [{ type: 'text', name: 'a', validators: [{ type: 'regex', regex, ...more }] }],
  });
  model.data = { a: answer };
  return model.validate(true);
}

test.each([
  ['^\\d{3}-\\d{4}$', '555-0100', '555-01000'],
  ['^[\\w.\\-]+@[\\w-.]+$', 'a.b-c@example.org', 'a b@example.org'],
  ["^[\\p{L} '-]+$", "Zoë O'Neill", 'R2'],
  ['^(?:\\+1)?\\s?\\d+$', '+1 206', '+2 206'],
  ['caf\\u00e9', 'a café', 'a cafe'],
  ['^a|b$', 'cab', 'cabc'],
])('the pattern %s matches %s and not %s, as in the browser', (regex, right, wrong) => {
  expect(patternFault(regex)).toBeNull();
  expect([isRight(regex, right), isRight(regex, wrong)]).toEqual([true, false]);
});

test('a pattern is case-sensitive unless caseInsensitive is set', () => {
  expect(isRight('^abc$', 'ABC')).toBe(false);
  expect(isRight('^abc$', 'ABC', { caseInsensitive: true })).toBe(true);
});

test.each([
  ['it has a lookahead', '^(?!000)\\d{3}$'],
  ['it has a lookbehind', '(?<=a)b'],
  ['it has a backreference', '^(a+)\\1$'],
  ['it has a named backreference', '(?<x>a)\\k<x>'],
  ['engines differ on it', '\\Qa.b'],
  ['its counts multiply', '^((a{30}){30}){2}$'],
  ['it is invalid', '('],
  ['it is too long', 'a'.repeat(201)],
])('a pattern is rejected if %s', (_why, regex) => {
  expect(patternFault(regex)?.code).toMatch(/PATTERN/);
});

test.each(['^(a|a)*$', '^((a+)b?)+$', '^(\\w|\\d)+$', '^a*a*a*a*a*a*$', '((a?){15}){10}[b-c]$'])(
  'the pattern %s checks ten thousand characters within 250 ms',
  (regex) => {
    const answer = `${'a'.repeat(9_999)}!`;
    const times = [1, 2, 3].map(() => {
      const begin = process.cpuUsage();
      expect(isRight(regex, answer)).toBe(false);
      const { user, system } = process.cpuUsage(begin);
      return (user + system) / 1_000;
    });
    expect(Math.min(...times)).toBeLessThan(250);
  },
);

test('a stored pattern that is rejected today is ignored, so that no interview fails', () => {
  for (const regex of ['^(?!000)\\d{3}$', '^((a{30}){30}){2}$', '('])
    expect(isRight(regex, 'whatever')).toBe(true);
});
