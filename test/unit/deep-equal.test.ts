import { isDeepEqual } from '../../src/platform/lib/objects/deep-equal.ts';

test.each([
  [{ a: 1, b: [1, { c: null }] }, { b: [1, { c: null }], a: 1 }, true],
  [[], [], true],
  [[], {}, false],
  [['x'], { 0: 'x' }, false],
  [[1, 2], [2, 1], false],
  [{ a: 1 }, { a: 1, b: 1 }, false],
  [null, {}, false],
  [1, '1', false],
])('%j and %j are equal: %j', (one, other, expected) => {
  expect(isDeepEqual(one, other)).toBe(expected);
});
