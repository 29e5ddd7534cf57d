/**
 * The interviews that count, out of the database. What is asked of them comes as columns: the database gathers some
 * hundred interviews into one record, which costs a tenth of taking each apart here.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession, Types } from 'mongoose';
import { Surveys } from '../surveys/model.ts';
import type { Column } from './columns.ts';
import type { RawRows } from './rows.ts';
import type { SampleWindow } from './schema.ts';
import { versionOf } from './versions.ts';
import { windowOf } from './window.ts';

/** Completed, of people who take part, not deleted. Who was rejected in review is left out. */
export const COUNTS = {
  status: 'COMPLETED',
  takesPart: { $ne: false },
  'review.state': { $ne: 'REJECTED' },
} as const;

/** So many at a time are turned into rows; others are answered in between. */
const AT_ONCE = 1_000;
/** Pieces that come over at once. */
const PIECES = 16;
/** All answers of a million interviews take half of it. */
const LIMIT_MS = 50_000;

/**
 * One in 256 by digits of the id that change with every few records, so that however many interviews there are, and
 * whenever they were held, no piece outgrows what one record may hold.
 */
const PIECE = { q: '$questionnaire', part: { $substrBytes: [{ $toString: '$_id' }, 21, 2] } };

/** [rows] each; further, at `a0`, `a1`, ..., the answers by the keys that are asked for. */
interface Piece {
  _id: { q: Types.ObjectId };
  ids: Types.ObjectId[];
  recruiters: (Types.ObjectId | null)[];
  sizes: (number | null)[];
  startedAt: number[];
  waves: (number | null)[];
  coupons: number[];
  locations?: Types.ObjectId[];
  [answers: `a${number}`]: unknown[] | undefined;
}

export interface Reading {
  window: SampleWindow;
  /** The study's time zone. */
  zone: string;
}

/** Rows in no particular order, the answers of each given to the columns in the same order. */
export async function readRows(
  wish: Reading,
  columns: readonly Column[],
  session: ClientSession,
): Promise<RawRows> {
  const keys = [...new Set(columns.flatMap((column) => column.keys))];
  const needsPlace = columns.some(({ spec }) => spec.source.from === 'LOCATION');
  const rows: RawRows = { ids: [], recruiters: [], sizes: [], startedAt: [], areSeeds: [], coupons: [] };
  for await (const piece of pieces(wish, keys, needsPlace, session)) {
    const byKey = new Map(keys.map((key, place) => [key, piece[`a${place}`] ?? []]));
    const version = await versionOf(piece._id.q);
    let at = 0;
    const answers = { get: (key: string) => byKey.get(key)?.[at] };
    for (; at < piece.ids.length; at++) {
      if (at % AT_ONCE === 0) await turn();
      addRow(rows, piece, at);
      const interview = { version, location: piece.locations?.[at]?.toHexString() ?? '', answers };
      for (const column of columns) column.add(interview);
    }
  }
  return rows;
}

function addRow(rows: RawRows, piece: Piece, at: number): void {
  rows.ids.push(piece.ids[at]!.toHexString());
  rows.recruiters.push(piece.recruiters[at]?.toHexString() ?? null);
  rows.sizes.push(piece.sizes[at] ?? Number.NaN);
  rows.startedAt.push(piece.startedAt[at]!);
  // It came with a seed's code.
  rows.areSeeds.push(piece.waves[at] === 0);
  rows.coupons.push(piece.coupons[at]!);
}

function pieces(
  { window, zone }: Reading,
  keys: readonly string[],
  needsPlace: boolean,
  session: ClientSession,
): AsyncIterable<Piece> {
  const { match, how } = windowOf(window, zone);
  const answers = keys.map((key, at) => {
    // A name may hold characters that mean something in a path.
    const answer = { $getField: { field: { $literal: key }, input: '$responses' } };
    return [`a${at}`, each(answer)];
  });
  return Surveys.collection.aggregate<Piece>(
    [
      { $match: { ...match, ...COUNTS } },
      {
        $group: {
          _id: PIECE,
          ids: each('$_id'),
          recruiters: each('$recruiter'),
          sizes: each('$networkSize'),
          startedAt: each({ $toDouble: '$startedAt' }),
          waves: each('$wave'),
          coupons: each({ $size: '$issuedCodes' }),
          ...(needsPlace ? { locations: each('$location') } : {}),
          ...Object.fromEntries(answers),
        },
      },
    ],
    { ...how, maxTimeMS: LIMIT_MS, allowDiskUse: true, session, batchSize: PIECES },
  );
}

/** What is not there keeps its place. */
const each = (value: unknown) => ({ $push: { $ifNull: [value, null] } });
