/** Interviews as rows of a sample: in order of time, each with the row of its recruiter. */
import { setImmediate as turn } from 'node:timers/promises';
import type { Types } from 'mongoose';
import { circlesIn, isUsableSize } from '../analysis/sample.ts';
import { mendedTimes } from '../analysis/sample-rules.ts';

/** [n] each. */
export interface RawRows {
  ids: Types.ObjectId[];
  /** Null where nobody is known to have recruited them. */
  recruiters: (Types.ObjectId | null)[];
  /** NaN where missing. */
  sizes: number[];
  /** In milliseconds. */
  startedAt: number[];
  areSeeds: boolean[];
  coupons: number[];
}

export const noRows = (): RawRows => ({
  ids: [],
  recruiters: [],
  sizes: [],
  startedAt: [],
  areSeeds: [],
  coupons: [],
});

/** Looking up so many takes a few milliseconds; others are answered in between. */
const AT_ONCE = 10_000;

export async function rowsOf({ ids: objectIds, ...raw }: RawRows) {
  const found = await recruitersOf(objectIds, raw.recruiters);
  await turn();
  const ids = objectIds.map((id) => id.toHexString());
  const circles = circlesIn(found).map((circle) => circle.sort((a, b) => (ids[a]! < ids[b]! ? -1 : 1)));
  for (const [first] of circles) if (first !== undefined) found[first] = -1;
  const mended = mendedTimes(raw.startedAt, found);
  await turn();
  const order = inOrder(ids, raw, mended);
  await turn();
  const place = new Int32Array(ids.length);
  for (const [at, row] of order.entries()) place[row] = at;
  const valuesOf =
    <T>(values: ArrayLike<T>) =>
    (row: number) =>
      values[row]!;
  const recruiters = order.map((row) => (found[row]! < 0 ? -1 : place[found[row]!]!));
  const reportedSizes = Float64Array.from(order, (row) => possible(raw.sizes[row]!));
  const sizes = { sizeMissing: 0, sizeZero: 0, orphans: 0 };
  for (const [at, row] of order.entries()) {
    if (Number.isNaN(reportedSizes[at])) sizes.sizeMissing++;
    if (reportedSizes[at] === 0) sizes.sizeZero++;
    if (recruiters[at]! < 0 && !raw.areSeeds[row]!) sizes.orphans++;
  }
  await turn();
  return {
    order,
    ids: Array.from(order, valuesOf(ids)),
    recruiters,
    reportedSizes,
    times: Float64Array.from(order, valuesOf(mended)),
    startedAt: Float64Array.from(order, valuesOf(raw.startedAt)),
    coupons: order.map(valuesOf(raw.coupons)),
    circles: circles.map((circle) => circle.map(valuesOf(ids))),
    ...sizes,
  };
}

/** NaN for a size above 0 that nobody can have. */
const possible = (size: number) => (size > 0 && !isUsableSize(size) ? Number.NaN : size);

/** By time, ties by when they began by the device, then by id. */
function inOrder(ids: readonly string[], { startedAt }: Pick<RawRows, 'startedAt'>, times: Float64Array) {
  // They come in runs that are in order already, which a plain array's sort makes use of.
  const rows = [...times.keys()].sort(
    (a, b) => times[a]! - times[b]! || startedAt[a]! - startedAt[b]! || (ids[a]! < ids[b]! ? -1 : 1),
  );
  return Int32Array.from(rows);
}

/**
 * [n] the row of each one's recruiter, or -1. By the last four bytes of the ids, which a map finds several times faster
 * than texts; those that share them are chained.
 */
async function recruitersOf(
  ids: readonly Types.ObjectId[],
  recruiters: RawRows['recruiters'],
): Promise<Int32Array<ArrayBuffer>> {
  const tailOf = ({ id }: Types.ObjectId) => (id[8]! << 24) | (id[9]! << 16) | (id[10]! << 8) | id[11]!;
  const lastWith = new Map<number, number>();
  const before = new Int32Array(ids.length);
  for (const [row, id] of ids.entries()) {
    if (row % AT_ONCE === 0) await turn();
    const tail = tailOf(id);
    before[row] = lastWith.get(tail) ?? -1;
    lastWith.set(tail, row);
  }
  const found = new Int32Array(ids.length).fill(-1);
  for (const [at, recruiter] of recruiters.entries()) {
    if (at % AT_ONCE === 0) await turn();
    if (!recruiter) continue;
    let row = lastWith.get(tailOf(recruiter)) ?? -1;
    while (row >= 0 && !ids[row]!.equals(recruiter)) row = before[row]!;
    found[at] = row;
  }
  return found;
}
