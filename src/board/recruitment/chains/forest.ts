/**
 * All chains side by side: each with its figures, and its tree as a list with the index of each interview's recruiter.
 */

import { type InterviewColumnStore, STORED_BIT } from '../../../statistics/study-table/interviews.ts';
import type { StudyTable } from '../../../statistics/study-table/table.ts';
import { createStudyTableQuery } from '../../../statistics/study-table/table-query.ts';
import { MAX_DOTS, MAX_TREES } from '../limits.ts';
import { type RecruitmentQueryContext, UNBOUNDED_WINDOW } from '../window.ts';
import { chainSummaryOf, rowNumbersWhere, tallyChains, tallyChainsInWindow } from './chains.ts';

export const forestFromStudyTable = createStudyTableQuery(
  'forest',
  (table: StudyTable, { now }: Omit<RecruitmentQueryContext, 'zone'>) => {
    const { seeds, interviews } = table;
    const tallies = { ...tallyChains(table, now.getTime()), ...tallyChainsInWindow(table, UNBOUNDED_WINDOW) };
    const begun = rowNumbersWhere(seeds.size, (seed) => tallies.surveys[seed]! > 0);
    const largest = begun
      .sort((a, b) => tallies.surveys[b]! - tallies.surveys[a]! || seeds.ids.compare(a, b))
      .slice(0, MAX_TREES);
    const members = membersOf(interviews, largest);
    const max = maxDotsPerChain([...members.values()].map(({ length }) => length));
    return {
      chains: largest.map((seed) => ({
        ...chainSummaryOf(table, tallies, seed, now),
        ...treeShape(interviews, members.get(seed) ?? [], max),
      })),
      chainsTotal: begun.length,
    };
  },
);

/**
 * The rows of each chain, recruiters before their recruits. Includes deleted interviews, because others are below them.
 */
function membersOf(interviews: InterviewColumnStore, seeds: readonly number[]): Map<number, number[]> {
  const { seed, wave, createdAt, ids } = interviews;
  const members = new Map(seeds.map((one) => [one, [] as number[]]));
  for (let row = 0; row < interviews.size; row++)
    if (seed[row]! >= 0 && interviews.is(row, STORED_BIT)) members.get(seed[row]!)?.push(row);
  for (const rows of members.values())
    rows.sort((a, b) => wave[a]! - wave[b]! || createdAt[a]! - createdAt[b]! || ids.compare(a, b));
  return members;
}

/**
 * How many interviews of each chain are drawn, so that all chains together have at most MAX_DOTS: large ones lose their
 * later waves.
 */
export function maxDotsPerChain(sizes: readonly number[]): number {
  let remaining = MAX_DOTS;
  const sorted = [...sizes].sort((a, b) => a - b);
  for (const [at, size] of sorted.entries()) {
    const share = Math.floor(remaining / (sorted.length - at));
    if (size > share) return share;
    remaining -= size;
  }
  return MAX_DOTS;
}

function treeShape(interviews: InterviewColumnStore, rows: readonly number[], max: number) {
  const drawnRows = rows.slice(0, max);
  const places = new Map(drawnRows.map((row, place) => [row, place]));
  return {
    parents: drawnRows.map((row) => places.get(interviews.recruiter[row]!) ?? -1),
    deleted: drawnRows.flatMap((row, place) => (interviews.isPresent(row) ? [] : [place])),
    truncated: rows.length > max,
  };
}
