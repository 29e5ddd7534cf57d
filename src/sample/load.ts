/**
 * The sample of the study out of the database: the interviews that count, each with its recruiter, network size and
 * what is asked of its answers. One pass over the interviews, as they all were at one instant.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { ClientSession, Types } from 'mongoose';
import { byCodePoint, type Category, type Outcome } from '../analysis/outcome.ts';
import type { Sample } from '../analysis/sample.ts';
import { atOneInstant } from '../db/snapshot.ts';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { Locations } from '../locations/model.ts';
import type { Texts } from '../questionnaires/countable.ts';
import { type StudyRecord, study } from '../study/model.ts';
import { catalogueOf, LOCATION, levelTitles, MOST_LEVELS, type OutcomeSpec } from './catalogue.ts';
import { type Column, columnOf } from './columns.ts';
import { readRows } from './read.ts';
import { noRows, rowsOf } from './rows.ts';
import type { SampleWindow } from './schema.ts';
import { type Version, type Versions, versionsFor } from './versions.ts';
import { windowOf } from './window.ts';

export interface LoadedOutcome {
  name: string;
  question: OutcomeSpec['question'];
  decidesPart: boolean;
  tellsOfAll: boolean;
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
  /** Null unless it was wished for, and the sample is that of one site. */
  elsewhere: Elsewhere | null;
  /** The one that the sample is narrowed to. */
  site: string | null;
}

/** Who was asked at the other sites in the same days: rows in no particular order. */
export interface Elsewhere {
  /** [n] where each was. */
  sites: Category;
  /** As those of the sample, one by one. */
  outcomes: LoadedOutcome[];
}

export interface SampleWish {
  window: SampleWindow;
  /** The study's time zone. */
  zone: string;
  now: Date;
  /**
   * Names of outcomes by where the caller named them (`{ outcome: 'veteran' }`), for a refusal; or all there are, but for
   * those with too many levels.
   */
  outcomes: Readonly<Record<string, string>> | 'ALL';
  /** Nobody's interview is read: only what could be counted is known then. */
  isEmpty?: boolean;
  /** Further ones, of which those come along that there are. */
  ifThere?: readonly string[];
  /** Of one site's sample, what was answered at the others too: see by-site.ts. */
  withOtherSites?: boolean;
  /** For files with a row for each person: an outcome may have as many levels as there are people. */
  anyLevels?: boolean;
  /** In place of the study's own. */
  computed?: StudyRecord['outcomes'];
  /** Further reads of the same instant. */
  also?: (session: ClientSession) => Promise<void>;
}

/** 400 for an outcome or a questionnaire that is none. Interviews may be many: hold on to no more of it than is needed. */
export async function loadSample(wish: SampleWish): Promise<StudySample> {
  // Refuses days that are none also where no interview is read.
  windowOf(wish.window, wish.zone);
  // Reading a long form takes a while, and the database keeps an instant for minutes only: read here, known there.
  await versionsFor(wish.window.questionnaire);
  return await atOneInstant(async (session) => {
    const stored = await study(session);
    const settings = { ...stored, outcomes: wish.computed ?? stored.outcomes };
    const versions = await versionsFor(wish.window.questionnaire, session);
    const { leading } = versions;
    const columns = columnsOf(wish, versions, settings);
    const raw = wish.isEmpty ? noRows() : await readRows(wish, columns, session);
    if (wish.outcomes !== 'ALL') refuseDiffering(columns, wish.outcomes, leading);
    await wish.also?.(session);
    const isOneSite = wish.withOtherSites && !wish.isEmpty && wish.window.location !== undefined;
    const elsewhere = isOneSite ? await readElsewhere(wish, { versions, settings }, session) : null;
    const rows = await rowsOf(raw);
    const places = await placesOf(columns, session);
    const outcomes = await loadedOutcomes(columns, rows.order, leading, places);
    const { order: _, ...sample } = rows;
    return {
      ...sample,
      order: Int32Array.from(rows.order.keys()),
      asOf: wish.now,
      study: settings,
      ...(wish.anyLevels ? { outcomes, elsewhere } : withinLevels(wish, { outcomes, elsewhere })),
      sizeQuestion: leading?.sizeQuestion ?? null,
      site: wish.window.location ?? null,
    };
  });
}

async function readElsewhere(
  wish: SampleWish,
  { versions, settings }: { versions: Versions; settings: StudyRecord },
  session: ClientSession,
): Promise<Elsewhere> {
  const columns = columnsOf(wish, versions, settings);
  const site = columnOf(LOCATION, { leading: versions.leading, alone: false });
  const { ids } = await readRows({ ...wish, elsewhere: true }, [...columns, site], session);
  const rows = Int32Array.from(ids.keys());
  const outcomes = await loadedOutcomes(columns, rows, versions.leading, new Map());
  return { sites: site.end(rows) as Category, outcomes };
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

/** Refuses what was asked for by name and has too many levels; leaves out what was not. */
function withinLevels(
  { outcomes: asked }: SampleWish,
  { outcomes, elsewhere }: Pick<StudySample, 'outcomes' | 'elsewhere'>,
): Pick<StudySample, 'outcomes' | 'elsewhere'> {
  const size = (one: LoadedOutcome | undefined) =>
    one?.outcome.kind === 'CATEGORY' ? one.outcome.levels.length : 0;
  const isFit = outcomes.map((one, at) => Math.max(size(one), size(elsewhere?.outcomes[at])) <= MOST_LEVELS);
  const errors = (asked === 'ALL' ? [] : Object.keys(asked)).flatMap((path, at) =>
    isFit[at] ? [] : [fieldError(path, 'TOO_MANY_LEVELS', { most: MOST_LEVELS })],
  );
  if (errors.length > 0) throw problem('INVALID_QUERY', { errors });
  const fitting = (all: LoadedOutcome[]) => all.filter((_, at) => isFit[at]);
  return {
    outcomes: fitting(outcomes),
    elsewhere: elsewhere && { ...elsewhere, outcomes: fitting(elsewhere.outcomes) },
  };
}

async function placesOf(columns: readonly Column[], session: ClientSession): Promise<Map<string, Texts>> {
  if (!columns.some(({ spec }) => spec.source.from === 'LOCATION')) return new Map();
  const found = await Locations.collection
    .find<{ _id: Types.ObjectId; name: string }>({}, { session, projection: { name: 1 } })
    .toArray();
  return new Map(found.map(({ _id, name }) => [_id.toHexString(), { en: name }]));
}

async function loadedOutcomes(
  columns: readonly Column[],
  order: Int32Array,
  leading: Version | null,
  places: ReadonlyMap<string, Texts>,
): Promise<LoadedOutcome[]> {
  const outcomes: LoadedOutcome[] = [];
  for (const column of columns) {
    await turn();
    outcomes.push(loadedOutcome(column, order, leading, places));
  }
  return outcomes;
}

function loadedOutcome(
  column: Column,
  order: Int32Array,
  leading: Version | null,
  places: ReadonlyMap<string, Texts>,
): LoadedOutcome {
  const { spec, asking } = column;
  const outcome = column.end(order);
  // The older first, in whatever order they came.
  const others = [...asking].sort((a, b) => (a.id < b.id ? -1 : 1));
  const versions = [...new Set([...(leading ? [leading] : []), ...others])];
  const titles = spec.source.from === 'LOCATION' ? places : levelTitles(spec, versions);
  const levels = outcome.kind === 'CATEGORY' ? outcome.levels : [];
  return {
    name: spec.name,
    question: spec.question,
    decidesPart: spec.decidesPart,
    tellsOfAll: spec.tellsOfAll,
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
