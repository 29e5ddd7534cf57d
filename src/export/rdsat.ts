/**
 * rdsat.txt: the sample in the format of the program RDSAT. Who recruited whom is told by coupons; those of the study
 * are secret, so they are made of ids: each person came with the coupon `C` and the own id.
 */
import { linesOf, outcomeColumns, type SampleTable } from './sample-table.ts';

/** 0, the usual mark, would turn answers and network sizes of 0 into missing ones. */
const MISSING = 'NA';

export function* rdsat(table: SampleTable): Generator<string> {
  const { ids, recruiters, reportedSizes, tree } = table;
  const outcomes = outcomeColumns(table);
  const most = ids.reduce((largest, _, row) => Math.max(largest, recruitsOf(tree, row)), 1);
  const names = distinct(outcomes.map(({ name }) => name.replace(/[\s,;"']+/g, '_')));
  yield `RDS\n${[ids.length, most, MISSING, ...names].join('\t')}\n`;
  yield* linesOf(table, (row) => {
    const from = tree.firstRecruit[row]!;
    const given = Array.from({ length: most }, (_, at) =>
      at < recruitsOf(tree, row) ? `C${ids[tree.recruits[from + at]!]}` : MISSING,
    );
    const size = reportedSizes[row]!;
    const cells = [
      ids[row],
      Number.isNaN(size) ? MISSING : size,
      recruiters[row]! < 0 ? MISSING : `C${ids[row]}`,
      ...given,
      ...outcomes.map((column) => plain(column.at(row))),
    ];
    return `${cells.join('\t')}\n`;
  });
}

const recruitsOf = ({ firstRecruit }: SampleTable['tree'], row: number) =>
  firstRecruit[row + 1]! - firstRecruit[row]!;

/** The format knows no quotes: a value holds no delimiter, and none is empty. */
function plain(value: string | number | boolean | null): string {
  if (value === null) return MISSING;
  return String(value).replace(/\s+/g, ' ').trim() || MISSING;
}

function distinct(names: string[]): string[] {
  const taken = new Set<string>();
  return names.map((own) => {
    let name = own;
    for (let count = 2; taken.has(name); count++) name = `${own}_${count}`;
    taken.add(name);
    return name;
  });
}
