/**
 * rdsat.txt: the sample in RDSAT format, which describes recruitment by coupons. The study's codes are secret, so
 * coupons are made up from ids: each person came with the coupon `C` plus their own id.
 */
import { chunkLines, outcomeColumns, type SampleTable } from './sample-table.ts';

/**
 * Candidates for the missing-value mark. The usual 0 would make answers and network sizes of 0 missing, and so would
 * any mark that is also an answer.
 */
const MARKS = ['NA', '.', 'missing', 'no.answer'];

export function* rdsat(table: SampleTable): Generator<string> {
  const { ids, recruiters, reportedSizes, tree } = table;
  const outcomes = outcomeColumns(table);
  const levels = table.outcomes.map(({ outcome }) =>
    outcome.kind === 'CATEGORY' ? distinct(outcome.levels.map(plain)) : [],
  );
  const missing = MARKS.find((mark) => !levels.some((some) => some.includes(mark))) ?? 'NA';
  const answer = (at: number, row: number) => {
    const { outcome } = table.outcomes[at]!;
    const value = outcome.kind === 'CATEGORY' ? levels[at]![outcome.codes[row]!] : outcomes[at]!.at(row);
    return value === undefined || value === null || value === '' ? missing : value;
  };
  const max = ids.reduce((largest, _, row) => Math.max(largest, recruitsOf(tree, row)), 1);
  const names = distinct(outcomes.map(({ name }) => name.replace(/[\s,;"']+/g, '_')));
  yield `RDS\n${[ids.length, max, missing, ...names].join('\t')}\n`;
  yield* chunkLines(table, (row) => {
    const from = tree.firstRecruit[row]!;
    const coupons = Array.from({ length: max }, (_, at) =>
      at < recruitsOf(tree, row) ? `C${ids[tree.recruits[from + at]!]}` : missing,
    );
    const size = reportedSizes[row]!;
    const cells = [
      ids[row],
      Number.isNaN(size) ? missing : size,
      recruiters[row]! < 0 ? missing : `C${ids[row]}`,
      ...coupons,
      ...outcomes.map((_, at) => answer(at, row)),
    ];
    return `${cells.join('\t')}\n`;
  });
}

const recruitsOf = ({ firstRecruit }: SampleTable['tree'], row: number) =>
  firstRecruit[row + 1]! - firstRecruit[row]!;

/**
 * The format has no quoting, so values can't contain the delimiter or be empty. R would read a quotation mark as the
 * start of a text across many cells, and `#` as a comment.
 */
const plain = (value: string) =>
  value
    .replace(/\s+/g, ' ')
    .replace(/["'#]/g, (one) => REPLACEMENTS[one]!)
    .trim();
const REPLACEMENTS: Record<string, string> = { '"': '\u201D', "'": '\u2019', '#': '\uFF03' };

function distinct(names: string[]): string[] {
  const usedNames = new Set<string>();
  return names.map((own) => {
    let name = own;
    for (let count = 2; own !== '' && usedNames.has(name); count++) name = `${own}_${count}`;
    usedNames.add(name);
    return name;
  });
}
