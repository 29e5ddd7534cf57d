/** A Stata do-file that reads one of the CSV files: types, labels, missing values, and the data as .dta. */
import {
  hasLineBreak,
  NONRESPONSE_VALUES,
  oneLine,
  type SyntaxHeader,
  type Variable,
  variableNames,
} from './statistics-variables.ts';

const RESERVED = [
  ...[
    '_all',
    '_b',
    'byte',
    '_coef',
    '_cons',
    'double',
    'float',
    'if',
    'in',
    'int',
    'long',
    '_n',
    '_N',
    '_pi',
  ],
  ...['_pred', '_rc', '_se', '_skip', 'strL', 'str', 'using', 'with', 'alias'],
  ...Array.from({ length: 2045 }, (_, at) => `str${at + 1}`),
];
/** Stata's limits, in characters. */
const MAX_LENGTHS = { name: 32, label: 80, valueLabel: 32_000 };
/** Extended missing values, one for each of NONRESPONSE_VALUES. */
const MISSING = ['.a', '.b'];

export function stataNames(variables: readonly Variable[]): string[] {
  const columns = variables.map(({ column }) => column);
  return variableNames(columns, { maxLength: MAX_LENGTHS.name, extraCharacters: '', reserved: RESERVED });
}

/** Reads all cells as text first, so that codes keep leading zeros and letters. */
export function* stataDo(
  file: string,
  variables: readonly Variable[],
  { notes }: SyntaxHeader,
): Generator<string> {
  const names = stataNames(variables);
  yield `${notes.map((note) => `* ${oneLine(note)}\n`).join('')}
version 15
clear
import delimited using ${quoted(file)}, varnames(nonames) rowrange(2) stringcols(_all) ///
    bindquotes(strict) maxquotedrows(unlimited) encoding("UTF-8")
rename v* __s*

`;
  for (const [at, variable] of variables.entries()) yield commandsFor(variable, names[at]!, at + 1);
  yield `capture drop __s*\ncompress\nsave ${quoted(file.replace(/\.csv$/, '.dta'))}, replace\n`;
}

function commandsFor({ column, label, holds, values }: Variable, name: string, at: number): string {
  const raw = `__s${at}`;
  const lines = readingOf({ holds, values }, name, { raw, at });
  return `${[...lines, `label variable ${name} ${quoted(cut(label || column, MAX_LENGTHS.label))}`, ''].join('\n')}\n`;
}

function readingOf(
  { holds, values }: Pick<Variable, 'holds' | 'values'>,
  name: string,
  { raw, at }: { raw: string; at: number },
): string[] {
  switch (holds) {
    case 'NUMBER':
      return [`generate double ${name} = real(${raw})`, ...numberLabels(name, values, at)];
    case 'DAY':
      return [`generate long ${name} = date(${raw}, "YMD")`, `format ${name} %td`];
    case 'INSTANT':
      return [
        `generate double ${name} = clock(substr(${raw}, 1, 10) + " " + substr(${raw}, 12, 8), "YMDhms")`,
        `format ${name} %tc`,
      ];
    case 'CATEGORY':
      return categoryOf(name, raw, values, at);
    default:
      return [`generate ${name} = ${raw}`];
  }
}

/** In Stata, only integers have labels. */
function numberLabels(name: string, values: Variable['values'], at: number): string[] {
  const whole = new Map(
    values.filter(({ value }) => Number.isSafeInteger(Number(value))).map((one) => [Number(one.value), one]),
  );
  if (whole.size === 0) return [];
  const defined = [...whole].map(
    ([value, { label }]) =>
      `label define L${at} ${value} ${quoted(cut(label || String(value), MAX_LENGTHS.valueLabel))}, modify`,
  );
  return [...defined, `label values ${name} L${at}`];
}

/**
 * In Stata, texts can't have labels, so they become numbers in the order of the choices, followed by other values that
 * occur.
 */
function categoryOf(name: string, raw: string, values: Variable['values'], at: number): string[] {
  const lines = [`generate long ${name} = .`];
  const defined: string[] = [];
  let code = 0;
  for (const { value, label } of new Map(values.map((one) => [one.value, one])).values()) {
    const none = NONRESPONSE_VALUES.indexOf(value);
    const written = none < 0 ? String(++code) : MISSING[none]!;
    lines.push(`replace ${name} = ${written} if ${raw} == ${expressionOf(value)}`);
    defined.push(
      `label define L${at} ${written} ${quoted(cut(label || value, MAX_LENGTHS.valueLabel))}, modify`,
    );
  }
  return [
    ...lines,
    ...defined,
    `capture encode ${raw} if ${name} == . & ${raw} != "", generate(__e${at}) label(L${at})`,
    `capture replace ${name} = __e${at} if ${name} == . & ${raw} != ""`,
    `capture drop __e${at}`,
    `label values ${name} L${at}`,
  ];
}

const cut = (text: string, max: number): string => {
  const characters = [...oneLine(text)];
  return characters.length <= max ? characters.join('') : `${characters.slice(0, max - 1).join('')}…`;
};

/**
 * Quotation marks are harmless inside compound quotes; characters that would start a macro or end the quotes are
 * replaced.
 */
const quoted = (text: string): string =>
  `\`"${oneLine(text).replaceAll('`', '‘').replaceAll(`"'`, '"’').replaceAll('$', '＄')}"'`;

/** An expression for exactly this text, whatever it contains. */
function expressionOf(text: string): string {
  const parts: string[] = [];
  for (const piece of text.match(/["`$]|[^"`$]+/g) ?? []) {
    if (piece.length === 1 && /["`$]/.test(piece)) parts.push(`char(${piece.charCodeAt(0)})`);
    else if (hasLineBreak(piece)) parts.push(...[...piece].map(charOf));
    else parts.push(`"${piece}"`);
  }
  return parts.length === 0 ? '""' : parts.join(' + ');
}

const charOf = (character: string) => {
  const code = character.codePointAt(0)!;
  return hasLineBreak(character) ? (code < 128 ? `char(${code})` : `uchar(${code})`) : `"${character}"`;
};
