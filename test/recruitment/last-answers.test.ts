import { backedUp } from '../../src/backup/collections.ts';
import { type Held, inColumns, inRows } from '../../src/recruitment/held.ts';
import { LastAnswers, lastAnswers } from '../../src/recruitment/last-answers.ts';
import { closeDatabase, openDatabase } from '../database.ts';

const ago = (seconds: number) => new Date(Date.now() - 1_000 * seconds);
const HOUR = 3_600;

beforeAll(openDatabase);
afterAll(closeDatabase);
beforeEach(() => LastAnswers.deleteMany());

test('what one process counted another one finds, by its name and all that was asked', async () => {
  const answer = { asOf: ago(60), titles: new Map([['no', { en: 'No' }]]), counts: Float64Array.of(1, NaN) };
  await lastAnswers('one 1').keep(['a', null], ago(60), answer);
  expect(await lastAnswers('one 1').find(['a', null], HOUR)).toEqual(answer);
  for (const [name, key] of [
    ['one 2', ['a', null]],
    ['one 1', ['b', null]],
  ] as const)
    expect(await lastAnswers(name).find([...key], HOUR)).toBeNull();
});

test('it is found up to the age that was asked for, and not at all where none was, or by a clock that went back', async () => {
  const some = lastAnswers<string>('one 1');
  await some.keep([1], ago(100), 'then');
  expect(await some.find([1], 110)).toBe('then');
  for (const maxAge of [90, 0, undefined]) expect(await some.find([1], maxAge)).toBeNull();
  await some.keep([2], ago(-100), 'later');
  expect(await some.find([2], HOUR)).toBeNull();
});

test('of two that counted at a time the one that began later stays, whichever ended first', async () => {
  const some = lastAnswers<string>('one 1');
  await some.keep([1], ago(10), 'later');
  await some.keep([1], ago(20), 'earlier');
  expect(await some.find([1], HOUR)).toBe('later');
  await some.keep([1], ago(5), 'latest');
  expect(await some.find([1], HOUR)).toBe('latest');
});

test('one that cannot be read is none, and is kept anew; no backup holds any', async () => {
  const some = lastAnswers<string>('one 1');
  await some.keep([1], ago(10), 'an answer');
  await LastAnswers.updateMany({}, { answer: Buffer.from('of another version') });
  expect(await some.find([1], HOUR)).toBeNull();
  await some.keep([1], ago(5), 'anew');
  expect(await some.find([1], HOUR)).toBe('anew');
  expect(await backedUp()).not.toContain('lastanswers');
});

test('the latest 500 are kept, none of over four megabytes, and each a week at most', async () => {
  const some = lastAnswers<string>('one 1');
  for (let at = 0; at < 505; at++) await some.keep([at], ago(1_000 - at), 'an answer');
  expect(await LastAnswers.countDocuments()).toBe(500);
  expect(await some.find([4], HOUR)).toBeNull();
  expect(await some.find([5], HOUR)).toBe('an answer');
  await some.keep(['large'], ago(1), 'x'.repeat(4_000_001));
  expect(await some.find(['large'], HOUR)).toBeNull();
  const indexes = await LastAnswers.collection.indexes();
  expect(indexes).toContainEqual(expect.objectContaining({ key: { at: 1 }, expireAfterSeconds: 604_800 }));
});

test('what pace and sites are told from is kept also where each of 100,000 interviews had a day and a site of its own', async () => {
  const rows = Array.from({ length: 100_000 }, (_, at) => ({
    day: new Date(1.7e12 + (at % 1_000) * 24 * 3.6e6).toISOString().slice(0, 10),
    site: String(at % 1_999).padStart(24, '0'),
    counts: at % 3 !== 0,
    refused: at % 7 === 0,
    surveys: 1 + (at % 5),
    lastAt: new Date(1.7e12 + at),
  }));
  const held: Held = { asOf: ago(10), today: '2026-11-23', rows, coupons: [], active: [] };
  const last = lastAnswers<ReturnType<typeof inColumns>>('held');
  await last.keep(['all'], ago(10), inColumns(held));
  const found = await last.find(['all'], HOUR);
  expect(JSON.stringify(found && inRows(found).rows) === JSON.stringify(rows)).toBe(true);
});
