/** weights.csv: the weight of each interview, with replicate weights of the tree bootstrap for R's package survey. */
import { treeReplicate } from '../../statistics/estimators/bootstrap/bootstrap-tree.ts';
import { csvText } from '../interviews/row-text.ts';
import type { SampleTable } from './sample-table.ts';
import type { TreeBootstrapWeights } from './tree-weights.ts';

/** Maximum number of counts in memory at once: 8 MB. */
const MAX_COUNTS = 2_000_000;
/** Cells converted to text at a time. */
const CELLS_PER_CHUNK = 3_000;
/** Enough to reproduce the service's results to nine digits, at half the file size. */
const SIGNIFICANT_DIGITS = 10;

const text = (weight: number) => String(Number(weight.toPrecision(SIGNIFICANT_DIGITS)));

/**
 * Replicates are columns, but are drawn one at a time, so all replicates are drawn again for each block of rows that
 * fits into memory. Yields an empty piece after each replicate, so that other requests get a turn.
 */
export function* weightsCsv(
  { ids, tree }: SampleTable,
  treeWeights: TreeBootstrapWeights,
): Generator<string> {
  const { rds2, ss, replicates, seed } = treeWeights;
  const names = Array.from({ length: replicates }, (_, at) => `rep_${at + 1}`);
  yield csvText([['id', 'rds_ii_weight', ...(ss ? ['ss_weight'] : []), ...names]]);
  const n = ids.length;
  const drawn = new Int32Array(n);
  const rows = Math.max(1, Math.floor(MAX_COUNTS / Math.max(1, replicates)));
  const some = Math.max(1, Math.floor(CELLS_PER_CHUNK / Math.max(1, replicates)));
  for (let from = 0; from < n; from += rows) {
    const to = Math.min(n, from + rows);
    const counts = new Uint32Array((to - from) * replicates);
    for (let at = 0; at < replicates; at++) {
      treeReplicate(tree, seed, at, drawn);
      for (let row = from; row < to; row++) counts[(row - from) * replicates + at] = drawn[row]!;
      yield '';
    }
    for (let first = from; first < to; first += some) {
      let lines = '';
      for (let row = first; row < Math.min(to, first + some); row++) {
        const own = counts.subarray((row - from) * replicates, (row - from + 1) * replicates);
        const weights = [text(rds2[row]!), ...(ss ? [text(ss[row]!)] : []), ...replicatesOf(own, rds2[row]!)];
        // Ids are hexadecimal, so nothing needs quotes.
        lines += `${ids[row]!},${weights.join(',')}\n`;
      }
      yield lines;
    }
  }
}

/** Caches texts, because most counts occur repeatedly. */
function replicatesOf(counts: Uint32Array, weight: number): string[] {
  const texts = new Map<number, string>();
  return Array.from(counts, (count) => {
    const weightText = texts.get(count) ?? text(count * weight);
    texts.set(count, weightText);
    return weightText;
  });
}
