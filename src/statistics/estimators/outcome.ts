/** What is estimated: the share of each level of a category, or the mean of a number. */

export interface CategoryOutcome {
  kind: 'CATEGORY';
  /** The levels that occur, ordered by code point. */
  levels: readonly string[];
  /** [n] index into `levels`; -1 if the answer is missing. */
  codes: Int32Array;
}

export interface NumberOutcome {
  kind: 'NUMBER';
  /** [n] NaN if the answer is missing. */
  values: Float64Array;
}

export type OutcomeAnswers = CategoryOutcome | NumberOutcome;

export function toCategoryOutcome(answers: readonly (string | null)[]): CategoryOutcome {
  const levels = [...new Set(answers.filter((one) => one !== null))].sort(byCodePoint);
  const code = new Map(levels.map((level, at) => [level, at]));
  const codes = Int32Array.from(answers, (one) => (one === null ? -1 : (code.get(one) ?? -1)));
  return { kind: 'CATEGORY', levels, codes };
}

/** Order by code point; JavaScript's own order of texts differs beyond the first 65,536 characters. */
export function byCodePoint(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  for (let at = 0; at < left.length && at < right.length; at++) {
    const gap = (left[at]!.codePointAt(0) ?? 0) - (right[at]!.codePointAt(0) ?? 0);
    if (gap !== 0) return gap;
  }
  return left.length - right.length;
}

/** 1 for a number. */
export const levelCountOf = (outcome: OutcomeAnswers): number =>
  outcome.kind === 'CATEGORY' ? outcome.levels.length : 1;

export const isAnswerKnown = (outcome: OutcomeAnswers, row: number): boolean =>
  outcome.kind === 'CATEGORY' ? outcome.codes[row]! >= 0 : !Number.isNaN(outcome.values[row]!);

export function rowsWithKnownAnswer(outcome: OutcomeAnswers): Int32Array {
  const n = outcome.kind === 'CATEGORY' ? outcome.codes.length : outcome.values.length;
  const rows: number[] = [];
  for (let i = 0; i < n; i++) if (isAnswerKnown(outcome, i)) rows.push(i);
  return Int32Array.from(rows);
}

/** [levels] number of known answers. */
export function levelCountsOf({ levels, codes }: CategoryOutcome): Int32Array {
  const counts = new Int32Array(levels.length);
  for (const code of codes) if (code >= 0) counts[code]!++;
  return counts;
}

/** One level as 0 and 1, or the number itself. */
export interface OutcomeVariable {
  /** [n] NaN if the answer is missing. */
  values: Float64Array;
  /** [n] classes of the values (for a number, the groups of RDS-I); -1 if the answer is missing. */
  classes: Int32Array;
}

/** One variable per level (against all others), or one for a number. */
export function outcomeVariablesOf(outcome: OutcomeAnswers): OutcomeVariable[] {
  if (outcome.kind === 'NUMBER')
    return [{ values: outcome.values, classes: quantileGroupsOf(outcome).category.codes }];
  return outcome.levels.map((_, level) => {
    const classes = outcome.codes.map((code) => (code < 0 ? -1 : Number(code === level)));
    const values = new Float64Array(classes.length);
    for (let i = 0; i < classes.length; i++) values[i] = classes[i]! < 0 ? Number.NaN : classes[i]!;
    return { values, classes };
  });
}

export const rowsHavingAnswer = ({ classes }: OutcomeVariable): Int32Array =>
  Int32Array.from(classes.keys()).filter((row) => classes[row]! >= 0);

const GROUPS = 3;

/**
 * A number cut into at most `GROUPS` groups of about equal size, with the lowest value of each, for RDS-I. If there are
 * that few distinct values, each is a group.
 */
export function quantileGroupsOf({ values }: NumberOutcome): { category: CategoryOutcome; from: number[] } {
  // Missing values are sorted last.
  const all = values.slice().sort();
  const sorted = all.subarray(0, all.findLastIndex((value) => !Number.isNaN(value)) + 1);
  const distinct = sorted.filter((value, at) => value !== sorted[at - 1]);
  const from = distinct.length > GROUPS ? lowestOf(sorted) : [...distinct];
  const codes = new Int32Array(values.length).fill(-1);
  for (const low of from) for (let i = 0; i < values.length; i++) if (values[i]! >= low) codes[i]!++;
  return { category: { kind: 'CATEGORY', levels: from.map(String), codes }, from };
}

function lowestOf(sorted: Float64Array): number[] {
  const from = [sorted[0]!];
  for (let k = 1; k < GROUPS; k++) {
    // Group k ends at the first value that covers k / GROUPS of the answers; ties stay together.
    const end = sorted[Math.ceil((sorted.length * k) / GROUPS) - 1]!;
    const next = sorted.find((value) => value > end);
    if (next !== undefined && next > from.at(-1)!) from.push(next);
  }
  return from;
}
