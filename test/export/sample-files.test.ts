/** The files of the sample, each read by an independent reader. */

import { csvText } from '../../src/exports/interviews/row-text.ts';
import { graphml, graphvizDot } from '../../src/exports/sample/graph.ts';
import { rdsat } from '../../src/exports/sample/rdsat.ts';
import { sampleCsv } from '../../src/exports/sample/sample-csv.ts';
import { uniqueColumnNames } from '../../src/exports/sample/sample-table.ts';
import { studyR } from '../../src/exports/sample/study-r.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';
import fc from '../fast-check.ts';
import { edge240, tableOf } from './tables.ts';

const COLUMNS = { id: 'id', recruiter: 'recruiter.id', size: 'network.size', time: null };
const textOf = (pieces: Iterable<string>) => [...pieces].join('');

test.each([
  ['rds.csv', sampleCsv],
  ['rdsat.txt', rdsat],
])('%s read back equals the sample and its outcomes', (_, write) => {
  const table = edge240();
  const { sample, remarks, names, outcome } = parseSampleFile(textOf(write(table)), COLUMNS);
  expect(remarks).toEqual([]);
  expect(sample).toMatchObject({
    ids: table.ids,
    recruiters: table.recruiters,
    reportedSizes: table.reportedSizes,
    order: Int32Array.from(table.ids.keys()),
  });
  expect(names).toEqual(expect.arrayContaining(['status', 'region', 'score']));
  for (const { name, outcome: before } of table.outcomes)
    expect(outcome(name, before.kind === 'NUMBER' ? 'number' : 'category')).toEqual(before);
});

test('rds.csv starts with the columns of the reference package, seeds marked alike, times to the second', () => {
  const [heading, first, second] = textOf(sampleCsv(edge240())).split('\n');
  expect(heading).toBe('id,recruiter.id,network.size,wave,seed,time,max.coupons,status,region,score');
  expect(first).toBe('P00001,seed,5,0,P00001,2026-01-22T00:00:00Z,3,,east,38.8');
  expect(second).toMatch(/^P\d+,\w+,\d*,\d,P\d+,2026-01-22T00:00:01Z,3,/);
});

test('an RDSAT file has no tabs or empty values, and no coupon codes', () => {
  const outcomes = [{ name: 'a b', outcome: toCategoryOutcome(['x\ty', null]) }];
  const table = tableOf(['p', 'q'], Int32Array.of(-1, 0), Float64Array.of(Number.NaN, 0), [
    ...outcomes,
    { name: 'a_b', outcome: toCategoryOutcome([null, ' ']) },
  ]);
  expect(textOf(rdsat(table)).split('\n')).toEqual([
    'RDS',
    '2\t1\tNA\ta_b\ta_b_2',
    'p\tNA\tNA\tCq\tx y\tNA',
    'q\t0\tCq\tNA\tNA\tNA',
    '',
  ]);
});

test('answers such as NA or with special characters of R are the same when read back', () => {
  const outcome = toCategoryOutcome(['NA', 'don\'t "know" # 1', null, '01']);
  const table = tableOf(['p', 'q', 'r', 's'], Int32Array.of(-1, 0, 0, 0), Float64Array.of(3, 4, 5, 6), [
    { name: 'y', outcome },
  ]);
  const rows = textOf(sampleCsv(table)).split('\n');
  expect([rows[1], rows[3]]).toEqual([expect.stringMatching(/,"NA"$/), expect.stringMatching(/,$/)]);
  expect(parseSampleFile(rows.join('\n'), COLUMNS).outcome('y', 'category')).toEqual(outcome);
  const coupons = textOf(rdsat(table));
  expect(coupons).toMatch(/^RDS\n4\t3\t\.\ty\n/);
  expect(coupons).not.toMatch(/["'#]/);
  const back = parseSampleFile(coupons, COLUMNS).outcome('y', 'category');
  expect(back).toEqual(toCategoryOutcome(['NA', 'don\u2019t \u201Dknow\u201D \uFF03 1', null, '01']));
});

test('no CSV cell starts a formula, with any separator', () => {
  const guarded = (cell: string) => parseCsv(csvText([[cell, 'b', 'c', 'd', 'e']]))[0]!.cells[0];
  expect(['=1', '+a', '-a', '@a', '\t=1', '\r=1', '\uFF1Da'].map(guarded)).toEqual([
    "'=1",
    "'+a",
    "'-a",
    "'@a",
    "'\t'=1",
    "'\r'=1",
    "'\uFF1Da",
  ]);
  expect(['a;=1', 'a;"=1"', 'a\n=1', 'a\t@b', 'a;-2+3;c'].map(guarded)).toEqual([
    "a;'=1",
    'a;"\'=1"',
    "a\n'=1",
    "a\t'@b",
    "a;'-2+3;c",
  ]);
  for (const harmless of ['-5', '+1.5', 'a;-5', 'a - b', 'x=1', 'a; b', '2026-11-22T10:00:00Z'])
    expect(guarded(harmless)).toBe(harmless);
});

const ALONE = { site: null, counts: [] };
test('the R script keeps codes as text, and uses no population size below the sample', () => {
  const outcomes = [
    { name: 'status', kind: 'CATEGORY' as const, notAsked: 0 },
    { name: 'my "age"', kind: 'NUMBER' as const, notAsked: 7 },
  ];
  const script = studyR({ outcomes, sites: new Map(), people: 120, populationSize: 900, ...ALONE });
  expect(script).toMatch(/^population <- 900$/m);
  expect(script).toContain('categories <- c("status")\nnumbers <- c("my \\"age\\"")\n');
  expect(script).toContain('not.asked <- c("my \\"age\\"" = 7)\n');
  expect(script).toMatch(/na\.strings = "", .*colClasses = classes\)/);
  expect(script).toMatch(/for \(name in c\(categories, numbers\)\) \{\n.*RDS\.I\.estimates/);
  const few = studyR({ outcomes, sites: new Map(), people: 120, populationSize: 100, ...ALONE });
  expect(few).toMatch(/^# The study says 100, fewer than the 120 in the sample[^\n]*\npopulation <- NA$/m);
});

test('a question named like a fixed column is renamed', () => {
  expect(uniqueColumnNames(['wave', 'answer.wave', 'age'])).toEqual([
    'answer.wave',
    'answer.answer.wave',
    'age',
  ]);
});

test('GraphML and DOT are escaped whatever the answers contain', () => {
  const outcome = toCategoryOutcome(['<b> & "\u0001"', null]);
  const table = tableOf(['p"\\', 'q'], Int32Array.of(-1, 0), Float64Array.of(4.5, Number.NaN), [
    { name: 'a<b', outcome },
  ]);
  const xml = textOf(graphml(table));
  expect(xml).toContain('<key id="d5" for="node" attr.name="a&lt;b" attr.type="string"/>');
  expect(xml).toContain('<data key="d0">4.5</data><data key="d1">0</data>');
  expect(xml).toContain('<data key="d5">&lt;b&gt; &amp; &quot;&quot;</data></node>');
  expect(xml).toContain('<edge source="p&quot;\\" target="q"/>');
  expect(textOf(graphvizDot(table))).toBe(
    'digraph rds {\n  "p\\"\\\\" [size=4.5];\n  "q";\n  "p\\"\\\\" -> "q";\n}\n',
  );
});

test('tables are the same when read back, whatever the answers', () => {
  const value = fc.option(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).map((one) => `v${one.trim()}`),
  );
  const people = fc.array(fc.record({ value, size: fc.option(fc.nat(300)), up: fc.nat() }), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(people, (some) => {
      const ids = some.map((_, row) => `id${row}`);
      const recruiters = Int32Array.from(some, ({ up }, row) => (row === 0 ? -1 : (up % (row + 1)) - 1));
      const sizes = Float64Array.from(some, ({ size }) => size ?? Number.NaN);
      const outcome = toCategoryOutcome(some.map((one) => one.value));
      const table = tableOf(ids, recruiters, sizes, [{ name: 'y', outcome }]);
      const back = parseSampleFile(textOf(sampleCsv(table)), COLUMNS);
      expect(back.outcome('y', 'category')).toEqual(outcome);
      for (const write of [sampleCsv, rdsat])
        expect(parseSampleFile(textOf(write(table)), COLUMNS).sample).toMatchObject({
          recruiters,
          reportedSizes: sizes,
        });
    }),
    { numRuns: 100 },
  );
});
