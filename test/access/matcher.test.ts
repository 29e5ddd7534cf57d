/** The matcher of conditions in memory means what MongoDB means: null, missing fields, unlike types. */
import mongoose from 'mongoose';
import { conditionsMatcher } from '../../src/rights/matcher.ts';

const ONE = new mongoose.Types.ObjectId('665f1c2ab7e4d90012345678');
const SAME = new mongoose.Types.ObjectId('665f1c2ab7e4d90012345678');
const OTHER = new mongoose.Types.ObjectId('665f1c2ab7e4d90012345679');
const AT = new Date('2026-11-21T00:00:00Z');
const LATER = new Date('2026-11-22T00:00:00Z');
const matches = (condition: object, record: object) => conditionsMatcher(condition as never)(record as never);

test.each([
  ['an id by its value', { a: ONE }, { a: SAME }, true],
  ['another id', { a: ONE }, { a: OTHER }, false],
  ['an id and its digits are unlike', { a: ONE }, { a: '665f1c2ab7e4d90012345678' }, false],
  ['a date by its value', { a: AT }, { a: new Date(AT) }, true],
  ['a date and its number are unlike', { a: AT }, { a: AT.getTime() }, false],
  ['a text', { a: 'x' }, { a: 'x' }, true],
  ['null matches null', { a: null }, { a: null }, true],
  ['null matches a missing field', { a: null }, {}, true],
  ['null matches nothing else', { a: null }, { a: 0 }, false],
  ['null matches a list that holds it', { a: null }, { a: [1, null] }, true],
  ['null does not match a list without it', { a: null }, { a: [1] }, false],
  ['ne null', { a: { $ne: null } }, { a: 1 }, true],
  ['ne null refuses a missing field', { a: { $ne: null } }, {}, false],
  ['ne of a value', { a: { $ne: ONE } }, { a: OTHER }, true],
  ['ne of the same value', { a: { $ne: ONE } }, { a: SAME }, false],
  ['in', { a: { $in: [ONE, OTHER] } }, { a: SAME }, true],
  ['in nothing', { a: { $in: [] } }, { a: SAME }, false],
  ['in nothing, null', { a: { $in: [] } }, { a: null }, false],
  ['nin', { a: { $nin: [OTHER] } }, { a: SAME }, true],
  ['from the moment itself', { a: { $gte: AT } }, { a: AT }, true],
  ['from before the moment', { a: { $gte: LATER } }, { a: AT }, false],
  ['before the moment itself', { a: { $lt: AT } }, { a: AT }, false],
  ['before a later one', { a: { $lt: LATER } }, { a: AT }, true],
  ['after', { a: { $gt: AT } }, { a: LATER }, true],
  ['up to', { a: { $lte: AT } }, { a: LATER }, false],
  ['a missing date is before nothing', { a: { $lt: LATER } }, {}, false],
  ['a null date is up to nothing', { a: { $lte: LATER } }, { a: null }, false],
  ['and', { $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }, true],
  ['and, half', { $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 3 }, false],
  ['or', { $or: [{ a: 1 }, { b: 2 }] }, { a: 0, b: 2 }, true],
  ['or, neither', { $or: [{ a: 1 }, { b: 2 }] }, { a: 0, b: 0 }, false],
  ['nor', { $nor: [{ a: 1 }] }, { a: 2 }, true],
  ['nor, one', { $nor: [{ a: 1 }] }, { a: 1 }, false],
])('%s', (_title, condition, record, expected) => {
  expect(matches(condition, record)).toBe(expected);
});

test.each([
  { a: { $exists: true } },
  { a: { $regex: 'x' } },
  { $expr: {} },
  { $and: [{ a: { $not: { $eq: 1 } } }] },
])('an operator that was not proved is refused: %j', (condition) => {
  expect(() => matches(condition, {})).toThrow(/is not allowed/);
});

test('the digits of an id in a rule are refused: they would never match', () => {
  expect(() => matches({ a: { $in: ['665f1c2ab7e4d90012345678'] } }, {})).toThrow(/ObjectId/);
  expect(() => matches({ a: 'x665f1c2ab7e4d90012345678' }, {})).not.toThrow();
  expect(() => matches({ a: '665f1c2ab7e4d90012345678x' }, {})).not.toThrow();
});
