import { calculatedKind } from '../../src/questionnaires/codebook/calculated-type.ts';

test.each([
  '{a} or {b}',
  '{a} and {b}',
  "{a} = 'yes' or {b} > 2",
  '({a} or {b}) and {c}',
  '!{a}',
  '{a} notempty',
])('%s is yes or no', (expression) => {
  expect(calculatedKind(expression)).toEqual({ is: 'yes or no' });
});

test('an iif of conditions is yes or no', () => {
  expect(calculatedKind('iif({a} > 1, {b} or {c}, {b} and {c})')).toEqual({ is: 'yes or no' });
});

test.each(['{a} + {b}', '({a} - 1) * 2', 'sum({a}, {b}) / 2', '{a} % 2', '{a} ^ 2'])(
  '%s is a number',
  (expression) => {
    expect(calculatedKind(expression)).toEqual({ is: 'number' });
  },
);
