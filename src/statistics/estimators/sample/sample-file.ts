/** Reads a sample from a file: a CSV with one row per respondent, or an RDSAT file. Errors include the line number. */
import { type CsvRow, parseCsv } from '../../../platform/lib/text/csv.ts';
import { type OutcomeAnswers, toCategoryOutcome } from '../outcome.ts';
import type { Sample } from './sample.ts';
import { checkSample, parseNumber, type SampleRow } from './sample-rules.ts';

export interface SampleColumnNames {
  id: string;
  recruiter: string;
  size: string;
  /** Null: uses the column named "time" if there is one. */
  time: string | null;
}

export type VariableKind = 'category' | 'number';

export interface SampleFromFile {
  sample: Sample;
  /** Oddities that are not errors, each with its line number. */
  remarks: string[];
  /** The answers in a column; null if there is no such column. */
  outcome(name: string, kind?: VariableKind): OutcomeAnswers | null;
  /** Columns that can be used as outcomes. */
  names: string[];
}

/** All errors in a file, one per line. */
export class BrokenSample extends Error {
  readonly faults: string[];

  constructor(faults: string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

interface Table {
  names: string[];
  rows: CsvRow<string | null>[];
}

/** Matches the first line of an RDSAT file, which a spreadsheet may have padded with separators. */
const RDSAT = /^\s*["']?[ \t]*RDS[ \t]*["']?[,; \t]*(?:\r\n?|\n|$)/i;
const DEFAULT_TIME = 'time';
/** A column of only numbers with more distinct values than this is a number. */
const MAX_LEVELS = 10;

export function parseSampleFile(text: string, columns: SampleColumnNames): SampleFromFile {
  const plain = text.replace(/^\ufeff/, '');
  return RDSAT.test(plain) ? readRdsat(plain.replace(/\r\n?/g, '\n'), columns) : readTable(plain, columns);
}

function readTable(text: string, columns: SampleColumnNames): SampleFromFile {
  const { names, rows } = tableOf(text);
  const requiredNames = [
    columns.id,
    columns.recruiter,
    columns.size,
    ...(columns.time === null ? [] : [columns.time]),
  ];
  const absent = requiredNames.filter((name) => !names.includes(name));
  if (absent.length > 0)
    throw new BrokenSample([
      `There is no column ${absent.join(', ')}. The file has: ${names.join(', ') || 'no heading'}.`,
      ...(names.includes('recruiter_id') && names.includes('network_size') ? [WRONG_FILE_HINT] : []),
    ]);
  const [id, recruiter, size] = requiredNames.map((name) => names.indexOf(name));
  const time = names.indexOf(columns.time ?? DEFAULT_TIME);
  const respondents = rows.map(({ cells }) => ({
    id: cells[id!] ?? null,
    recruiter: cells[recruiter!] ?? null,
    size: cells[size!] ?? null,
    time: cells[time] ?? null,
  }));
  const file = fileOf({ names, rows }, respondents, [id!, recruiter!, size!, time]);
  return { ...file, remarks: [...notCounted({ names, rows }), ...file.remarks] };
}

const WRONG_FILE_HINT =
  'It looks like interviews.csv: take rds.csv, which holds the sample alone, or name the columns with --recruiter recruiter_id --size network_size.';

/**
 * An export of all interviews includes some that the study does not count. We only report them: dropping them here
 * would silently break up the recruitment tree.
 */
function notCounted({ names, rows }: Table): string[] {
  const having = (name: string, value: string) => {
    const column = names.indexOf(name);
    return column < 0 ? 0 : rows.filter(({ cells }) => cells[column] === value).length;
  };
  const exclusions = [
    ['takes_part', 'no'],
    ['status', 'IN_PROGRESS'],
    ['review', 'REJECTED'],
  ] as const;
  return exclusions.flatMap(([name, value]) => {
    const count = having(name, value);
    return count === 0
      ? []
      : [
          `${name} is ${value} in ${count} of the rows, and they count here; rds.csv leaves such interviews out.`,
        ];
  });
}

function tableOf(text: string): Table {
  const [heading, ...rest] = recordsOf(text, {});
  const names = heading?.cells.map((cell) => cell ?? '') ?? [];
  const twice = names.filter((name, at) => name !== '' && names.indexOf(name) !== at);
  if (twice.length > 0) throw new BrokenSample([`The header row names a column twice: ${twice.join(', ')}.`]);
  const uneven = rest.filter(({ cells }) => cells.length !== names.length);
  if (uneven.length > 0)
    throw new BrokenSample(
      uneven.map(
        ({ line, cells }) => `Line ${line}: ${cells.length} cells, and the heading has ${names.length}.`,
      ),
    );
  return { names, rows: rest };
}

/**
 * Cells are trimmed, and are null if empty or equal to the missing-value mark. A quoted `"NA"` is a regular value,
 * unless the file quotes everything.
 */
function recordsOf(
  text: string,
  options: { delimiter?: string; quote?: false },
  mark = { text: 'NA', isQuoted: false },
): Table['rows'] {
  try {
    return parseCsv(text, {
      ...options,
      cast: (value, { quoting }) => {
        const cell = value.trim();
        return cell === '' || (cell === mark.text && (mark.isQuoted || !quoting)) ? null : cell;
      },
    });
  } catch (error) {
    throw new BrokenSample([error instanceof Error ? error.message : String(error)]);
  }
}

/**
 * Line 1: `RDS`. Line 2: the number of rows, the coupons per person, the missing-value mark, and the names of further
 * columns. Then one line per person: id, network size, own coupon, coupons given, other values.
 */
function readRdsat(text: string, columns: SampleColumnNames): SampleFromFile {
  // Count leading blank lines, so that the line numbers in errors match the file.
  const first = /^\s*\n/.exec(text)?.[0].split('\n').length ?? 1;
  const lines = text.split('\n').slice(first);
  const [second = ''] = lines;
  const delimiter = ['\t', ',', ';', ' '].sort((a, b) => second.split(b).length - second.split(a).length)[0]!;
  const quoted = new RegExp(`(?:^|${delimiter})"[^"\n]*"(?=${delimiter}|$)`, 'm').test(text);
  const mark = { text: 'NA', isQuoted: quoted };
  const read = (some: string[], skipped: number) =>
    recordsOf(
      some.map((line) => (delimiter === ' ' ? line.trim().replace(/ +/g, ' ') : line)).join('\n'),
      { delimiter, ...(quoted ? {} : { quote: false }) },
      mark,
    ).map(({ line, cells }) => ({ line: line + skipped, cells }));
  mark.text = '';
  const [head] = read([second], first);
  const [count, coupons] = [Number(head?.cells[0] ?? 'none'), Number(head?.cells[1] ?? 'none')];
  if (!Number.isInteger(count) || !Number.isInteger(coupons) || coupons < 0)
    throw new BrokenSample(['Line 2: it must begin with the number of rows and the number of coupons each.']);
  mark.text = head?.cells[2] ?? '';
  // Spreadsheets pad every line with separators to the length of the longest one.
  const names = withoutEnd(head?.cells.slice(3) ?? [], 0).map((name) => name ?? '');
  const width = 3 + coupons + names.length;
  const rows = read(lines.slice(1), first + 1).map(({ line, cells }) => ({
    line,
    cells: withoutEnd(cells, width),
  }));
  const faults: string[] = [];
  if (rows.length !== count) faults.push(`Line 2 announces ${count} rows, and there are ${rows.length}.`);
  for (const { line, cells } of rows)
    if (cells.length !== width) faults.push(`Line ${line}: ${cells.length} cells, and it must be ${width}.`);
  if (faults.length > 0) throw new BrokenSample(faults);
  const { holderOf, remarks } = couponsOf(rows, coupons);
  for (const { line, cells } of rows)
    if (cells[2] && !holderOf.has(cells[2]))
      remarks.push(
        `Line ${line}: coupon ${cells[2]} was not given by anyone in the file, so ${cells[0]} counts as a seed.`,
      );
  const time = names.indexOf(columns.time ?? DEFAULT_TIME);
  if (time < 0 && columns.time !== null) throw new BrokenSample([`There is no column ${columns.time}.`]);
  const respondents = rows.map(({ cells }) => ({
    id: cells[0] ?? null,
    size: cells[1] ?? null,
    recruiter: (cells[2] && holderOf.get(cells[2])) || null,
    time: time < 0 ? null : (cells[3 + coupons + time] ?? null),
  }));
  const rest = rows.map(({ line, cells }) => ({ line, cells: cells.slice(3 + coupons) }));
  const file = fileOf({ names, rows: rest }, respondents, [time], { seedsAreEmpty: true });
  return { ...file, remarks: [...remarks, ...file.remarks] };
}

/** Drops empty cells at the end, but keeps at least `least` cells. */
function withoutEnd<T>(cells: readonly (T | null)[], min: number): (T | null)[] {
  let length = cells.length;
  while (length > min && cells[length - 1] === null) length -= 1;
  return cells.slice(0, length);
}

/** Who was given each coupon. If two people were given the same one, the later row wins. */
function couponsOf(
  rows: Table['rows'],
  coupons: number,
): { holderOf: Map<string, string>; remarks: string[] } {
  const holderOf = new Map<string, string>();
  const remarks: string[] = [];
  for (const { line, cells } of rows) {
    for (const coupon of cells.slice(3, 3 + coupons)) {
      if (coupon === null || !cells[0]) continue;
      const before = holderOf.get(coupon);
      if (before !== undefined)
        remarks.push(`Line ${line}: coupon ${coupon} was given to ${before} too; this later row counts.`);
      holderOf.set(coupon, cells[0]);
    }
  }
  return { holderOf, remarks };
}

function fileOf(
  { names, rows }: Table,
  respondents: SampleRow[],
  usedColumns: number[],
  { seedsAreEmpty = false } = {},
): SampleFromFile {
  const at = (row: number | null) => (row === null ? '' : `Line ${rows[row]!.line}: `);
  if (respondents.length === 0) throw new BrokenSample(['The file has no respondents.']);
  const { sample, breaches, remarks } = checkSample(respondents, { seedsAreEmpty });
  if (breaches.length > 0) throw new BrokenSample(breaches.map(({ row, message }) => at(row) + message));
  return {
    sample,
    remarks: remarks.map(({ row, message }) => at(row) + message),
    names: names.filter((name, column) => name !== '' && !usedColumns.includes(column)),
    outcome: (name, kind) => {
      const column = names.indexOf(name);
      return column < 0 ? null : outcomeOf(name, rows, column, kind);
    },
  };
}

function outcomeOf(name: string, rows: Table['rows'], column: number, kind?: VariableKind): OutcomeAnswers {
  const answers = rows.map(({ cells }) => cells[column] ?? null);
  const different = new Set(answers.filter((answer) => answer !== null));
  const isNumber = [...different].every((answer) => !Number.isNaN(parseNumber(answer)));
  if (kind === 'number' && !isNumber) {
    const faults = rows
      .filter((_, row) => answers[row] !== null && Number.isNaN(parseNumber(answers[row]!)))
      .map(({ line, cells }) => `Line ${line}: ${name} is ${cells[column]}, which is not a number.`);
    throw new BrokenSample(faults);
  }
  if (kind === 'category' || (kind === undefined && !(isNumber && different.size > MAX_LEVELS)))
    return toCategoryOutcome(answers);
  return { kind: 'NUMBER', values: Float64Array.from(answers, parseNumber) };
}
