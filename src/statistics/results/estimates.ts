/** The current estimates of one outcome. */

import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { queryParameterProblem } from '../../platform/http/problems/problem.ts';
import { RELATION_QUESTION } from '../../questionnaires/codebook.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { randomSeedOf } from '../estimators/draws/random.ts';
import { levelCountsOf } from '../estimators/outcome.ts';
import type { SitePopulations } from '../estimators/standardized.ts';
import { latestRun } from '../runs/read.ts';
import { codedColumnOf, levelTitlesOf, outcomeTablesBySite, type SiteTable } from '../sample/by-site.ts';
import { loadRoundContext } from '../sample/load.ts';
import { calculateOnce, type ResultsReader, readerId, smallestCellFor } from '../sample/right.ts';
import {
  type LoadedOutcome,
  type SampleContext,
  type SampleOptions,
  sampleOf,
  type TableSample,
} from '../sample/sample.ts';
import {
  type SitePopulationSettings,
  siteMembershipOutcome,
  siteMembershipOutcomeNames,
  siteSettingsFingerprint,
  sitesWithPeopleOf,
} from '../sample/sites.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { crossTabulate } from './compare/compare-suppression.ts';
import type { PopulationSizeRange } from './estimate.ts';
import { runInEstimateThread } from './estimate-threads.ts';
import { type CachedEstimate, type LatestRunByMethod, visibleEstimates } from './estimates-for-reader.ts';
import type { Estimates, EstimatesQuery } from './schema.ts';

export async function estimatesForReader(
  reader: ResultsReader,
  query: EstimatesQuery,
  now: Date,
): Promise<Estimates> {
  return await calculateOnce(reader, ['estimates', query], async () => await estimate(reader, query, now));
}

async function estimate(reader: ResultsReader, query: EstimatesQuery, now: Date): Promise<Estimates> {
  const { settings, context } = await loadRoundContext(query.round);
  const { outcome: name, location, from, to, questionnaire } = query;
  const window = { location, from, to, questionnaire };
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const population = sizesOf(query, settings);
  const { siteQuestion, siteSizes } = settings;
  const siteSettings = { siteQuestion, siteSizes };
  const request = { name, window, zone: reader.zone, withOtherSites: smallest > 0, siteSettings, ...context };
  const computeEstimate = async () => {
    const { sample, times, outcome, sites, ...about } = await queryStudyTable(
      outcomeTableQuery,
      request,
      readerId(reader),
    );
    const randomSeed = query.randomSeed ?? randomSeedOf([name, window, population]);
    const job = { sample, times, outcome, population, randomSeed, sites };
    return { ...about, estimate: await runInEstimateThread({ kind: 'estimate', ...job }, readerId(reader)) };
  };
  const filters = {
    location: location ?? null,
    from: from ?? null,
    to: to ?? null,
    questionnaire: questionnaire ?? null,
  };
  const sought = { outcome: name, smallest, ...filters, round: context.round.id };
  const [{ seedIds, ...about }, runs] = await Promise.all([
    computeEstimate(),
    runsOf(sought, population.size),
  ]);
  const treeSeeds = about.estimate.bottleneck.map(({ seed }) => seedIds.get(seed)!);
  const isPart = location !== undefined;
  const siteSizesKey = siteSettingsFingerprint(settings);
  return visibleEstimates(
    { ...about, name, asOf: now, population, treeSeeds, isPart, siteSizesKey },
    smallest,
    runs,
  );
}

/** Intervals shown side by side have the same confidence. */
async function runsOf(
  sought: Omit<Parameters<typeof latestRun>[0], 'method'>,
  populationSize: number | null,
): Promise<LatestRunByMethod> {
  const chain = await latestRun({ ...sought, method: 'CHAIN' });
  const like = chain ? { ...sought, confidence: chain.confidence } : sought;
  const [tree, ss] = await Promise.all([
    latestRun({ ...like, method: 'TREE' }),
    populationSize === null ? null : latestRun({ ...like, method: 'CHAIN', estimator: 'SS', populationSize }),
  ]);
  return { chain, tree, ss };
}

/** If the query names any size, all three come from the query. */
function sizesOf(query: EstimatesQuery, settings: StudyRecord): PopulationSizeRange {
  const own = [query.populationSizeLow, query.populationSize, query.populationSizeHigh];
  const [low, size, high] = own.some((one) => one !== undefined)
    ? own.map((one) => one ?? null)
    : [settings.populationSizeLow, settings.populationSize, settings.populationSizeHigh];
  const sizes = [low, size, high].filter((one) => one !== null && one !== undefined);
  if (sizes.some((one, at) => at > 0 && one < sizes[at - 1]!)) {
    throw queryParameterProblem(fieldError('populationSize', 'SIZES_REVERSED'));
  }
  return { low: low ?? null, size: size ?? null, high: high ?? null };
}

type Wish = Omit<SampleOptions, 'outcomes'> &
  SampleContext & { name: string; siteSettings: SitePopulationSettings };

/** One outcome with the sample, for the threads that estimate. */
export const outcomeTableQuery = createStudyTableQuery(
  'outcome',
  (table, { name, siteSettings, ...request }: Wish) => {
    const optionalOutcomes = [RELATION_QUESTION, ...siteMembershipOutcomeNames(siteSettings)];
    const sample = sampleOf(table, { ...request, outcomes: { outcome: name }, optionalOutcomes });
    const tables = outcomeTablesBySite(sample);
    const { n, recruiters, reportedSizes, order, times, orphans, sizeMissing, sizeZero } = sample;
    const [loaded] = sample.outcomes as [LoadedOutcome, ...LoadedOutcome[]];
    const { outcome, notAsked } = loaded;
    const seedIds = new Map<number, string>();
    for (const [row, recruiter] of recruiters.entries())
      if (recruiter < 0) seedIds.set(row, sample.idOf(row));
    return {
      kind: outcome.kind,
      about: { n, notAsked, orphans, sizeMissing, sizeZero },
      values: outcome.kind === 'CATEGORY' ? [...outcome.levels] : [null],
      titles: levelTitlesOf(loaded, sample.elsewhere?.outcomes[0]),
      offered: loaded.offered,
      relation: relationOf(sample.outcomes, tables),
      siteTable: tables[0] ?? null,
      ...loadStandardized(sample, siteSettings),
      sample: { recruiters, reportedSizes, order },
      times,
      outcome,
      seedIds,
    };
  },
);

/**
 * Only for the whole sample, with the counts of answers by site: what a comparison by site hides is hidden here too.
 */
function loadStandardized(
  { outcomes, site }: TableSample,
  settings: SitePopulationSettings,
): { sites: SitePopulations | null; bySite: CachedEstimate['bySite'] } {
  const [of] = outcomes;
  const by = siteMembershipOutcome(outcomes, settings);
  const sites = sitesWithPeopleOf(outcomes, settings);
  if (!of || !by || !sites?.people || site !== null || by.name === of.name)
    return { sites: null, bySite: null };
  const bySite = {
    by: by.name,
    values: by.outcome.levels,
    titles: levelTitlesOf(by),
    people: sites.people,
    elsewhere: settings.siteSizes.filter(({ location }) => !by.outcome.levels.includes(location)),
    slice: crossTabulate(codedColumnOf(of.outcome), codedColumnOf(by.outcome)),
    unasked: { outcome: of.notAsked > 0, by: by.notAsked > 0 },
  };
  return { sites, bySite };
}

/** Null if nobody says who recruited them. */
function relationOf(
  outcomes: readonly LoadedOutcome[],
  tables: (SiteTable | null)[],
): CachedEstimate['relation'] {
  const at = outcomes.findIndex(({ name }) => name === RELATION_QUESTION);
  const relation = outcomes[at]?.outcome;
  if (relation?.kind !== 'CATEGORY' || relation.levels.length === 0) return null;
  const stranger = relation.levels.indexOf('stranger');
  return { counts: [...levelCountsOf(relation)], stranger, sites: tables[at] ?? null };
}
