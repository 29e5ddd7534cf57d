/** Interviews as rows of a sample: in order of time, each with the row of its recruiter. */
import { setImmediate as turn } from 'node:timers/promises';
import { circlesIn } from '../analysis/sample.ts';
import { mendedTimes } from '../analysis/sample-rules.ts';

export interface RawRow {
  id: string;
  recruiter: string | null;
  size: number | null;
  startedAt: number;
  /** It came with a seed's code. */
  isSeed: boolean;
  coupons: number;
}

export async function rowsOf(raw: readonly RawRow[]) {
  const rowOf = new Map<string, number>();
  for (const [at, { id }] of raw.entries()) rowOf.set(id, at);
  await turn();
  const found = Int32Array.from(raw, ({ recruiter }) =>
    recruiter === null ? -1 : (rowOf.get(recruiter) ?? -1),
  );
  await turn();
  const circles = circlesIn(found).map((circle) => circle.sort((a, b) => (raw[a]!.id < raw[b]!.id ? -1 : 1)));
  for (const [first] of circles) if (first !== undefined) found[first] = -1;
  const startedAt = Float64Array.from(raw, (one) => one.startedAt);
  const mended = mendedTimes(startedAt, found);
  await turn();
  const order = inOrder(raw, mended);
  await turn();
  const place = new Int32Array(raw.length);
  for (const [at, row] of order.entries()) place[row] = at;
  const among =
    <T>(values: ArrayLike<T>) =>
    (row: number) =>
      values[row]!;
  const recruiters = order.map((row) => (found[row]! < 0 ? -1 : place[found[row]!]!));
  const reportedSizes = Float64Array.from(order, (row) => raw[row]!.size ?? Number.NaN);
  const sizes = { sizeMissing: 0, sizeZero: 0, orphans: 0 };
  for (const [at, row] of order.entries()) {
    if (Number.isNaN(reportedSizes[at])) sizes.sizeMissing++;
    if (reportedSizes[at] === 0) sizes.sizeZero++;
    if (recruiters[at]! < 0 && !raw[row]!.isSeed) sizes.orphans++;
  }
  return {
    order,
    ids: Array.from(order, (row) => raw[row]!.id),
    recruiters,
    reportedSizes,
    times: Float64Array.from(order, among(mended)),
    startedAt: Float64Array.from(order, among(startedAt)),
    coupons: order.map((row) => raw[row]!.coupons),
    circles: circles.map((circle) => circle.map((row) => raw[row]!.id)),
    ...sizes,
  };
}

/** By time, ties by when they began by the device, then by id. */
function inOrder(raw: readonly RawRow[], times: Float64Array): Int32Array {
  // Most arrive in the order in which they were held, which a plain array's sort makes use of.
  const rows = [...raw.keys()].sort(
    (a, b) =>
      times[a]! - times[b]! || raw[a]!.startedAt - raw[b]!.startedAt || (raw[a]!.id < raw[b]!.id ? -1 : 1),
  );
  return Int32Array.from(rows);
}
