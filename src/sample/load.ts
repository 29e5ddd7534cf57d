/**
 * The sample of the study out of the database: the interviews that count, each with its recruiter, network size and
 * what is asked of its answers. One pass over the interviews, as they all were at one instant.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession, Types } from 'mongoose';
import { byCodePoint, type Outcome } from '../analysis/outcome.ts';
import type { Sample } from '../analysis/sample.ts';
import { atOneInstant } from '../db/snapshot.ts';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { Locations } from '../locations/model.ts';
import type { Texts } from '../questionnaires/countable.ts';
import { type StudyRecord, study } from '../study/model.ts';
import { Surveys } from '../surveys/model.ts';
import { catalogueOf, levelTitles, type OutcomeSpec } from './catalogue.ts';
import { type Column, columnOf } from './columns.ts';
import { type RawRow, rowsOf } from './rows.ts';
import type { SampleWindow } from './schema.ts';
import { type Version, type Versions, versionOf, versionsFor } from './versions.ts';
import { windowOf } from './window.ts';

export interface LoadedOutcome {
  name: string;
  title: Texts;
  outcome: Outcome;
  /** By level; null for one without a name of its own. */
  levelTitles: (Texts | null)[];
  /** The answers that can be given, whether or not anyone gave them; none of a number, of sites and of what is worked out. */
  offered: { value: string; title: Texts }[];
  /** Ids of the versions that ask it, among those of the sample. */
  questionnaires: string[];
}

/** Rows are in order of time, ties by id, so that nothing hangs on the order in which interviews arrived. */
export interface StudySample extends Sample {
  /** The instant at which all of it was so. */
  asOf: Date;
  /** The study's settings at that instant. */
  study: StudyRecord;
  /** [n] when each began, in milliseconds; not before the recruiter, whatever the device's clock said. */
  times: Float64Array;
  /** [n] as the device said. */
  startedAt: Float64Array;
  /** [n] how many coupons each was given. */
  coupons: Int32Array;
  /** Seeds of the sample that did not come as one: their recruiter is deleted, left out, or not known. */
  orphans: number;
  sizeMissing: number;
  sizeZero: number;
  /** Ids of interviews that recruited each other in a circle, which was cut for the sample's sake; none in sound data. */
  circles: string[][];
  outcomes: LoadedOutcome[];
  /** How the leading questionnaire asks for the network size. */
  sizeQuestion: Texts | null;
}

export interface SampleWish {
  window: SampleWindow;
  /** The study's time zone. */
  zone: string;
  now: Date;
  /** Names of outcomes by where the caller named them (`{ outcome: 'veteran' }`), for a refusal; or all there are. */
  outcomes: Readonly<Record<string, string>> | 'ALL';
  /** Further ones, of which those come along that there are. */
  ifThere?: readonly string[];
  /** Further reads of the same instant. */
  also?: (session: ClientSession) => Promise<void>;
}

/** Completed, of people who take part, not deleted. Who was rejected in review is left out. */
export const COUNTS = {
  status: 'COMPLETED',
  takesPart: { $ne: false },
  'review.state': { $ne: 'REJECTED' },
} as const;

/** So many at a time are turned into rows; others are answered in between. */
const AT_ONCE = 1_000;

/** 400 for an outcome or a questionnaire that is none. Interviews may be many: hold on to no more of it than is needed. */
export async function loadSample(wish: SampleWish): Promise<StudySample> {
  return await atOneInstant(async (session) => {
    const settings = await study(session);
    const versions = await versionsFor(wish.window.questionnaire, session);
    const { leading } = versions;
    const columns = columnsOf(wish, versions, settings);
    const gathering = gather(columns);
    for await (const batch of foundBy(wish, columns, session)) await gathering.add(batch);
    if (wish.outcomes !== 'ALL') refuseDiffering(columns, wish.outcomes, leading);
    await wish.also?.(session);
    const rows = await rowsOf(gathering.rows);
    const places = await placesOf(columns, session);
    const outcomes: LoadedOutcome[] = [];
    for (const column of columns) {
      await turn();
      outcomes.push(loadedOutcome(column, rows.order, leading, places));
    }
    const { order: _, ...sample } = rows;
    return {
      ...sample,
      order: Int32Array.from(rows.order.keys()),
      asOf: wish.now,
      study: settings,
      outcomes,
      sizeQuestion: leading?.sizeQuestion ?? null,
    };
  });
}

function columnsOf(
  { window, outcomes, ifThere = [] }: SampleWish,
  versions: Versions,
  settings: StudyRecord,
): Column[] {
  const catalogue = catalogueOf(versions, settings);
  const asked = { leading: versions.leading, alone: window.questionnaire !== undefined };
  if (outcomes === 'ALL') return catalogue.map((spec) => columnOf(spec, asked));
  const wanted = Object.entries(outcomes).map(([path, name]) => {
    const spec = catalogue.find((one) => one.name === name);
    if (spec) return spec;
    throw problem('INVALID_QUERY', { errors: [fieldError(path, 'NO_OUTCOME')] });
  });
  const further = catalogue.filter(({ name }) => ifThere.includes(name));
  return [...wanted, ...further].map((spec) => columnOf(spec, asked));
}

interface Found {
  _id: Types.ObjectId;
  r: Types.ObjectId | null;
  s: number | null;
  t: Date;
  w: number | null;
  c: number;
  q: Types.ObjectId;
  l?: Types.ObjectId;
  /** By the keys that are asked for. */
  a: unknown[];
}

async function* foundBy(
  { window, zone }: SampleWish,
  columns: readonly Column[],
  session: ClientSession,
): AsyncGenerator<Found[]> {
  const { match, how } = windowOf(window, zone);
  const answers = keysOf(columns).map((key) => ({
    // A name may hold characters that mean something in a path.
    $getField: { field: { $literal: key }, input: '$responses' },
  }));
  const needsPlace = columns.some(({ spec }) => spec.source.from === 'LOCATION');
  const place = { r: '$recruiter', s: '$networkSize', t: '$startedAt', w: '$wave', q: '$questionnaire' };
  const found = Surveys.collection.aggregate<Found>(
    [
      { $match: { ...match, ...COUNTS } },
      {
        $project: {
          ...place,
          c: { $size: '$issuedCodes' },
          ...(needsPlace ? { l: '$location' } : {}),
          a: answers,
        },
      },
    ],
    { ...how, session, batchSize: AT_ONCE },
  );
  let batch: Found[] = [];
  for await (const one of found) {
    batch.push(one);
    if (batch.length < AT_ONCE) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

const keysOf = (columns: readonly Column[]): string[] => [...new Set(columns.flatMap(({ keys }) => keys))];

function gather(columns: readonly Column[]) {
  const rows: RawRow[] = [];
  const place = new Map(keysOf(columns).map((key, at) => [key, at]));
  const versions = new Map<string, Version | null>();
  let current: unknown[] = [];
  const answers = { get: (key: string) => current[place.get(key) ?? -1] };
  return {
    rows,
    async add(batch: readonly Found[]): Promise<void> {
      for (const { q } of batch) {
        const id = q.toHexString();
        if (!versions.has(id)) versions.set(id, await versionOf(q));
      }
      for (const one of batch) {
        current = one.a;
        const interview = {
          version: versions.get(one.q.toHexString()) ?? null,
          location: one.l?.toHexString() ?? '',
          answers,
        };
        for (const column of columns) column.add(interview);
        rows.push({
          id: one._id.toHexString(),
          recruiter: one.r?.toHexString() ?? null,
          size: one.s,
          startedAt: one.t.getTime(),
          isSeed: one.w === 0,
          coupons: one.c,
        });
      }
    },
  };
}

/** A question that was of another kind in another version: which one is meant must be said. */
function refuseDiffering(
  columns: readonly Column[],
  outcomes: Readonly<Record<string, string>>,
  leading: Version | null,
): void {
  const errors = Object.keys(outcomes).flatMap((path, at) => {
    const others = [...(columns[at]?.differing ?? [])].map(({ label }) => label).sort();
    if (others.length === 0) return [];
    return [
      fieldError(path, 'OTHER_OUTCOME', { here: leading?.label ?? 'one', elsewhere: others.join(', ') }),
    ];
  });
  if (errors.length > 0) throw problem('INVALID_QUERY', { errors });
}

async function placesOf(columns: readonly Column[], session: ClientSession): Promise<Map<string, Texts>> {
  if (!columns.some(({ spec }) => spec.source.from === 'LOCATION')) return new Map();
  const found = await Locations.collection
    .find<{ _id: Types.ObjectId; name: string }>({}, { session, projection: { name: 1 } })
    .toArray();
  return new Map(found.map(({ _id, name }) => [_id.toHexString(), { en: name }]));
}

function loadedOutcome(
  column: Column,
  order: Int32Array,
  leading: Version | null,
  places: ReadonlyMap<string, Texts>,
): LoadedOutcome {
  const { spec, asking } = column;
  const outcome = column.end(order);
  const versions = [...new Set([...(leading ? [leading] : []), ...asking])];
  const titles = spec.source.from === 'LOCATION' ? places : levelTitles(spec, versions);
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels : [];
  return {
    name: spec.name,
    title: spec.title,
    outcome,
    levelTitles: levels.map((level) => titles.get(level) ?? null),
    offered:
      outcome.kind === 'NUMBER' || spec.source.from === 'LOCATION'
        ? []
        : [...titles]
            .map(([value, title]) => ({ value, title }))
            .sort((a, b) => byCodePoint(a.value, b.value)),
    questionnaires: askedBy(spec, leading, asking),
  };
}

function askedBy({ source }: OutcomeSpec, leading: Version | null, asking: ReadonlySet<Version>): string[] {
  if (source.from !== 'ANSWER') return leading ? [leading.id] : [];
  return [...new Set([...(leading ? [leading.id] : []), ...[...asking].map(({ id }) => id).sort()])];
}
