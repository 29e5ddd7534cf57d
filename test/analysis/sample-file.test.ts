/** Sample files: what is accepted, and each error with its line. */

import { recruitmentTree } from '../../src/statistics/estimators/sample/sample.ts';
import {
  BrokenSample,
  parseSampleFile,
  type SampleFromFile,
} from '../../src/statistics/estimators/sample/sample-file.ts';

const COLUMNS = { id: 'id', recruiter: 'recruiter.id', size: 'network.size', time: null };
const read = (...lines: string[]): SampleFromFile => parseSampleFile(lines.join('\n'), COLUMNS);
const HEAD = 'id,recruiter.id,network.size,time,gender';

function faultsOf(...lines: string[]): string[] {
  try {
    read(...lines);
  } catch (error) {
    if (error instanceof BrokenSample) return error.faults;
    throw error;
  }
  return [];
}

test('a CSV is read by column names; empty cells and NA are missing', () => {
  const file = read(
    HEAD,
    'a,seed,5,2026-01-22T00:10:00Z,woman',
    '"b",a,,2026-01-23T00:10:00Z,"man, trans"',
    'c,a,0,2026-01-22T09:00:00Z,NA',
  );
  expect([...file.sample.recruiters]).toEqual([-1, 0, 0]);
  expect([...file.sample.reportedSizes]).toEqual([5, Number.NaN, 0]);
  expect([...file.sample.order]).toEqual([0, 2, 1]);
  expect(file.outcome('gender')).toMatchObject({ levels: ['man, trans', 'woman'] });
  expect([file.names, file.outcome('age')]).toEqual([['gender'], null]);
});

test('semicolons, tabs, a byte order mark and either line ending are read', () => {
  for (const between of [';', '\t']) {
    const text = `\ufeff${HEAD}\na,seed,5,,x\nb,a,6,,y\n`.replaceAll(',', between).replaceAll('\n', '\r\n');
    expect(parseSampleFile(text, COLUMNS).sample.ids).toEqual(['a', 'b']);
  }
});

test('all errors of a file are listed at once, each with its line', () => {
  expect(
    faultsOf(
      HEAD,
      'a,seed,5,,x',
      'a,seed,-1,,x',
      ',a,3,,x',
      'd,,3,,x',
      'e,e,many,,x',
      'f,elsewhere,1,,x',
      'g,h,1,,x',
      'h,g,1,,x',
      'i,seed,1e999,,x',
      'j,seed,5e-324,,x',
      'k,seed,1e300,,x',
    ),
  ).toEqual([
    'Line 3: The id a appears in more than one row.',
    'Line 3: The network size -1 is not a number of 0 or more.',
    'Line 4: The id is missing.',
    'Line 5: The recruiter is missing.',
    'Line 6: e is its own recruiter.',
    'Line 6: The network size many is not a number of 0 or more.',
    'Line 7: The recruiter elsewhere is not an id in the file, and seeds are marked seed.',
    'Line 8: These people recruited each other in a loop: g, h.',
    'Line 10: The network size 1e999 is not a number of 0 or more.',
    'Line 11: The network size 5e-324 is not possible: it must be 0, or from 0.001 to 1000000000.',
    'Line 12: The network size 1e300 is not possible: it must be 0, or from 0.001 to 1000000000.',
  ]);
});

test.each([
  ['no seed', [HEAD, 'a,b,1,,x', 'b,a,1,,x'], /no seed/],
  ['no row', [HEAD], /no respondents/],
  ['no such column', ['id,who', 'a,b'], /There is no column recruiter\.id, network\.size/],
  ['a heading twice', [`${HEAD},gender`, 'a,seed,1,,x,y'], /twice: gender/],
  ['a row too short', [HEAD, 'a,seed,1'], /Line 2: 3 cells, and the heading has 5/],
  ['a time that is none', [HEAD, 'a,seed,1,soon,x'], /Line 2: soon is not a time/],
])('%s is rejected', (_, lines, message) => {
  expect(faultsOf(...lines).join('\n')).toMatch(message);
});

test('a recruit earlier than the recruiter is listed, and counts at the recruiter’s time', () => {
  const file = read(HEAD, 'a,seed,1,10,x', 'b,a,1,5,x', 'c,seed,1,7,x');
  expect(file.remarks).toEqual(["Line 3: b came before a, who recruited them. Using the recruiter's time."]);
  expect([...file.sample.order]).toEqual([2, 0, 1]);
});

test('a column of over ten different numbers is a number unless declared otherwise', () => {
  const rows = (count: number) => Array.from({ length: count }, (_, i) => `p${i},seed,1,,${i}.5`);
  expect(read(HEAD, ...rows(11)).outcome('gender')).toMatchObject({ kind: 'NUMBER' });
  expect(read(HEAD, ...rows(10)).outcome('gender')).toMatchObject({ kind: 'CATEGORY' });
  expect(read(HEAD, ...rows(11)).outcome('gender', 'category')).toMatchObject({ kind: 'CATEGORY' });
  expect(() => read(HEAD, ...rows(3), 'q,seed,1,,tall').outcome('gender', 'number')).toThrow(
    /Line 5: gender is tall/,
  );
});

const RDSAT = [
  'RDS',
  '4\t2\tNA\tstatus',
  'p1\t5\tNA\tA1\tA2\tx',
  'p2\t9\tA1\tB1\tNA\ty',
  'p3\t2\tA2\tNA\tNA\tNA',
  'p4\t3\tZ9\tNA\tNA\tx',
];

test('an RDSAT file is detected by its first line, and recruiters are found by coupons', () => {
  const file = read(...RDSAT);
  expect([...file.sample.recruiters]).toEqual([-1, 0, 0, -1]);
  expect([...recruitmentTree(file.sample.recruiters).waves]).toEqual([0, 1, 1, 0]);
  expect(file.outcome('status')).toMatchObject({ levels: ['x', 'y'] });
});

test('a coupon given to two people counts for the later row, with a note; one returned twice makes two recruits', () => {
  const twice = read(
    RDSAT[0]!,
    RDSAT[1]!,
    RDSAT[2]!,
    'p2\t9\tA1\tA2\tNA\ty',
    RDSAT[4]!,
    'p4\t3\tA1\tNA\tNA\tx',
  );
  expect([...twice.sample.recruiters]).toEqual([-1, 0, 1, 0]);
  expect(twice.remarks).toEqual(['Line 4: coupon A2 was given to p1 too; this later row counts.']);
});

test('an RDSAT file that is truncated, uneven or with a self-recruit is rejected', () => {
  expect(faultsOf(...RDSAT.slice(0, 5)).join()).toMatch(/announces 4 rows, and there are 3/);
  expect(faultsOf(...RDSAT.slice(0, 5), 'p4\t3').join()).toMatch(/Line 6: 2 cells, and it must be 6/);
  expect(faultsOf(...RDSAT.slice(0, 5), 'p4\t3\tD1\tD1\tNA\tx').join()).toMatch(
    /Line 6: p4 is its own recruiter/,
  );
});

const PLAIN = ['RDS', '4 2 NA sex', '1 5 NA c1 c2 m', '2 6 c1 NA NA f', '3 4 c2 NA NA m', '4 9 NA NA NA f'];
const quoted = (line: string) => line.replace(/[^ ]+/g, '"$&"');

test.each([
  ['a lower-case first line', ['rds', ...PLAIN.slice(1)].join('\n')],
  [
    'separators that a spreadsheet adds',
    `RDS,,,,,,\n4,2,NA,sex,,,\n${PLAIN.slice(2).join('\n')}\n`.replaceAll(' ', ','),
  ],
  [
    'separators after each line',
    PLAIN.map((line) => `${line};;;`)
      .join('\n')
      .replaceAll(' ', ';'),
  ],
  ['quotes', PLAIN.map(quoted).join('\r\n').replaceAll(' ', ',')],
  ['a quoted first line alone', ['"Rds"', ...PLAIN.slice(1)].join('\n')],
  ['CR line ends', PLAIN.join('\r')],
  ['tabs and CR line ends', `${PLAIN.join('\r')}\r`.replaceAll(' ', '\t')],
  ['a byte order mark and spaces', `\ufeff RDS  \n${PLAIN.slice(1).join(' \n  ')}`],
])('an RDSAT file with %s is read', (_, text) => {
  const { sample, outcome, names } = parseSampleFile(text, COLUMNS);
  expect([...sample.recruiters]).toEqual([-1, 0, 0, -1]);
  expect([...sample.reportedSizes]).toEqual([5, 6, 4, 9]);
  expect(names).toEqual(['sex']);
  expect(outcome('sex')).toMatchObject({ levels: ['f', 'm'] });
});
