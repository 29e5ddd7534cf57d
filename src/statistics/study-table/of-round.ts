/** The table as seen by one round: rows of other rounds look as if they were not stored. */
import type { RoundReference } from '../../study/rounds/requested.ts';
import type { DictionaryColumn } from './columns.ts';
import { RESERVED } from './coupons.ts';
import type { StudyTable } from './table.ts';

/** If the arguments of a figure name no round, it uses the whole table. */
export function studyTableForRound(table: StudyTable, args: unknown): StudyTable {
  const round = (args as { round?: RoundReference } | null)?.round;
  return round ? tableOfRound(table, round) : table;
}

function tableOfRound(table: StudyTable, round: RoundReference): StudyTable {
  const { interviews, seeds, coupons } = table;
  const isInterview = rowsOf(interviews.round, round);
  const isCoupon = rowsOf(coupons.round, round);
  const isSeed = rowsOf(seeds.round, round);
  // Reserved codes on phones have no round yet.
  const isInStock = (row: number) => round.closedAt === null && coupons.state[row] === RESERVED;
  return Object.assign(Object.create(table) as StudyTable, {
    interviews: Object.assign(Object.create(interviews) as typeof interviews, {
      state: interviews.state.map((state, row) => (isInterview(row) ? state : 0)),
      presentedTwice: entriesOf(interviews.presentedTwice, isInterview),
      clockOdd: entriesOf(interviews.clockOdd, isInterview),
      repeats: entriesOf(interviews.repeats, isInterview),
    }),
    seeds: Object.assign(Object.create(seeds) as typeof seeds, {
      state: seeds.state.map((state, row) => (isSeed(row) ? state : 0)),
    }),
    coupons: Object.assign(Object.create(coupons) as typeof coupons, {
      state: coupons.state.map((state, row) => (isCoupon(row) || isInStock(row) ? state : 0)),
      ...(round.closedAt === null ? {} : { expiresAt: endedBy(coupons.expiresAt, round.closedAt) }),
    }),
  });
}

function rowsOf(column: DictionaryColumn<string>, { id, isFirst }: RoundReference): (row: number) => boolean {
  const code = column.codeOf(id);
  const { codes } = column;
  // Code 0 means no round.
  return (row) => codes[row] === code || (isFirst && codes[row] === 0);
}

const entriesOf = <T>(map: ReadonlyMap<number, T>, isWithin: (row: number) => boolean) =>
  new Map([...map].filter(([row]) => isWithin(row)));

/** All coupons of a closed round have expired, regardless of their own dates. */
const endedBy = (expiresAt: Float64Array, closedAt: number): Float64Array =>
  expiresAt.map((at) => (Number.isNaN(at) ? closedAt : Math.min(at, closedAt)));
