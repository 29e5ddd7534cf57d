/** The SPSS and Stata files: names, labels, types and missing values, with hostile texts; PSPP really runs the syntax. */
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { csvText } from '../../src/exports/interviews/row-text.ts';
import { spssNames, spssSyntax } from '../../src/exports/syntax/spss.ts';
import { stataDo, stataNames } from '../../src/exports/syntax/stata.ts';
import type { Variable } from '../../src/exports/syntax/statistics-variables.ts';
import { parseCsv } from '../../src/platform/lib/text/csv.ts';
import { hasPspp } from './pspp.ts';

const LONG = `q${'x'.repeat(199)}`;
const variable = (column: string, holds: Variable['holds'], more: Partial<Variable> = {}): Variable => ({
  ...{ column, holds, label: `Label of ${column}`, bytes: 24, values: [], isWhole: false, ...more },
});
const values = (...all: [value: string, label: string][]) => all.map(([value, label]) => ({ value, label }));

/** Questions may be called as commands are. */
const COMMANDS_OF_SPSS =
  'comment document title subtitle data begin end if else do loop repeat define execute exit finish quit compute save get frequencies sort file text value values label labels variable variables display list select split weight recode string missing set show host include insert input program match add rename format formats leave numeric vector by_ aggregate temporary sample filter use cd erase'.split(
    ' ',
  );

const HOSTILE: Variable[] = [
  variable('id', 'TEXT'),
  variable('ALL', 'NUMBER', { label: 'It\'s "all"\nof . them. ' }),
  variable('to', 'NUMBER', { values: values(['0', 'No.\n\nEXECUTE.'], ['1', "Yes 'really'."]) }),
  variable('services.food', 'NUMBER', { values: values(['0', '(not chosen)'], ['1', 'Food']) }),
  variable(LONG, 'TEXT', { label: 'L'.repeat(600), bytes: 9_003 }),
  variable(`${LONG}y`, 'TEXT', { label: `${'нет '.repeat(100)}` }),
  variable('سؤال', 'CATEGORY', {
    label: 'كم مرة؟',
    bytes: 40,
    values: values(['نعم', 'نعم، أوافق'], ['لا', 'لا'], ['refused', 'يرفض'], ['dontknow', 'لا يعرف']),
  }),
  variable('1st', 'CATEGORY', {
    bytes: 30,
    values: values(
      ["o'clock", 'it\'s "quoted"'],
      ['say "hi"', "`local' $global \"' end"],
      ['a`b$c', 'V'.repeat(300)],
      ["'=SUM(1)", 'formula'],
    ),
  }),
  variable('born', 'DAY'),
  variable('started', 'INSTANT'),
  variable('Started', 'NUMBER'),
  variable('_n', 'NUMBER'),
  variable('ends_', 'NUMBER'),
  ...COMMANDS_OF_SPSS.map((word) => variable(word, 'NUMBER')),
];
const LONG_TEXT = `${'é, "x"; '.repeat(1_000)}end`;
const ROWS = [
  ['a1', 1, 1, 0, LONG_TEXT, 'да', 'نعم', "o'clock", '2026-11-22', '2026-11-22T10:00:05.123Z', 2.5, 1e21, -3],
  ['a2', '', '', '', '', '', '', '', '', '', '', '', ''],
  ['a3', 0, 0, 1, 'b', '', 'refused', 'say "hi"', '1950-01-02', '2026-01-02T00:00:00Z', 0.125, 0, 7],
  ['a4', 12, 1, 1, '  ', '', 'لا', '=SUM(1)', '2026-02-28', '2026-01-02T23:59:59Z', -4, 0, 7],
];

const ALL_ROWS = ROWS.map((row) => [...row, ...COMMANDS_OF_SPSS.map(() => '')]);

const textOf = (lines: Iterable<string>) => [...lines].join('');

const NAME = /^[A-Za-z][A-Za-z0-9_.]*$/;

test('names are valid, not reserved, and differ without regard to capital letters', () => {
  const spss = spssNames(HOSTILE);
  expect(spss.filter((name) => !NAME.test(name) || name.length > 64 || /[._]$/.test(name))).toEqual([]);
  expect(spss.slice(0, 4)).toEqual(['id', 'ALL_2', 'to_2', 'services.food']);
  expect(spss.slice(6, 13)).toEqual(['column_7', 'q_1st', 'born', 'started', 'Started_2', 'n', 'ends']);
  const stata = stataNames(HOSTILE);
  expect(stata.filter((name) => !/^[A-Za-z][A-Za-z0-9_]{0,31}$/.test(name))).toEqual([]);
  expect(stata.slice(1, 4)).toEqual(['ALL', 'to', 'services_food']);
  for (const names of [spss, stata])
    expect(new Set(names.map((name) => name.toLowerCase())).size).toBe(HOSTILE.length);
  const named = (...columns: string[]) => stataNames(columns.map((column) => variable(column, 'TEXT')));
  expect(named('if', 'str5', 'a.b', 'a_b', 'A-B', '$$', 'byte')).toEqual([
    ...['if_2', 'str5_2', 'a_b', 'a_b_2', 'A_B_3', 'column_6', 'byte_2'],
  ]);
});

test('no line of SPSS syntax is too long, and none ends a command early', () => {
  const syntax = textOf(
    spssSyntax('rds.csv', HOSTILE, { notes: ['Reads.\nEXECUTE.'], haveLineBreaks: false }),
  );
  const lines = syntax.split('\n');
  expect(lines.filter((line) => Buffer.byteLength(line) > 250)).toEqual([]);
  // An empty line ends a command as a full stop does.
  for (const [at, line] of lines.entries())
    if (line === '' && at > 0) expect(lines[at - 1]).toMatch(/\.$|^$/);
});

/** What Stata's parser would make of a line: its tokens, with strings whole. Throws where a quote is open. */
function stataTokens(line: string): string[] {
  const tokens = line.match(/`"(?:(?!"').)*"'|"[^"]*"|[^\s"`]+|\s+|./gu) ?? [];
  const loose = tokens.filter(
    (token) => token === '"' || token === '`' || (token.startsWith('`') && !token.endsWith(`"'`)),
  );
  if (loose.length > 0) throw new Error(`an open quote: ${line}`);
  return tokens.filter((token) => token.trim() !== '');
}

const COMMANDS =
  /^(\*|version 15$|clear$|import delimited |bindquotes|rename v\* __s\*$|generate (double |long )?\w+ = |replace \w+ = \S+ if |format \w+ %t[cd]$|label (variable|define|values) |capture (encode|replace|drop) |compress$|save )/;

test('each line of the do-file is a command of Stata with closed quotes, no macro, and lengths that it takes', () => {
  const lines = textOf(stataDo('rds.csv', HOSTILE, { notes: ['Reads.\nclear'], haveLineBreaks: false }))
    .split('\n')
    .filter(Boolean);
  expect(lines.filter((line) => !COMMANDS.test(line.trim()))).toEqual([]);
  for (const line of lines.filter((one) => !one.startsWith('*'))) {
    const tokens = stataTokens(line);
    const strings = tokens.filter((token) => /^[`"]/.test(token));
    expect(strings.filter((text) => /[$`]/.test(text.slice(1)) && !text.startsWith('`"'))).toEqual([]);
    expect(strings.filter((text) => text.startsWith('`"') && /[$`]/.test(text.slice(2)))).toEqual([]);
    if (line.startsWith('label variable')) expect([...(strings[0] ?? '')].length).toBeLessThanOrEqual(84);
    const [, kind, label, value] = tokens;
    if (line.startsWith('label define')) {
      expect(kind).toBe('define');
      expect(label).toMatch(/^L\d+$/);
      expect(value).toMatch(/^(-?\d+|\.[ab])$/);
      expect(tokens.slice(-1)).toEqual(['modify']);
    }
  }
  const text = lines.join('\n');
  expect(text).toContain('replace q_1st = 3 if __s8 == "a" + char(96) + "b" + char(36) + "c"');
  expect(text).toContain('replace q_1st = 2 if __s8 == "say " + char(34) + "hi" + char(34)');
  expect(text).toMatch(
    /replace column_7 = \.a if __s7 == "refused"\nreplace column_7 = \.b if __s7 == "dontknow"/,
  );
});

(hasPspp ? test : test.skip)(
  'PSPP reads hostile data with their labels, missing values and dates',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'syntax-'));
    try {
      await writeFile(join(folder, 'rds.csv'), csvText([HOSTILE.map(({ column }) => column), ...ALL_ROWS]));
      const syntax = textOf(
        spssSyntax('rds.csv', HOSTILE, { notes: ['Reads rds.csv.'], haveLineBreaks: false }),
      );
      await writeFile(join(folder, 'rds.sps'), syntax);
      const long = spssNames(HOSTILE)[4];
      const after = `GET FILE='rds.sav'.
SAVE TRANSLATE /OUTFILE='codes.csv' /TYPE=CSV /FIELDNAMES /CELLS=VALUES /REPLACE.
SAVE TRANSLATE /OUTFILE='labels.csv' /TYPE=CSV /FIELDNAMES /CELLS=LABELS /MISSING=RECODE /REPLACE.
COMPUTE length = LENGTH(RTRIM(${long})).
SAVE TRANSLATE /OUTFILE='lengths.csv' /TYPE=CSV /KEEP=length /FIELDNAMES /REPLACE.
DISPLAY DICTIONARY.
`;
      await writeFile(join(folder, 'after.sps'), after);
      const run = promisify(execFile);
      const read = await run('pspp', ['-o', 'read.txt', 'rds.sps'], { cwd: folder });
      expect(read.stderr + read.stdout).toBe('');
      await run('pspp', ['-o', 'after.txt', 'after.sps'], { cwd: folder });
      const tableOf = async (name: string) =>
        parseCsv(await readFile(join(folder, name), 'utf8')).map(({ cells }) => cells);
      const [heading, first = [], second = [], third = [], fourth = []] = await tableOf('codes.csv');
      expect(heading).toEqual(spssNames(HOSTILE));
      expect(first[4] === LONG_TEXT).toBe(true);
      expect([first[1], first[9], first[10], first[12]].map(String)).toEqual([
        ...['1', '11/22/2026 10:00:05', '2.5', '-3'],
      ]);
      expect(second.slice(1).every((cell) => !cell?.trim())).toBe(true);
      expect([third[6], third[7], third[8]]).toEqual(['refused', 'say "hi"', '01/02/1950']);
      expect(fourth[7]).toBe("'=SUM(1)");
      const labels = await tableOf('labels.csv');
      expect([labels[1]?.[2], labels[1]?.[6], labels[1]?.[7]]).toEqual([
        ...["Yes 'really'.", 'نعم، أوافق', 'it\'s "quoted"'],
      ]);
      expect(labels[3]?.[2]).toBe('No. EXECUTE.');
      expect(labels[4]?.[7]).toBe('formula');
      expect((await tableOf('lengths.csv'))[1]).toEqual([String(Buffer.byteLength(LONG_TEXT))]);
      const dictionary = await readFile(join(folder, 'after.txt'), 'utf8');
      expect(dictionary).toMatch(/refused\[a\]|"refused/);
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
