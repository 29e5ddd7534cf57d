/**
 * The columns of a CSV as variables of statistics programs: each one's contents, and a name that the program accepts.
 */
import type { TextByLanguage } from '../../questionnaires/codebook/countable.ts';
import { NUMBER_PATTERN } from './observed-cells.ts';

export interface Variable {
  /** The name in the CSV. */
  column: string;
  label: string;
  holds: 'TEXT' | 'NUMBER' | 'DAY' | 'INSTANT' | 'CATEGORY';
  /** For texts and categories: the width in bytes of UTF-8. */
  bytes: number;
  /** As written in the CSV. */
  values: { value: string; label: string }[];
  /** For numbers: whether all are integers. */
  isWhole: boolean;
}

export interface SyntaxHeader {
  /** Lines of the comment at the top. */
  notes: readonly string[];
  /** Some answers have line breaks, which not all programs can read. */
  haveLineBreaks: boolean;
}

/** The form library's nonresponse values. */
export const NONRESPONSE_VALUES = ['refused', 'dontknow'];

export const inEnglish = (texts: TextByLanguage, fallback: string): string =>
  texts.en || texts.default || Object.values(texts).find(Boolean) || fallback;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what may not be in a file of commands
const BREAKS = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\uFEFF]+/g;

/** Puts a text on one line, so that it can't end a command. */
export const oneLine = (text: string): string => text.replace(BREAKS, ' ').trim();

export const hasLineBreak = (text: string): boolean => text.search(BREAKS) >= 0;

/** Numbers with labels if all values are numbers, otherwise texts with labels. */
export const variableTypeOf = (values: readonly { value: string }[], type: string): Variable['holds'] => {
  if (values.length > 0)
    return values.every(({ value }) => NUMBER_PATTERN.test(value)) ? 'NUMBER' : 'CATEGORY';
  if (type === 'number' || type === 'rating') return 'NUMBER';
  return type === 'date' ? 'DAY' : 'TEXT';
};

interface Naming {
  /** Maximum length of a name, in ASCII characters. */
  maxLength: number;
  /** Further characters allowed in names. */
  extraCharacters: string;
  reserved: readonly string[];
}

/** Names in column order, unique even if case is ignored. */
export function variableNames(
  columns: readonly string[],
  { maxLength, extraCharacters, reserved }: Naming,
): string[] {
  const usedNames = new Set(reserved.map((word) => word.toLowerCase()));
  const unfit = new RegExp(`[^A-Za-z0-9_${extraCharacters}]+`, 'g');
  return columns.map((column, at) => {
    const plain = column
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .replace(unfit, '_')
      .replace(/^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g, '');
    const whole = plain === '' ? `column_${at + 1}` : /^[0-9]/.test(plain) ? `q_${plain}` : plain;
    const cut = (length: number) => whole.slice(0, length).replace(/[^A-Za-z0-9]+$/, '');
    let name = cut(maxLength);
    for (let number = 2; usedNames.has(name.toLowerCase()); number++)
      name = `${cut(maxLength - 1 - String(number).length)}_${number}`;
    usedNames.add(name.toLowerCase());
    return name;
  });
}
