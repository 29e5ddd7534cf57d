/** The in-memory matcher of conditions agrees with MongoDB: null, missing fields, mixed types. */
import mongoose from 'mongoose';
import { caslConditionsMatcher } from '../../src/platform/rights/matcher.ts';

const ONE = new mongoose.Types.ObjectId('665f1c2ab7e4d90012345678');
const SAME = new mongoose.Types.ObjectId('665f1c2ab7e4d90012345678');
const OTHER = new mongoose.Types.ObjectId('665f1c2ab7e4d90012345679');
const AT = new Date('2026-11-21T00:00:00Z');
const LATER = new Date('2026-11-22T00:00:00Z');
const matches = (condition: object, record: object) =>
  caslConditionsMatcher(condition as never)(record as never);

test.each([
  ['an id equals another object of the same value', { a: ONE }, { a: SAME }, true],
  ['an id does not equal another id', { a: ONE }, { a: OTHER }, false],
  ['an id does not equal its hex string', { a: ONE }, { a: '665f1c2ab7e4d90012345678' }, false],
  ['a date equals another object of the same value', { a: AT }, { a: new Date(AT) }, true],
  ['a date does not equal its timestamp', { a: AT }, { a: AT.getTime() }, false],
  ['a string equals itself', { a: 'x' }, { a: 'x' }, true],
  ['null matches null', { a: null }, { a: null }, true],
  ['null matches a missing field', { a: null }, {}, true],
  ['null matches nothing else', { a: null }, { a: 0 }, false],
  ['null matches an array that contains it', { a: null }, { a: [1, null] }, true],
  ['null does not match an array without it', { a: null }, { a: [1] }, false],
  ['null does not match an empty array', { a: null }, { a: [] }, false],
  ['null does not match an array in an array', { a: null }, { a: [[null]] }, false],
  ['null matches a field that is undefined', { a: null }, { a: undefined }, true],
  ['null matches a missing field of a missing object', { 'a.b': null }, {}, true],
  ['a value does not match a missing field', { a: 0 }, {}, false],
  ['ne null', { a: { $ne: null } }, { a: 1 }, true],
  ['ne null does not match a missing field', { a: { $ne: null } }, {}, false],
  ['ne of a value', { a: { $ne: ONE } }, { a: OTHER }, true],
  ['ne of the same value', { a: { $ne: ONE } }, { a: SAME }, false],
  ['in', { a: { $in: [ONE, OTHER] } }, { a: SAME }, true],
  ['in an empty array', { a: { $in: [] } }, { a: SAME }, false],
  ['null in an empty array', { a: { $in: [] } }, { a: null }, false],
  ['in with null matches a missing field', { a: { $in: [null] } }, {}, true],
  ['in with null matches null', { a: { $in: [null] } }, { a: null }, true],
  ['in with null matches nothing else', { a: { $in: [null] } }, { a: 0 }, false],
  ['nin with null does not match a missing field', { a: { $nin: [null] } }, {}, false],
  ['nin', { a: { $nin: [OTHER] } }, { a: SAME }, true],
  ['gte includes the moment itself', { a: { $gte: AT } }, { a: AT }, true],
  ['gte excludes earlier moments', { a: { $gte: LATER } }, { a: AT }, false],
  ['lt excludes the moment itself', { a: { $lt: AT } }, { a: AT }, false],
  ['lt includes earlier moments', { a: { $lt: LATER } }, { a: AT }, true],
  ['gt includes later moments', { a: { $gt: AT } }, { a: LATER }, true],
  ['lte excludes later moments', { a: { $lte: AT } }, { a: LATER }, false],
  ['a missing date does not match lt', { a: { $lt: LATER } }, {}, false],
  ['a null date does not match lte', { a: { $lte: LATER } }, { a: null }, false],
  ['eq', { a: { $eq: ONE } }, { a: SAME }, true],
  ['all', { a: { $all: [ONE, 2] } }, { a: [2, SAME, 3] }, true],
  ['all, one of two', { a: { $all: [ONE, 2] } }, { a: [SAME] }, false],
  ['size', { a: { $size: 2 } }, { a: [1, 2] }, true],
  ['size of a longer array', { a: { $size: 2 } }, { a: [1, 2, 3] }, false],
  ['elemMatch', { a: { $elemMatch: { b: ONE, c: 2 } } }, { a: [{ b: SAME, c: 2 }] }, true],
  [
    'elemMatch, not by one element',
    { a: { $elemMatch: { b: ONE, c: 2 } } },
    { a: [{ b: SAME }, { c: 2 }] },
    false,
  ],
  ['elemMatch of anything', { a: { $elemMatch: {} } }, { a: [{ b: 1 }] }, true],
  ['elemMatch of anything, in an empty array', { a: { $elemMatch: {} } }, { a: [] }, false],
  ['elemMatch of anything, in a missing field', { a: { $elemMatch: {} } }, {}, false],
  ['and', { $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }, true],
  ['and, one of two', { $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 3 }, false],
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
  { a: { $nearSphere: [0, 0] } },
  { $expr: {} },
  { $and: [{ a: { $not: { $eq: 1 } } }] },
])('an operator that is not supported is rejected: %j', (condition) => {
  expect(() => matches(condition, {})).toThrow(/is not allowed/);
});

test('an id given as a hex string in a rule is rejected, since it would never match', () => {
  expect(() => matches({ a: { $in: ['665f1c2ab7e4d90012345678'] } }, {})).toThrow(/ObjectId/);
  expect(() => matches({ a: 'x665f1c2ab7e4d90012345678' }, {})).not.toThrow();
  expect(() => matches({ a: '665f1c2ab7e4d90012345678x' }, {})).not.toThrow();
});
