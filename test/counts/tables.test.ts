/** The tables of a count over HTTP, with the built-in questionnaire. */
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import {
  chronicHomelessnessAnswer,
  raceCategoryOf,
} from '../../src/statistics/counts/tables/read-answers.ts';
import type { Body } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { LATER } from '../sample/simulated.ts';
import { answerOf, command, SLOW } from '../scripts/kit.ts';
import { COUNTS, insertStudy, makeCount, PEOPLE } from './world.ts';

let root: Person;
let admin: Person;
let site: string;
let count: string;

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(LATER);
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  site = await world.place();
  await insertStudy(root, [site, await world.place()]);
  count = await makeCount(root);
});

const tables = async (by = root, id = count): Promise<Body> =>
  (await by.get(`${COUNTS}/${id}/tables`).expect(200)).body;
const find = (body: Body, table: string, of: string): Body =>
  body.tables.find((one: Body) => one.table === table && one.of === of);
const sum = (cells: Body[]) => cells.reduce((all, { estimate }) => all + estimate, 0);

test('cells of each table add up to the total that it is of', async () => {
  const body = await tables();
  const { adults, persons, households } = body.totals;
  expect(persons.estimate).toBeGreaterThan(adults.estimate);
  expect(households.estimate).toBeLessThan(adults.estimate);
  const totals: Body = { ADULTS: adults, PERSONS: persons, HOUSEHOLDS: households };
  expect(body.tables.map(({ table, of }: Body) => `${table} ${of}`)).toEqual([
    'age PERSONS',
    'age HOUSEHOLDS',
    'gender ADULTS',
    'gender HOUSEHOLDS',
    'race ADULTS',
    'race HOUSEHOLDS',
    'veteran ADULTS',
    'veteran HOUSEHOLDS',
    'chronic ADULTS',
    'chronic HOUSEHOLDS',
    'householdType HOUSEHOLDS',
    'householdType PERSONS',
  ]);
  for (const { of, cells } of body.tables) expect(sum(cells)).toBe(totals[of].estimate);
});

test('each figure lies in its interval, not below the people interviewed nor above the total', async () => {
  const { tables: tableList, totals } = await tables();
  expect(totals.adults.low).toBeGreaterThanOrEqual(0);
  const max: Body = { ADULTS: totals.adults, PERSONS: totals.persons, HOUSEHOLDS: totals.households };
  for (const { of, cells } of tableList)
    for (const { estimate, low, high } of cells) {
      expect(low).toBeLessThanOrEqual(estimate);
      expect(high).toBeGreaterThanOrEqual(estimate);
      expect(high).toBeLessThanOrEqual(max[of].high);
    }
  const age = find({ tables: tableList }, 'age', 'PERSONS').cells;
  const young = age.find(({ cell }: Body) => cell === '18-24');
  expect(young.low).toBeGreaterThanOrEqual(Math.floor(PEOPLE / 3));
});

test('each total has the interval of the other bootstrap too, and that of the tree bootstrap is wider', async () => {
  const { totals, other, method } = await tables();
  expect([method, other.method].sort()).toEqual(['CHAIN', 'TREE']);
  for (const key of ['adults', 'persons', 'households']) {
    const [chain, tree] = method === 'CHAIN' ? [totals[key], other[key]] : [other[key], totals[key]];
    expect(tree.high - tree.low).toBeGreaterThan(chain.high - chain.low);
  }
  const atOneSite = await makeCount(root, { name: 'Count at one site', location: site, known: 200 });
  const hidden = await tables(admin, atOneSite);
  expect(hidden.other).toMatchObject({ adults: null, persons: null, households: null });
});

test('an empty cell is 0 with an upper bound', async () => {
  const age = find(await tables(), 'age', 'PERSONS').cells;
  const nobody = age.find(({ cell }: Body) => cell === '65-plus');
  expect(nobody).toMatchObject({ estimate: 0, low: 0 });
  expect(nobody.high).toBeGreaterThan(0);
});

test('an admin is not shown cells with few people, and finds none by subtraction', async () => {
  const veteran = find(await tables(admin), 'veteran', 'ADULTS').cells;
  expect(veteran.every(({ hidden, estimate }: Body) => hidden && estimate === null)).toBe(true);
  for (const { cells } of (await tables(admin)).tables) {
    const hidden = cells.filter((cell: Body) => cell.hidden);
    expect(hidden.length).not.toBe(1);
  }
  const rootCells = find(await tables(root), 'veteran', 'ADULTS').cells;
  expect(rootCells.some(({ hidden }: Body) => hidden)).toBe(false);
});

test('tables of one site are shown in full only to a super-admin', async () => {
  const id = await makeCount(root, { name: 'Count at this site', location: site });
  const body = await tables(admin, id);
  expect(body.notes).toMatchObject([{ code: 'ONE_SITE' }]);
  expect(body.totals.adults).toEqual({ estimate: null, low: null, high: null });
  expect(body.tables.flatMap(({ cells }: Body) => cells).every(({ hidden }: Body) => hidden)).toBe(true);
  expect((await tables(root, id)).totals.adults.estimate).toBeGreaterThan(0);
});

test('a total that is hidden from an admin has a note that says why', async () => {
  await root.patch('/api/study', { smallestCell: 50 }).expect(200);
  try {
    const { totals, notes } = await tables(admin);
    expect(totals.adults.estimate).toBeGreaterThan(0);
    // 20 people live with children.
    expect(totals.persons.estimate).toBeNull();
    expect(notes.map(({ code }: Body) => code)).toContain('PERSONS_HIDDEN');
    expect((await tables(root)).notes.map(({ code }: Body) => code)).not.toContain('PERSONS_HIDDEN');
  } finally {
    await root.patch('/api/study', { smallestCell: 5 }).expect(200);
  }
});

test('the text states the definition, the formula, the assumptions and where children on their own come from', async () => {
  const { text, notes } = await tables();
  for (const part of ['Adults without a home', 'M / q', 'weight-share', 'another source', 'Assumptions'])
    expect(text).toContain(part);
  expect(notes.map(({ code }: Body) => code)).toContain('CHILDREN_ALONE');
});

test('the file has a row for each total, cell and note', async () => {
  const body = await tables();
  const { text, headers } = await root.get(`${COUNTS}/${count}/tables.csv`).expect(200);
  expect(headers['content-type']).toContain('text/csv');
  const rows = parseCsv(text);
  const cells = body.tables.reduce((all: number, one: Body) => all + one.cells.length, 0);
  expect(rows).toHaveLength(1 + 3 + cells + body.notes.length);
});

test(
  'the terminal prints the same totals, cells, notes and text',
  async () => {
    const { asOf: _asOf, ...body } = await tables();
    expect(await answerOf('analyse', ['--count', 'Count of the night'])).toMatchObject(body);
    const { code, out } = await command('analyse', ['--count', count]);
    expect(code).toBe(0);
    expect(Math.max(...out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const plain = out.replace(/\s+/g, ' ');
    for (const { title } of body.tables) expect(plain).toContain(title.en);
    for (const { code: note } of body.notes) expect(plain).toContain(`${note}: `);
    expect(plain).toContain('weight-share method');
    const other = await command('analyse', ['--count', 'None of them']);
    expect(other).toMatchObject({ code: 1, err: expect.stringContaining('Count of the night') });
  },
  SLOW,
);

test('the same data give the same tables', async () => {
  const strip = ({ asOf: _asOf, ...rest }: Body) => rest;
  expect(strip(await tables())).toEqual(strip(await tables()));
});

test.each([
  [['white'], 'white'],
  [['hispanic'], 'hispanic'],
  [['hispanic', 'white'], 'white+hispanic'],
  [['black', 'asian'], 'several'],
  [['black', 'asian', 'hispanic'], 'several+hispanic'],
  [[], null],
])('race and ethnicity %p is the cell %p', (answers, cell) => {
  expect(raceCategoryOf(answers)).toBe(cell);
});

const LONG = { conditions: ['chronic'], disabling: 'yes', duration: '1-3Years', times: '1', months: null };
test.each([
  [{}, 'yes'],
  [{ disabling: 'no' }, 'no'],
  [{ disabling: null, conditions: [] }, 'no'],
  [{ disabling: null }, null],
  [{ duration: '1-3Months' }, 'no'],
  [{ duration: '1-3Months', times: '4-plus', months: '12-plus' }, 'yes'],
  [{ duration: '1-3Months', times: '4-plus', months: 'under6' }, 'no'],
  [{ duration: null, times: '4-plus', months: '12-plus' }, 'yes'],
  [{ duration: null }, null],
  [{ duration: '1-3Months', times: null }, null],
])('with %p chronic homelessness is %p', (change, cell) => {
  expect(chronicHomelessnessAnswer({ ...LONG, ...change })).toBe(cell);
});
