/** Interviews of the study table as rows of a sample: sorted by time, each with the row of its recruiter. */
import { parseTimeRange } from '../../platform/http/lists/date-range.ts';
import { cyclesIn, isUsableNetworkSize } from '../estimators/sample/sample.ts';
import { timesNotBeforeRecruiter } from '../estimators/sample/sample-rules.ts';
import { IN_SAMPLE_BIT, type InterviewColumnStore } from '../study-table/interviews.ts';
import type { SampleFilterQuery } from './schema.ts';

type Narrowed = Pick<SampleFilterQuery, 'location' | 'from' | 'to'>;

/** Table rows received in the given days. `elsewhere`: those of all sites except the given one. */
export function rowsWithin(
  interviews: InterviewColumnStore,
  { location, from, to }: Narrowed,
  zone: string,
  elsewhere = false,
): Int32Array {
  const range = parseTimeRange({ from, to }, zone);
  const site = location === undefined ? null : interviews.site.codeOf(location.toLowerCase());
  const { createdAt, state, size } = interviews;
  const rows = new Int32Array(size);
  let count = 0;
  for (let row = 0; row < size; row++) {
    if ((state[row]! & IN_SAMPLE_BIT) === 0) continue;
    if (site !== null && (interviews.site.codes[row] === site) === elsewhere) continue;
    if (createdAt[row]! >= range.from && createdAt[row]! < range.to) rows[count++] = row;
  }
  return rows.slice(0, count);
}

export type SampleRows = ReturnType<typeof sampleArraysOf>;

/** Arrays are [n], in sample order. */
export function sampleArraysOf(interviews: InterviewColumnStore, interviewRows: Int32Array) {
  const recruitersFound = recruitersAmong(interviews, interviewRows);
  const { ids } = interviews;
  const idOf = (at: number) => ids.hex(interviewRows[at]!);
  const circles = cyclesIn(recruitersFound).map((circle) =>
    circle.sort((a, b) => ids.compare(interviewRows[a]!, interviewRows[b]!)),
  );
  for (const [first] of circles) if (first !== undefined) recruitersFound[first] = -1;
  const interviewTimes = Float64Array.from(interviewRows, (row) => interviews.heldAt[row]!);
  const mended = timesNotBeforeRecruiter(interviewTimes, recruitersFound);
  const order = inOrder(interviews, interviewRows, { held: interviewTimes, mended });
  const place = new Int32Array(interviewRows.length);
  for (const [at, one] of order.entries()) place[one] = at;
  const rows = order.map((at) => interviewRows[at]!);
  const recruiters = order.map((at) => (recruitersFound[at]! < 0 ? -1 : place[recruitersFound[at]!]!));
  const reportedSizes = Float64Array.from(rows, (row) => possibleSize(interviews.networkSize[row]!));
  return {
    rows,
    recruiters,
    reportedSizes,
    times: Float64Array.from(order, (at) => mended[at]!),
    heldAt: Float64Array.from(order, (at) => interviewTimes[at]!),
    coupons: Int32Array.from(rows, (row) => interviews.issued[row]!),
    circles: circles.map((circle) => circle.map(idOf)),
    ...countsOf(interviews, { rows, recruiters, reportedSizes }),
  };
}

function countsOf(
  { wave }: InterviewColumnStore,
  {
    rows,
    recruiters,
    reportedSizes,
  }: { rows: Int32Array; recruiters: Int32Array; reportedSizes: Float64Array },
) {
  const counts = { sizeMissing: 0, sizeZero: 0, orphans: 0 };
  for (const [at, row] of rows.entries()) {
    if (Number.isNaN(reportedSizes[at])) counts.sizeMissing++;
    if (reportedSizes[at] === 0) counts.sizeZero++;
    // People in wave 0 came with a seed's code, so they are not orphans.
    if (recruiters[at]! < 0 && wave[row] !== 0) counts.orphans++;
  }
  return counts;
}

/** NaN for an impossible size above 0. */
const possibleSize = (size: number) => (size > 0 && !isUsableNetworkSize(size) ? Number.NaN : size);

/** By time, ties by interview date, then by id. */
function inOrder(
  { ids }: InterviewColumnStore,
  interviewRows: Int32Array,
  { held: interviewTimes, mended }: Record<'held' | 'mended', Float64Array>,
): Int32Array {
  // The rows already come in sorted runs, which the sort of a plain array exploits.
  const order = [...interviewRows.keys()].sort(
    (a, b) =>
      mended[a]! - mended[b]! ||
      interviewTimes[a]! - interviewTimes[b]! ||
      ids.compare(interviewRows[a]!, interviewRows[b]!),
  );
  return Int32Array.from(order);
}

/** [n] the index of each one's recruiter in `interviewRows`, or -1. */
function recruitersAmong(
  { recruiter, size }: InterviewColumnStore,
  interviewRows: Int32Array,
): Int32Array<ArrayBuffer> {
  const place = new Int32Array(size).fill(-1);
  for (const [at, row] of interviewRows.entries()) place[row] = at;
  return Int32Array.from(interviewRows, (row) => (recruiter[row]! < 0 ? -1 : place[recruiter[row]!]!));
}
