/** SPSS syntax (PSPP reads it too) for one of the CSV files: types, labels, missing values, and the data as .sav. */
import {
  hasLineBreak,
  NONRESPONSE_VALUES,
  oneLine,
  type SyntaxHeader,
  type Variable,
  variableNames,
} from './statistics-variables.ts';

const RESERVED = [
  ...['ALL', 'AND', 'BY', 'EQ', 'GE', 'GT', 'LE', 'LT', 'NE', 'NOT', 'OR', 'TO', 'WITH'],
  // A line that begins with one of these is a command.
  ...['BEGIN', 'COMMENT', 'DATA', 'DEFINE', 'DO', 'DOCUMENT', 'ELSE', 'END', 'EXECUTE', 'EXIT', 'FILE'],
  ...['FINISH', 'HOST', 'IF', 'INCLUDE', 'INSERT', 'LOOP', 'QUIT', 'REPEAT', 'SUBTITLE', 'TITLE'],
];
/** SPSS's limits, in bytes of UTF-8. */
const MAX_LENGTHS = { name: 64, label: 250, valueLabel: 120, value: 120, text: 32_767 };
/** Keeps lines of syntax below the length that SPSS can read. */
const LINE_BYTES = 90;
/** Minimum width, because later interviews may have longer texts. */
const MIN_BYTES = 8;

export function spssNames(variables: readonly Variable[]): string[] {
  const columns = variables.map(({ column }) => column);
  return variableNames(columns, { maxLength: MAX_LENGTHS.name, extraCharacters: '.', reserved: RESERVED });
}

export function* spssSyntax(
  file: string,
  variables: readonly Variable[],
  { notes, haveLineBreaks }: SyntaxHeader,
): Generator<string> {
  const names = spssNames(variables);
  const named = variables.map((variable, at) => ({ ...variable, name: names[at]!, raw: `@${at + 1}` }));
  const instants = named.filter(({ holds }) => holds === 'INSTANT');
  const saved = file.replace(/\.csv$/, '.sav');
  // The byte order mark indicates UTF-8.
  yield `\uFEFF${notes.map((note) => `* ${oneLine(note).replace(/\.$/, '')}.\n`).join('')}
SET DECIMAL=DOT.
GET DATA
  /TYPE=TXT
  /FILE=${quoted(file)}
  /ENCODING='UTF8'
  /ARRANGEMENT=DELIMITED
  /DELCASE=LINE
  /FIRSTCASE=2
  /DELIMITERS=','
  /QUALIFIER='"'
  /VARIABLES=
${named.map((one) => `    ${one.holds === 'INSTANT' ? one.raw : one.name} ${formatOf(one)}`).join('\n')}.
`;
  if (haveLineBreaks) yield BROKEN_LINES;
  const decimal = named.filter(({ holds, isWhole }) => holds === 'NUMBER' && !isWhole);
  if (decimal.length > 0) yield `\nFORMATS\n    ${decimal.map(({ name }) => name).join('\n    ')} (F12.3).\n`;
  if (instants.length > 0) yield instantsOf(instants, names);
  yield '\nVARIABLE LABELS\n';
  yield* listed(
    named.map(({ name, label, column }) => `${name} ${withLabel(label || column, MAX_LENGTHS.label)}`),
  );
  for (const { name, ...variable } of named) yield valueLabels(name, variable);
  for (const { name, holds, values } of named) {
    const missing = NONRESPONSE_VALUES.filter((value) => values.some((one) => one.value === value));
    if (holds !== 'CATEGORY') continue;
    yield `MISSING VALUES ${name} (${['', ...missing].map(quoted).join(' ')}).\n`;
  }
  const nominal = named.filter(({ values }) => values.length > 0).map(({ name }) => name);
  if (nominal.length > 0) yield `\nVARIABLE LEVEL\n    ${nominal.join('\n    ')} (NOMINAL).\n`;
  yield `\nEXECUTE.\nSAVE OUTFILE=${quoted(saved)}.\n`;
}

/** Added if answers have line breaks, because SPSS reads each line as a case. */
const BROKEN_LINES = `
* Some answers have line breaks. SPSS takes each line as a case, so that cells behind such an answer are lost.
* To read them too, take the line breaks out of the file first, for example in a spreadsheet.
SELECT IF (LENGTH(RTRIM(id)) = 24).
`;

function formatOf({ holds, bytes }: Variable): string {
  if (holds === 'NUMBER') return 'F8.0';
  if (holds === 'DAY') return 'SDATE10';
  return `A${Math.min(MAX_LENGTHS.text, Math.max(MIN_BYTES, bytes))}`;
}

/**
 * No format reads a timestamp, so it is computed from parts of the text, and the variables are then put back in order.
 */
function instantsOf(instants: readonly { name: string; raw: string }[], names: readonly string[]): string {
  const computed = instants.map(
    ({ name, raw }) =>
      `COMPUTE ${name} =\n    NUMBER(SUBSTR(${raw}, 1, 10), SDATE10) + NUMBER(SUBSTR(${raw}, 12, 8), TIME8).\n`,
  );
  const formats = `FORMATS\n    ${instants.map(({ name }) => name).join('\n    ')} (DATETIME20).\n`;
  return `\n${computed.join('')}${formats}ADD FILES FILE=*\n  /KEEP=\n    ${names.join('\n    ')}.\n`;
}

function* listed(lines: readonly string[]): Generator<string> {
  for (const [at, line] of lines.entries())
    yield `    ${at === 0 ? '' : '/'}${line}${at === lines.length - 1 ? '.' : ''}\n`;
}

function valueLabels(name: string, { holds, values }: Omit<Variable, 'column'>): string {
  const seen = new Set<string>();
  const fitting = values.filter(({ value }) => {
    const key = value.trimEnd();
    const fits =
      key !== '' && !hasLineBreak(value) && Buffer.byteLength(value) <= MAX_LENGTHS.value && !seen.has(key);
    seen.add(key);
    return fits;
  });
  if (fitting.length === 0) return '';
  const lines = fitting.map(
    ({ value, label }) =>
      `\n    ${holds === 'NUMBER' ? Number(value) : quoted(value)}\n      ${withLabel(label || value, MAX_LENGTHS.valueLabel)}`,
  );
  return `VALUE LABELS ${name}${lines.join('')}.\n`;
}

const withLabel = (text: string, max: number) => quoted(cut(oneLine(text), max));

/** Cuts only whole characters. */
function cut(text: string, max: number): string {
  if (Buffer.byteLength(text) <= max) return text;
  let [prefix, bytes] = ['', 3];
  for (const character of text) {
    bytes += Buffer.byteLength(character);
    if (bytes > max) break;
    prefix += character;
  }
  return `${prefix}…`;
}

/** Long texts are split into pieces that are joined. */
function quoted(text: string): string {
  const pieces = [''];
  for (const character of text) {
    if (Buffer.byteLength(pieces.at(-1)! + character) > LINE_BYTES) pieces.push('');
    pieces[pieces.length - 1] += character;
  }
  return pieces.map((piece) => `'${piece.replaceAll("'", "''")}'`).join(' +\n        ');
}
