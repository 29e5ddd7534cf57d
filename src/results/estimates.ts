/** The estimates of one outcome as they are now. */
import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { countsOf } from '../analysis/outcome.ts';
import { fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { keepingLastAnswers } from '../recruitment/kept.ts';
import { type SiteTable, siteTablesOf, titlesOf } from '../sample/by-site.ts';
import { type LoadedOutcome, loadSample } from '../sample/load.ts';
import { withSample } from '../sample/queue.ts';
import { type Reader, smallestCellFor } from '../sample/right.ts';
import type { SampleWindow } from '../sample/schema.ts';
import { RELATION } from '../sample/versions.ts';
import { type StudyRecord, study } from '../study/model.ts';
import type { Sizes } from './estimate.ts';
import { intervalsFor } from './intervals.ts';
import type { Estimates, EstimatesQuery } from './schema.ts';
import { type Answer, shownTo } from './shown.ts';
import { inThread } from './threads.ts';

const kept = keepingLastAnswers<Answer>('estimates');

export async function estimatesFor(
  reader: Reader,
  { maxAge, ...query }: EstimatesQuery,
  now: Date,
): Promise<Estimates> {
  const settings = await study();
  const { outcome, location, from, to, questionnaire } = query;
  const window = { location, from, to, questionnaire };
  // What is asked of the study as it is; the answer is made of the study as it was at its instant.
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const withOtherSites = smallest > 0;
  const asked = [sizesOf(query, settings), settings.outcomes, withOtherSites];
  const key = [mongoose.connection.name, reader.zone, query, asked];
  const make = () => answerTo(query, { window, zone: reader.zone, now, withOtherSites });
  const [answer, run] = await Promise.all([
    kept(key, () => withSample(reader, make), maxAge),
    intervalsFor(outcome, window, smallest),
  ]);
  return shownTo(answer, smallest, run);
}

/** Where the query names a size, all three are its own. */
function sizesOf(query: EstimatesQuery, settings: StudyRecord): Sizes {
  const own = [query.populationSizeLow, query.populationSize, query.populationSizeHigh];
  const [low, size, high] = own.some((one) => one !== undefined)
    ? own.map((one) => one ?? null)
    : [settings.populationSizeLow, settings.populationSize, settings.populationSizeHigh];
  const given = [low, size, high].filter((one) => one !== null && one !== undefined);
  if (given.some((one, at) => at > 0 && one < given[at - 1]!)) {
    throw problem('INVALID_QUERY', { errors: [fieldError('populationSize', 'SIZES_REVERSED')] });
  }
  return { low: low ?? null, size: size ?? null, high: high ?? null };
}

/** The same query has the same random numbers. */
const seedOf = (asked: unknown): number =>
  createHash('sha256').update(JSON.stringify(asked)).digest().readUIntBE(0, 6);

interface Asked {
  window: SampleWindow;
  zone: string;
  now: Date;
  /** Something is to be hidden: see sample/by-site.ts. */
  withOtherSites: boolean;
}

async function answerTo(query: EstimatesQuery, asked: Asked): Promise<Answer> {
  const { outcome: name } = query;
  const { window } = asked;
  const sample = await loadSample({ ...asked, outcomes: { outcome: name }, ifThere: [RELATION] });
  const tables = siteTablesOf(sample);
  const { ids, recruiters, reportedSizes, order, times, orphans, sizeMissing, sizeZero } = sample;
  const population = sizesOf(query, sample.study);
  const randomSeed = query.randomSeed ?? seedOf([name, window, population]);
  const [loaded] = sample.outcomes as [LoadedOutcome, ...LoadedOutcome[]];
  const { outcome } = loaded;
  const found = await inThread({
    kind: 'estimate',
    sample: { recruiters, reportedSizes, order },
    times,
    outcome,
    population,
    randomSeed,
  });
  return {
    name,
    kind: outcome.kind,
    asOf: sample.asOf,
    about: { n: ids.length, orphans, sizeMissing, sizeZero },
    population,
    values: outcome.kind === 'CATEGORY' ? [...outcome.levels] : [null],
    titles: titlesOf(loaded, sample.elsewhere?.outcomes[0]),
    offered: loaded.offered,
    found,
    treeSeeds: found.bottleneck.map(({ seed }) => ids[seed]!),
    relation: relationOf(sample.outcomes, tables),
    isPart: window.location !== undefined,
    sites: tables[0] ?? null,
  };
}

/** Null where nobody says who it was. */
function relationOf(outcomes: readonly LoadedOutcome[], tables: (SiteTable | null)[]): Answer['relation'] {
  const at = outcomes.findIndex(({ name }) => name === RELATION);
  const relation = outcomes[at]?.outcome;
  if (relation?.kind !== 'CATEGORY' || relation.levels.length === 0) return null;
  const stranger = relation.levels.indexOf('stranger');
  return { counts: [...countsOf(relation)], stranger, sites: tables[at] ?? null };
}
