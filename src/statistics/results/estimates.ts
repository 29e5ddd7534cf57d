/** The current estimates of one outcome. */

import { WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem, queryProblem } from '../../platform/http/problems/problem.ts';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import { RELATION } from '../../questionnaires/codebook.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { seedOf } from '../estimators/draws/random.ts';
import { countsOf } from '../estimators/outcome.ts';
import { latestTreeRun } from '../runs/read.ts';
import { type SiteTable, siteTablesOf, titlesOf } from '../sample/by-site.ts';
import { studyContext } from '../sample/load.ts';
import { type Reader, readerId, smallestCellFor } from '../sample/right.ts';
import { type LoadedOutcome, type SampleWish, type StudyContext, sampleOf } from '../sample/sample.ts';
import { ask } from '../study-table/ask.ts';
import { figure } from '../study-table/figure.ts';
import type { Estimated, EstimateJob, Sizes } from './estimate.ts';
import { type Answer, shownTo } from './estimates-for-reader.ts';
import type { Estimates, EstimatesQuery } from './schema.ts';

export async function estimatesFor(reader: Reader, query: EstimatesQuery, now: Date): Promise<Estimates> {
  const { settings, context } = await studyContext();
  const { outcome: name, location, from, to, questionnaire } = query;
  const window = { location, from, to, questionnaire };
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const population = sizesOf(query, settings);
  const wish = { name, window, zone: reader.zone, withOtherSites: smallest > 0, ...context };
  const made = async () => {
    const { sample, times, outcome, ...about } = await ask(outcomeFigure, wish, readerId(reader));
    const randomSeed = query.randomSeed ?? seedOf([name, window, population]);
    const job = { sample, times, outcome, population, randomSeed };
    return { ...about, found: await estimateInThread(job, readerId(reader)) };
  };
  const filters = {
    location: location ?? null,
    from: from ?? null,
    to: to ?? null,
    questionnaire: questionnaire ?? null,
  };
  const [{ seedIds, ...about }, run] = await Promise.all([
    made(),
    latestTreeRun({ outcome: name, smallest, ...filters }),
  ]);
  const treeSeeds = about.found.bottleneck.map(({ seed }) => seedIds.get(seed)!);
  const isPart = location !== undefined;
  return shownTo({ ...about, name, asOf: now, population, treeSeeds, isPart }, smallest, run);
}

/** Where the query names a size, all three are its own. */
function sizesOf(query: EstimatesQuery, settings: StudyRecord): Sizes {
  const own = [query.populationSizeLow, query.populationSize, query.populationSizeHigh];
  const [low, size, high] = own.some((one) => one !== undefined)
    ? own.map((one) => one ?? null)
    : [settings.populationSizeLow, settings.populationSize, settings.populationSizeHigh];
  const given = [low, size, high].filter((one) => one !== null && one !== undefined);
  if (given.some((one, at) => at > 0 && one < given[at - 1]!)) {
    throw queryProblem(fieldError('populationSize', 'SIZES_REVERSED'));
  }
  return { low: low ?? null, size: size ?? null, high: high ?? null };
}

type Wish = Omit<SampleWish, 'outcomes'> & StudyContext & { name: string };

/** One outcome with the sample, for the threads that estimate. */
export const outcomeFigure = figure('outcome', (table, { name, ...wish }: Wish) => {
  const sample = sampleOf(table, { ...wish, outcomes: { outcome: name }, ifThere: [RELATION] });
  const tables = siteTablesOf(sample);
  const { n, recruiters, reportedSizes, order, times, orphans, sizeMissing, sizeZero } = sample;
  const [loaded] = sample.outcomes as [LoadedOutcome, ...LoadedOutcome[]];
  const { outcome, notAsked } = loaded;
  const seedIds = new Map<number, string>();
  for (const [row, recruiter] of recruiters.entries()) if (recruiter < 0) seedIds.set(row, sample.idOf(row));
  return {
    kind: outcome.kind,
    about: { n, notAsked, orphans, sizeMissing, sizeZero },
    values: outcome.kind === 'CATEGORY' ? [...outcome.levels] : [null],
    titles: titlesOf(loaded, sample.elsewhere?.outcomes[0]),
    offered: loaded.offered,
    relation: relationOf(sample.outcomes, tables),
    sites: tables[0] ?? null,
    sample: { recruiters, reportedSizes, order },
    times,
    outcome,
    seedIds,
  };
});

/** Null where nobody says who it was. */
function relationOf(outcomes: readonly LoadedOutcome[], tables: (SiteTable | null)[]): Answer['relation'] {
  const at = outcomes.findIndex(({ name }) => name === RELATION);
  const relation = outcomes[at]?.outcome;
  if (relation?.kind !== 'CATEGORY' || relation.levels.length === 0) return null;
  const stranger = relation.levels.indexOf('stranger');
  return { counts: [...countsOf(relation)], stranger, sites: tables[at] ?? null };
}

/** Some twenty times what the largest sensible study takes. */
const LIMIT_MS = 30_000;
const MAX_THREADS = 2;

const queue = new WorkQueue({
  capacity: MAX_THREADS,
  each: MAX_THREADS,
  mostWaiting: 50,
  mostWaitingEach: 40,
  patienceMs: 30_000,
  overloadProblem: 'SENDING_TOO_MUCH',
});

const pool = new WorkerPool<EstimateJob, Estimated>({
  kind: 'thread',
  from: import.meta.url,
  name: 'estimate-worker',
  size: MAX_THREADS,
  memoryMb: 512,
  youngMb: 8,
});

/**
 * On a thread of its own: the estimates of a hundred thousand interviews would keep the table's process busy for too long.
 * UNAVAILABLE if the work takes too long. `by`: the id of the user who wants it.
 */
async function estimateInThread(job: EstimateJob, by?: string): Promise<Estimated> {
  return await queue.inTurn(by, undefined, async () => {
    try {
      return await pool.run(job, { signal: AbortSignal.timeout(LIMIT_MS) });
    } catch (error) {
      throw problem('UNAVAILABLE', { cause: error });
    }
  });
}
