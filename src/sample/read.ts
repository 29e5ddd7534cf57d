/**
 * The interviews that count, out of the database. What is asked of them comes as columns: the database gathers some
 * hundred interviews into one record, which costs a tenth of taking each apart here.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession, Types } from 'mongoose';
import { LIMITS } from '../recruitment/limits.ts';
import { SCAN } from '../recruitment/window.ts';
import { IN_THE_SAMPLE } from '../surveys/counting.ts';
import { Surveys } from '../surveys/model.ts';
import type { Column } from './columns.ts';
import { noRows, type RawRows } from './rows.ts';
import type { SampleWindow } from './schema.ts';
import { type Version, versionOf } from './versions.ts';
import { windowOf } from './window.ts';

/** Pieces that come over at once, the fewer the more is asked of each; others are answered in between. */
const piecesAtOnce = (questions: number) => Math.max(4, Math.ceil(64 / (questions + 1)));
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

/** Of this many interviews on, their parts are read beside each other. */
const WORTH_PARTS = 2_000;
const PARTS = 4;
const AT_A_TIME = 2;

export interface Reading {
  window: SampleWindow;
  /** The study's time zone. */
  zone: string;
  /** Those of all other sites in place of the one that the window names. */
  elsewhere?: boolean;
}

/** Rows in no particular order, the answers of each given to the columns in the same order. */
export async function readRows(
  wish: Reading,
  columns: readonly Column[],
  session: ClientSession,
): Promise<RawRows> {
  const keys = [...new Set(columns.flatMap((column) => column.keys))];
  const needsPlace = columns.some(({ spec }) => spec.source.from === 'LOCATION');
  const rows = noRows();
  const parts = await partsOf(wish, session);
  const query = { keys, needsPlace, session };
  // One part is taken apart here while the database gathers another.
  const lane = async () => {
    for (let part = parts.pop(); part; part = parts.pop()) await readPart(part);
  };
  const readPart = async (part: Part) => {
    for await (const piece of pieces(part, query)) {
      take(piece, await versionOf(piece._id.q));
      await turn();
    }
  };
  /** In one turn: rows and columns stay in the same order, whichever part comes in between. */
  const take = (piece: Piece, version: Version | null) => {
    const size = piece.ids.length;
    for (let at = 0; at < size; at++) addRow(rows, piece, at);
    const byKey = new Map(keys.map((key, place) => [key, piece[`a${place}`] ?? []]));
    const locations = (piece.locations ?? []).map((id) => id.toHexString());
    const answersTo = (key: string) => byKey.get(key) ?? [];
    for (const column of columns) column.add({ version, size, locations, answersTo });
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  return rows;
}

/** A filter of surveys that are not deleted, and how they are read best. */
interface Part {
  match: object;
  how: object;
}

/** All that are asked for, or, of many, the same in parts by id, about as large as one another. */
async function partsOf({ window, zone, elsewhere }: Reading, session: ClientSession): Promise<Part[]> {
  const { match, how } = windowOf(window, zone, elsewhere);
  const all = await Surveys.collection.estimatedDocumentCount();
  if (how !== SCAN || all < WORTH_PARTS) return [{ match, how }];
  const edges = await Promise.all(
    Array.from({ length: PARTS - 1 }, async (_, at) => {
      const skip = Math.floor((all * (at + 1)) / PARTS);
      const byId = { sort: { _id: 1 }, projection: { _id: 1 }, skip, session } as const;
      return (await Surveys.collection.findOne<{ _id: Types.ObjectId }>({}, byId))?._id;
    }),
  );
  const between = [undefined, ...edges.filter((edge) => edge !== undefined), undefined];
  return between.slice(1).map((end, at) => {
    const begin = between[at];
    const _id = { ...(begin ? { $gte: begin } : {}), ...(end ? { $lt: end } : {}) };
    return { match: { ...match, _id }, how: { ...LIMITS, hint: { _id: 1 } } };
  });
}

function addRow(rows: RawRows, piece: Piece, at: number): void {
  rows.ids.push(piece.ids[at]!);
  rows.recruiters.push(piece.recruiters[at] ?? null);
  rows.sizes.push(piece.sizes[at] ?? Number.NaN);
  rows.startedAt.push(piece.startedAt[at]!);
  // It came with a seed's code.
  rows.areSeeds.push(piece.waves[at] === 0);
  rows.coupons.push(piece.coupons[at]!);
}

interface Wanted {
  keys: readonly string[];
  needsPlace: boolean;
  session: ClientSession;
}

function pieces({ match, how }: Part, { keys, needsPlace, session }: Wanted): AsyncIterable<Piece> {
  const answers = keys.map((key, at) => {
    // A name may hold characters that mean something in a path.
    const answer = { $getField: { field: { $literal: key }, input: '$responses' } };
    return [`a${at}`, each(answer)];
  });
  return Surveys.collection.aggregate<Piece>(
    [
      { $match: { ...match, ...IN_THE_SAMPLE } },
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
    { ...how, maxTimeMS: LIMIT_MS, allowDiskUse: true, session, batchSize: piecesAtOnce(keys.length) },
  );
}

/** What is not there keeps its place. */
const each = (value: unknown) => ({ $push: { $ifNull: [value, null] } });
