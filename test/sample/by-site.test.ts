/** The table of all sites, by which the small cells of one site are hidden. */
import type { OutcomeAnswers } from '../../src/statistics/estimators/outcome.ts';
import { CellSizeCounter } from '../../src/statistics/estimators/sample/cell-size.ts';
import {
  codedColumnOf,
  columnsOfAllSites,
  hiddenCellsBySite,
  hiddenLevelsAtSite,
  levelTitlesOf,
  outcomeTablesBySite,
} from '../../src/statistics/sample/by-site.ts';
import { LOCATION_OUTCOME_SPEC } from '../../src/statistics/sample/catalog.ts';
import type { LoadedOutcome } from '../../src/statistics/sample/sample.ts';

type Sample = Parameters<typeof outcomeTablesBySite>[0];

const category = (levels: string[], codes: number[]) => ({
  kind: 'CATEGORY' as const,
  levels,
  codes: Int32Array.from(codes),
});
const number = (...values: number[]) => ({ kind: 'NUMBER' as const, values: Float64Array.from(values) });
const loaded = (name: string, outcome: OutcomeAnswers, more: object = {}) =>
  ({ name, outcome, levelTitles: [], ...more }) as unknown as LoadedOutcome;

/** Three people at B; one each at C and A, then again at A and C. */
const SITES = category(['C', 'A'], [0, 1, 1, 0]);
const STATUS = category(['yes', 'no'], [0, 1, -1]);
const AGE = number(5, Number.NaN, 5);
const sample = (fields: Partial<Sample> = {}): Sample => ({
  recruiters: Int32Array.from([-1, -1, -1]) as Sample['recruiters'],
  site: 'B',
  outcomes: [
    loaded('status', STATUS),
    loaded('age', AGE),
    loaded(LOCATION_OUTCOME_SPEC.name, category(['B'], [0, 0, 0])),
  ],
  elsewhere: {
    sites: SITES,
    outcomes: [
      loaded('status', category(['maybe', 'yes'], [0, 1, -1, 1])),
      loaded('age', number(1, 2, 1, Number.NaN)),
      loaded(LOCATION_OUTCOME_SPEC.name, SITES),
    ],
  },
  ...fields,
});

test('a table counts the known answers of each site, with sites and levels by code point', () => {
  expect(outcomeTablesBySite(sample())[0]).toEqual({
    at: 1,
    levels: ['maybe', 'no', 'yes'],
    counts: [
      [0, 0, 1],
      [0, 1, 1],
      [1, 0, 1],
    ],
    people: [2, 3, 2],
  });
});

test('for a number, the table counts the people behind the mean of each site', () => {
  const cells = [
    [2, 1],
    [5, Number.NaN, 5],
    [1, Number.NaN],
  ].map((values) => {
    const cell = new CellSizeCounter();
    for (const value of values) cell.add(value);
    return cell;
  });
  expect(outcomeTablesBySite(sample())[1]).toEqual({
    at: 1,
    levels: [null],
    counts: cells.map(({ size }) => [size]),
    apart: cells.map(({ apart }) => [apart]),
    people: [2, 3, 2],
  });
});

test('there is no table of the sites themselves, and none without data of other sites', () => {
  expect(outcomeTablesBySite(sample())[2]).toBeNull();
  expect(outcomeTablesBySite(sample({ elsewhere: null }))).toEqual([null, null, null]);
  expect(outcomeTablesBySite(sample({ site: null }))).toEqual([null, null, null]);
  expect(columnsOfAllSites(sample({ site: null }))).toBeNull();
});

test('a site without people has no row in its table, and hides nothing', () => {
  const outcomes = [loaded('status', category([], []))];
  const [table] = outcomeTablesBySite(
    sample({ recruiters: new Int32Array(0) as Sample['recruiters'], outcomes }),
  );
  expect(table).toEqual({
    at: -1,
    levels: ['maybe', 'yes'],
    counts: [
      [0, 1],
      [1, 1],
    ],
    people: [2, 2],
  });
  expect(hiddenLevelsAtSite(table!, 5)).toEqual(new Set());
});

test('rows of the sample come first, then those of the other sites', () => {
  const [status, age] = columnsOfAllSites(sample())!.outcomes;
  expect([...status!.codes]).toEqual([2, 1, -1, 0, 2, -1, 2]);
  expect(status!.values).toBeUndefined();
  expect([...age!.codes]).toEqual([0, -1, 0, 0, 0, 0, -1]);
  expect([...age!.values!]).toEqual([5, Number.NaN, 5, 1, 2, 1, Number.NaN]);
  expect([...columnsOfAllSites(sample())!.sites.codes]).toEqual([1, 1, 1, 2, 0, 0, 2]);
});

test('a number is coded as known or not, a category by its levels', () => {
  expect(codedColumnOf(number(3, Number.NaN))).toEqual({
    levels: [null],
    codes: Int32Array.from([0, -1]),
    values: Float64Array.from([3, Number.NaN]),
  });
  const { levels, codes } = STATUS;
  expect(codedColumnOf(STATUS)).toEqual({ levels, codes });
});

test('titles of levels come from the sample, or else from the other sites', () => {
  const titled = (levels: string[], levelTitles: (object | null)[]) =>
    loaded('status', category(levels, []), { levelTitles });
  const here = titled(['no', 'yes', 'new'], [null, { en: 'Yes' }, null]);
  const elsewhere = titled(['maybe', 'no', 'yes'], [{ en: 'Perhaps' }, { en: 'Not' }, { en: 'Aye' }]);
  expect([...levelTitlesOf(here, elsewhere)]).toEqual([
    ['maybe', { en: 'Perhaps' }],
    ['no', { en: 'Not' }],
    ['yes', { en: 'Yes' }],
    ['new', null],
  ]);
  expect([...levelTitlesOf(here)]).toEqual([
    ['no', null],
    ['yes', { en: 'Yes' }],
    ['new', null],
  ]);
  expect(levelTitlesOf(loaded('age', AGE), loaded('age', AGE)).size).toBe(0);
});

test('a site hides its small levels and those by which they could be derived, and nothing without a smallest cell', () => {
  const table = {
    at: 0,
    levels: ['a', 'b', 'c', 'd'],
    counts: [
      [2, 9, 30, 0],
      [20, 25, 40, 20],
      [20, 24, 40, 20],
    ],
    people: [41, 105, 104],
  };
  expect(hiddenLevelsAtSite(table, 5)).toEqual(new Set(['a', 'b']));
  expect(hiddenLevelsAtSite({ ...table, at: 1 }, 5)).toEqual(new Set(['a', 'b']));
  expect(hiddenLevelsAtSite({ ...table, at: 2 }, 5)).toEqual(new Set());
  expect(hiddenLevelsAtSite(table, 0)).toEqual(new Set());
  expect(hiddenLevelsAtSite({ ...table, at: -1 }, 5)).toEqual(new Set());
});

test('more is hidden because everyone can know how many people answered at each site', () => {
  const counts = [
    [2, 20, 6],
    [0, 3, 0],
    [0, 6, 0],
    [3, 0, 4],
  ];
  const { cells } = hiddenCellsBySite(counts, [28, 3, 6, 7], 5);
  // Without that, the 20 would be shown.
  expect(cells).toEqual([
    [true, true, true],
    [true, true, true],
    [true, true, true],
    [true, false, true],
  ]);
});
