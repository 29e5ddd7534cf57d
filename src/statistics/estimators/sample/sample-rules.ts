/**
 * Rules that a sample must satisfy before anything is estimated from it. Each violation includes its row and the id.
 */
import { cyclesIn, isUsableNetworkSize, MAX_NETWORK_SIZE, MIN_NETWORK_SIZE, type Sample } from './sample.ts';

/** A row as read from the file: strings, or null for empty cells. */
export interface SampleRow {
  id: string | null;
  recruiter: string | null;
  size: string | null;
  time: string | null;
}

export interface SampleFault {
  /** Index of the row; null if the problem concerns the whole sample. */
  row: number | null;
  message: string;
}

export interface CheckedSample {
  sample: Sample;
  /** Violations that rule out estimates; empty for a valid sample. */
  breaches: SampleFault[];
  /** Oddities that are not errors. */
  remarks: SampleFault[];
}

/**
 * Seeds are marked with one placeholder: a recruiter that is nobody's id, or null if `seedsAreEmpty`. Sizes must be 0
 * or in the possible range. Times must be numbers or dates; without times, row order counts.
 */
export function checkSample(rows: readonly SampleRow[], { seedsAreEmpty = false } = {}): CheckedSample {
  const breaches: SampleFault[] = [];
  const rowOf = new Map<string, number>();
  rows.forEach(({ id }, row) => {
    if (id === null) breaches.push({ row, message: 'The id is missing.' });
    else if (rowOf.has(id)) breaches.push({ row, message: `The id ${id} appears in more than one row.` });
    else rowOf.set(id, row);
  });
  const recruiters = recruitersOf(rows, rowOf, seedsAreEmpty, breaches);
  if (rows.length > 0 && !recruiters.includes(-1)) breaches.push({ row: null, message: 'There is no seed.' });
  for (const circle of cyclesIn(recruiters)) {
    const names = circle.map((row) => rows[row]!.id ?? '?').join(', ');
    breaches.push({ row: circle[0]!, message: `These people recruited each other in a loop: ${names}.` });
    for (const row of circle) recruiters[row] = -1;
  }
  const reportedSizes = Float64Array.from(rows, ({ size }, row) => {
    const value = parseNumber(size);
    if (size !== null && !(value >= 0)) {
      breaches.push({ row, message: `The network size ${size} is not a number of 0 or more.` });
      return Number.NaN;
    }
    if (value > 0 && !isUsableNetworkSize(value)) {
      const message = `The network size ${size} is not possible: it must be 0, or from ${MIN_NETWORK_SIZE} to ${MAX_NETWORK_SIZE}.`;
      breaches.push({ row, message });
    }
    return value;
  });
  const times = rows.map(({ time }, row) => {
    const value = timeOf(time);
    if (time !== null && Number.isNaN(value)) breaches.push({ row, message: `${time} is not a time.` });
    return value;
  });
  const remarks: SampleFault[] = [];
  rows.forEach(({ id }, row) => {
    const recruiter = recruiters[row]!;
    if (recruiter >= 0 && times[row]! < times[recruiter]!) {
      const message = `${id} came before ${rows[recruiter]!.id}, who recruited them. Using the recruiter's time.`;
      remarks.push({ row, message });
    }
  });
  const ids = rows.map(({ id }) => id ?? '');
  const order = orderOf(timesNotBeforeRecruiter(times, recruiters));
  return { sample: { ids, recruiters, reportedSizes, order }, breaches: breaches.sort(byRow), remarks };
}

const byRow = (a: SampleFault, b: SampleFault) => (a.row ?? -1) - (b.row ?? -1);

function recruitersOf(
  rows: readonly SampleRow[],
  rowOf: Map<string, number>,
  seedsAreEmpty: boolean,
  breaches: SampleFault[],
): Int32Array {
  const marks = new Map<string, number[]>();
  const recruiters = Int32Array.from(rows, ({ id, recruiter }, row) => {
    if (recruiter === null) {
      if (!seedsAreEmpty) breaches.push({ row, message: 'The recruiter is missing.' });
      return -1;
    }
    if (recruiter === id) {
      breaches.push({ row, message: `${id} is its own recruiter.` });
      return -1;
    }
    const recruiterRow = rowOf.get(recruiter);
    if (recruiterRow === undefined) marks.set(recruiter, [...(marks.get(recruiter) ?? []), row]);
    return recruiterRow ?? -1;
  });
  // The seed marker is the unknown recruiter named in the most rows; any other one is missing from the file.
  const [mark] = [...marks].sort(([, a], [, b]) => b.length - a.length)[0] ?? [];
  for (const [name, at] of marks) {
    if (name === mark && !seedsAreEmpty) continue;
    for (const row of at) {
      const message = `The recruiter ${name} is not an id in the file${mark && !seedsAreEmpty ? `, and seeds are marked ${mark}` : ''}.`;
      breaches.push({ row, message });
    }
  }
  return recruiters;
}

/** NaN if it is not a number, or too large to represent. */
export function parseNumber(text: string | null): number {
  const isNumber = text !== null && /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text);
  return isNumber && Number.isFinite(Number(text)) ? Number(text) : Number.NaN;
}

/** A plain number, or a date with or without a time; NaN for anything else. */
function timeOf(text: string | null): number {
  const plain = parseNumber(text);
  if (text === null || !Number.isNaN(plain)) return plain;
  return /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
}

/**
 * Nobody can come before their recruiter: a missing time, or one before the recruiter's, becomes the recruiter's time.
 */
export function timesNotBeforeRecruiter(times: ArrayLike<number>, recruiters: Int32Array): Float64Array {
  const mended = Float64Array.from(times);
  if (mended.every((time) => Number.isNaN(time))) return mended;
  const visited = new Uint8Array(mended.length);
  for (let start = 0; start < mended.length; start++) {
    const walk: number[] = [];
    for (let at = start; at >= 0 && !visited[at]; at = recruiters[at]!) {
      visited[at] = 1;
      walk.push(at);
    }
    for (const row of walk.reverse()) {
      const recruiter = recruiters[row]!;
      const earliest = recruiter >= 0 ? mended[recruiter]! : Number.NEGATIVE_INFINITY;
      if (!(mended[row]! >= earliest)) mended[row] = earliest;
    }
  }
  return mended;
}

function orderOf(times: Float64Array): Int32Array {
  const order = Int32Array.from(times.keys());
  if (times.every((time) => Number.isNaN(time))) return order;
  // The sort is stable, so ties keep row order.
  return order.sort((a, b) => (times[a]! === times[b]! ? 0 : times[a]! - times[b]!));
}
