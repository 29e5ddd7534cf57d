/** The change of an outcome between two rounds, which are independent samples. */
import { WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem, queryParameterProblem } from '../../platform/http/problems/problem.ts';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import { interviewModeOfRound, type RequestedRound, requestedRound } from '../../study/rounds/requested.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import { randomSeedOf } from '../estimators/draws/random.ts';
import { levelCountsOf, type OutcomeAnswers } from '../estimators/outcome.ts';
import { cellSizeOf } from '../estimators/sample/cell-size.ts';
import { estimatesForReader } from '../results/estimates.ts';
import type { Estimates } from '../results/schema.ts';
import { loadRoundContext } from '../sample/load.ts';
import { type ResultsReader, readerId, smallestCellFor } from '../sample/right.ts';
import { type LoadedOutcome, type SampleContext, type SampleOptions, sampleOf } from '../sample/sample.ts';
import {
  type SitePopulationSettings,
  siteMembershipOutcome,
  siteMembershipOutcomeNames,
} from '../sample/sites.ts';
import { hiddenLevels } from '../sample/small-cells.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { comparabilityOf, type RoundComparisonFacts } from './comparability.ts';
import { CHANGE_CONFIDENCE, changeFromRuns } from './from-runs.ts';
import {
  type ChangedLevel,
  type ChangeEstimates,
  type ChangeFigures,
  estimateFigures,
  levelsOfBoth,
  type RoundChangeJob,
  type RoundSample,
} from './job.ts';
import type { OutcomeChangeQuery, OutcomeComparison } from './schema.ts';
import { changeSentence } from './sentence.ts';
import { sitePopulationsOf, siteSharesOf } from './site-shares.ts';

const SAMPLES = 1000;
/** `cells`: interviews in both rounds times answers; about eight seconds of calculation. */
export const ROUND_COMPARISON_LIMITS = { cells: 100_000 };

interface ChangeRequest extends Omit<SampleOptions, 'outcomes' | 'ifThere'>, SampleContext {
  outcome: string;
  siteSettings: SitePopulationSettings;
}

/** The outcome and the sites in one round's sample, with what determines its comparability. */
export const roundForChangeFromStudyTable = createStudyTableQuery(
  'change',
  (table, { outcome, siteSettings, ...request }: ChangeRequest) => {
    const sample = sampleOf(table, {
      ...request,
      outcomes: { outcome },
      optionalOutcomes: siteMembershipOutcomeNames(siteSettings),
    });
    const [loaded] = sample.outcomes as [LoadedOutcome, ...LoadedOutcome[]];
    const rules = loaded.questionnaires.map((id) => table.versions.get(id)?.eligibility ?? '');
    return {
      recruiters: sample.recruiters,
      reportedSizes: sample.reportedSizes,
      loaded,
      site: siteMembershipOutcome(sample.outcomes, siteSettings)?.outcome ?? null,
      sizeQuestion: sample.sizeQuestion,
      eligibility: [...new Set(rules)],
    };
  },
);

/** The data of one round. */
interface Part {
  requested: RequestedRound;
  /** All settings when the round was closed; null for the open round. */
  closedSettings: Partial<StudyRecord> | null;
  settings: StudyRecord;
  read: ReturnType<(typeof roundForChangeFromStudyTable)['of']>;
  hidden: Set<string | null>;
  /** With the intervals of the latest runs. */
  estimates: Estimates;
}

export async function outcomeChangeBetweenRounds(
  reader: ResultsReader,
  query: OutcomeChangeQuery,
  now: Date,
): Promise<OutcomeComparison> {
  const [earlier, later] = await Promise.all([
    requestedRound(query.from, 'from'),
    requestedRound(query.to, 'to'),
  ]);
  if (earlier.ref.id === later.ref.id) throw queryParameterProblem(fieldError('to', 'SAME_ROUND'));
  const [from, to] = await Promise.all([
    loadComparedRound(reader, query.outcome, earlier, now),
    loadComparedRound(reader, query.outcome, later, now),
  ]);
  const { kind } = from.read.loaded.outcome;
  if (to.read.loaded.outcome.kind !== kind) throw queryParameterProblem(fieldError('outcome', 'NO_OUTCOME'));
  const values = levelsOfBoth(from.read.loaded.outcome, to.read.loaded.outcome);
  const shares = siteSharesOf(
    { site: from.read.site, reportedSizes: from.read.reportedSizes },
    to.read.site,
    to.settings.siteSizes,
  );
  const sampleFor = (part: Part): RoundSample => ({
    recruiters: part.read.recruiters,
    reportedSizes: part.read.reportedSizes,
    outcome: part.read.loaded.outcome,
    sites: sitePopulationsOf(part.read.site, shares?.people ?? null),
    seed: randomSeedOf(['change', query.outcome, part.requested.ref.id]),
  });
  const people = from.read.recruiters.length + to.read.recruiters.length;
  const basis = people * values.length > ROUND_COMPARISON_LIMITS.cells ? 'INTERVALS' : 'REPLICATES';
  const samples = basis === 'REPLICATES' ? SAMPLES : 0;
  const job = { from: sampleFor(from), to: sampleFor(to), values, samples, confidence: CHANGE_CONFIDENCE };
  const calculated = await inThread(job, readerId(reader));
  const ofRound = ({ read: { loaded }, estimates }: Part) => ({ outcome: loaded.outcome, estimates });
  const { first, levels: changes } =
    basis === 'REPLICATES'
      ? calculated
      : changeFromRuns(calculated.levels, values, ofRound(from), ofRound(to));
  const about = { kind, first, from, to } as const;
  const levels = values.map((value, at) => levelOf(value, changes[at]!, about));
  return {
    outcome: query.outcome,
    kind,
    rounds: { from: roundIdAndName(from), to: roundIdAndName(to) },
    levels,
    basis,
    first,
    runs: from.estimates.run && to.estimates.run ? { from: from.estimates.run, to: to.estimates.run } : null,
    standardised:
      shares && standardizedOf(values, changes, levels, shares.ofStudy ? 'STUDY' : from.requested.ref.id),
    comparability: comparabilityOf(roundComparisonFactsOf(from), roundComparisonFactsOf(to)),
  };
}

export async function loadComparedRound(
  reader: ResultsReader,
  outcome: string,
  requested: RequestedRound,
  now: Date,
): Promise<Part> {
  const round = requested.ref.id;
  const { settings, closedSettings, context } = await loadRoundContext(round);
  const { siteQuestion, siteSizes } = settings;
  const siteSettings = { siteQuestion, siteSizes };
  const request: ChangeRequest = { outcome, siteSettings, window: { round }, zone: reader.zone, ...context };
  const [read, estimates] = await Promise.all([
    queryStudyTable(roundForChangeFromStudyTable, request, readerId(reader)),
    estimatesForReader(reader, { outcome, round }, now),
  ]);
  const smallest = smallestCellFor(reader, settings.smallestCell);
  return {
    requested,
    closedSettings,
    settings,
    read,
    hidden: hiddenIn(read.loaded.outcome, smallest),
    estimates,
  };
}

export const roundIdAndName = ({ requested: { ref, round } }: Part) => ({
  id: ref.id,
  name: round.name,
});

function hiddenIn(outcome: OutcomeAnswers, smallest: number): Set<string | null> {
  const levels: readonly (string | null)[] = outcome.kind === 'CATEGORY' ? outcome.levels : [null];
  const counts = outcome.kind === 'CATEGORY' ? [...levelCountsOf(outcome)] : [cellSizeOf(outcome.values)];
  const hidden = hiddenLevels(counts, smallest);
  return new Set(levels.filter((_, at) => hidden[at]));
}

interface About {
  kind: OutcomeAnswers['kind'];
  first: ChangeEstimates['first'];
  from: Part;
  to: Part;
}

const NO_FIGURES: ChangeFigures = {
  estimate: null,
  low: null,
  high: null,
  cautiousLow: null,
  cautiousHigh: null,
};

function levelOf(
  value: string | null,
  change: ChangedLevel,
  { kind, first, from, to }: About,
): OutcomeComparison['levels'][number] {
  const title = titleOf(value, to) ?? titleOf(value, from);
  const [isFromHidden, isToHidden] = [from.hidden.has(value), to.hidden.has(value)];
  const isHidden = isFromHidden || isToHidden;
  const { difference } = change;
  const main = first === 'TREE' ? difference.tree : difference.chain;
  const words = {
    kind,
    from: from.requested.round.name,
    to: to.requested.round.name,
    low: main?.low ?? null,
    high: main?.high ?? null,
    confidence: CHANGE_CONFIDENCE,
  };
  return {
    value,
    title,
    from: isFromHidden ? NO_FIGURES : estimateFigures(change.from),
    to: isToHidden ? NO_FIGURES : estimateFigures(change.to),
    difference: isHidden ? NO_FIGURES : estimateFigures(difference),
    sentence:
      isHidden || difference.estimate === null
        ? null
        : changeSentence({ ...words, difference: difference.estimate }),
    ...(isHidden && { hidden: true as const }),
  };
}

function titleOf(value: string | null, { read: { loaded } }: Part) {
  if (loaded.outcome.kind !== 'CATEGORY' || value === null) return null;
  return loaded.levelTitles[loaded.outcome.levels.indexOf(value)] ?? null;
}

const SHIFT = 0.02;

function standardizedOf(
  values: readonly (string | null)[],
  changes: readonly ChangedLevel[],
  levels: OutcomeComparison['levels'],
  shares: string,
): OutcomeComparison['standardised'] {
  let isShifted = false;
  const levelDifferences = values.map((value, at) => {
    const { standardised, difference } = changes[at]!;
    const isHidden = levels[at]!.hidden === true;
    if (isHidden || !standardised)
      return {
        value,
        difference: { estimate: null, low: null, high: null },
        ...(isHidden && { hidden: true as const }),
      };
    const { estimate, interval } = standardised;
    if (difference.estimate !== null && Math.abs(estimate - difference.estimate) > SHIFT) isShifted = true;
    return {
      value,
      difference: { estimate, low: interval?.low ?? null, high: interval?.high ?? null },
    };
  });
  const note = isShifted ? 'Part of the change is that other sites were reached.' : null;
  return { shares, levels: levelDifferences, note };
}

export function roundComparisonFactsOf({
  read,
  requested,
  closedSettings,
  settings,
}: Part): RoundComparisonFacts {
  const { loaded, site, sizeQuestion, eligibility } = read;
  const shares = new Map<string, number>();
  if (site) {
    const counts = levelCountsOf(site);
    const answerCount = counts.reduce((sum, one) => sum + one, 0);
    for (const [at, level] of site.levels.entries()) shares.set(level, counts[at]! / answerCount);
  }
  const stored = { ...settings, ...closedSettings };
  return {
    title: loaded.title,
    choices: loaded.offered.map(({ value }) => value),
    sizeQuestion,
    eligibility,
    sites: shares,
    couponsPerSurvey: stored.couponsPerSurvey,
    incentives: JSON.stringify(stored.incentives ?? null),
    mode: interviewModeOfRound(closedSettings, settings),
    startsOn: requested.round.startsOn,
  };
}

/** About ten times as long as the largest sensible study takes. */
const TIMEOUT_MS = 30_000;

const queue = new WorkQueue({
  capacity: 1,
  each: 1,
  maxWaiting: 20,
  maxWaitingEach: 5,
  maxWaitMs: 30_000,
  overloadProblem: 'SENDING_TOO_MUCH',
});

const pool = new WorkerPool<RoundChangeJob, ChangeEstimates>({
  kind: 'thread',
  from: import.meta.url,
  name: 'change-worker',
  size: 1,
  memoryMb: 512,
  youngMb: 16,
});

async function inThread(job: RoundChangeJob, by?: string): Promise<ChangeEstimates> {
  return await queue.inTurn(by, undefined, async () => {
    try {
      return await pool.run(job, { signal: AbortSignal.timeout(TIMEOUT_MS) });
    } catch (error) {
      throw problem('UNAVAILABLE', { cause: error });
    }
  });
}
