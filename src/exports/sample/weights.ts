/** weights.csv: the weight of each interview, with replicate weights of the tree bootstrap for R's package survey. */
import { treeReplicate } from '../../statistics/estimators/bootstrap/bootstrap-tree.ts';
import { csv } from '../interviews/row-text.ts';
import type { SampleTable } from './sample-table.ts';
import type { TreeWeights } from './tree-weights.ts';

/** How many counts are in memory at once: 8 MB. */
const MAX_COUNTS = 2_000_000;
/** This many cells at a time become text. */
const CELLS_PER_CHUNK = 3_000;
/** Enough for any figure to agree with the service's to nine digits, at half the bytes. */
const SIGNIFICANT_DIGITS = 10;

const text = (weight: number) => String(Number(weight.toPrecision(SIGNIFICANT_DIGITS)));

/**
 * Replicates are columns, but are drawn one by one: as many rows at a time as memory allows, and all replicates anew for
 * the next rows. Others are answered between two pieces, so that an empty one follows each replicate.
 */
export function* weightsCsv({ ids, tree }: SampleTable, treeWeights: TreeWeights): Generator<string> {
  const { rds2, ss, replicates, seed } = treeWeights;
  const names = Array.from({ length: replicates }, (_, at) => `rep_${at + 1}`);
  yield csv([['id', 'rds_ii_weight', ...(ss ? ['ss_weight'] : []), ...names]]);
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
        // Ids are digits and letters: nothing here needs quotes.
        lines += `${ids[row]!},${weights.join(',')}\n`;
      }
      yield lines;
    }
  }
}

/** Most are drawn a few times, so that few numbers become text. */
function replicatesOf(counts: Uint32Array, weight: number): string[] {
  const texts = new Map<number, string>();
  return Array.from(counts, (count) => {
    const weightText = texts.get(count) ?? text(count * weight);
    texts.set(count, weightText);
    return weightText;
  });
}
