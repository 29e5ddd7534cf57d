/** The fields of a record that a change has changed. */
import { changesOf } from '../../src/platform/audit/model.ts';

const responses = (grid: object, places: string[] = ['a', 'b']) => ({ responses: { grid, places } });

test('answers are compared one by one, regardless of key order', () => {
  const before = responses({ rent: 1, food: 2 });
  expect(changesOf(before, responses({ food: 2, rent: 1 }))).toEqual([]);
  expect(changesOf(before, responses({ food: 1, rent: 2 }))).toEqual([
    { path: 'responses.grid', before: { rent: 1, food: 2 }, after: { food: 1, rent: 2 } },
  ]);
});

test('the order of a list matters', () => {
  expect(changesOf(responses({}), responses({}, ['b', 'a']))).toMatchObject([{ path: 'responses.places' }]);
});
