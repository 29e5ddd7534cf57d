/** The persons and households of a count, in the cells required by HUD. */
import { WorkQueue } from '../../../platform/http/limits/work-queue.ts';
import { problem } from '../../../platform/http/problems/problem.ts';
import { WorkerPool } from '../../../platform/lib/workers/worker-pool.ts';
import { randomSeedOf } from '../../estimators/draws/random.ts';
import type {
  FigureWithBounds,
  KnownTotal,
  PopulationUnit,
  TotalsByCell,
} from '../../estimators/households/totals.ts';
import type { CategoryOutcome } from '../../estimators/outcome.ts';
import { estimatesForReader } from '../../results/estimates.ts';
import { loadRoundContext } from '../../sample/load.ts';
import { calculateOnce, type ResultsReader, readerId, smallestCellFor } from '../../sample/right.ts';
import { type SampleContext, type SampleOptions, sampleOf } from '../../sample/sample.ts';
import {
  type SitePopulationSettings,
  siteMembershipOutcomeNames,
  sitesWithPeopleOf,
} from '../../sample/sites.ts';
import { hiddenLevels } from '../../sample/small-cells.ts';
import { queryStudyTable } from '../../study-table/ask.ts';
import { createStudyTableQuery } from '../../study-table/table-query.ts';
import type { PopulationCountRecord } from '../model.ts';
import type { CountTableEstimates, CountTablesJob } from './job.ts';
import { COUNT_TABLE_QUESTION_NAMES } from './questions.ts';
import { readCountAnswers } from './read-answers.ts';
import type { CountTables } from './schema.ts';
import { describeCountTables } from './tables-text.ts';
import { COUNT_TABLE_TITLES } from './words.ts';

type Note = CountTables['notes'][number];

export const TABLE_REPLICATES = 1000;
const CONFIDENCE = 0.95;

interface TablesRequest extends Omit<SampleOptions, 'outcomes' | 'ifThere'>, SampleContext {
  outcome: string;
  value: string;
  sites: SitePopulationSettings;
}

/** The answers for the tables, including the counted one. */
export const countAnswersFromStudyTable = createStudyTableQuery(
  'count tables',
  (table, { outcome, value, sites: places, ...request }: TablesRequest) => {
    const optionalOutcomes = [
      ...Object.values(COUNT_TABLE_QUESTION_NAMES),
      ...siteMembershipOutcomeNames(places),
    ];
    const sample = sampleOf(table, { ...request, outcomes: { outcome }, optionalOutcomes });
    const counted = sample.outcomes[0]?.outcome as CategoryOutcome;
    const at = counted.levels.indexOf(value);
    return {
      recruiters: sample.recruiters,
      reportedSizes: sample.reportedSizes,
      sites: sitesWithPeopleOf(sample.outcomes, places)?.codes ?? null,
      has: Int8Array.from(counted.codes, (code) => (code < 0 ? -1 : Number(code === at))),
      answers: readCountAnswers(sample),
    };
  },
);

export interface CountTablesResult {
  asOf: Date;
  smallest: number;
  known: number;
  n: number;
  /** Number of people in the sample who gave the counted answer. */
  having: number;
  notAsked: string[];
  areHouseholdsKnown: boolean;
  /** Number of people in the sample who live with children, and with other adults. */
  living: { withChildren: number; withAdults: number };
  estimates: CountTableEstimates;
  method: CountTablesJob['method'];
}

export async function loadCountTables(
  count: PopulationCountRecord,
  reader: ResultsReader,
  now: Date,
): Promise<CountTables> {
  const result = await estimateCountTables(count, reader, now);
  const { estimates, method, asOf } = result;
  const isHidden = isEverythingHidden(count, result);
  const notes = notesOf(count, result, isHidden);
  const isTotalHidden = (total: PopulationUnit) => isHidden || isRevealing(result, total);
  const totals = totalsOf(estimates, isTotalHidden);
  const tables = estimates.tables.map((table, at) => {
    const { key, total, titles } = estimates.titled[at]!;
    return {
      table: key,
      of: total,
      title: COUNT_TABLE_TITLES[key],
      cells: cellsOf(table, titles, isTotalHidden(total) ? Number.POSITIVE_INFINITY : result.smallest),
    };
  });
  const reply = {
    asOf: asOf.toISOString(),
    unit: 'ADULTS' as const,
    method: estimates.hasIntervals ? method : null,
    totals,
    other: otherOf(estimates, isTotalHidden),
    tables,
    notes,
    count: count._id.toHexString(),
  };
  return { ...reply, text: describeCountTables(count, reply, result) };
}

export async function estimateCountTables(
  count: PopulationCountRecord,
  reader: ResultsReader,
  now: Date,
): Promise<CountTablesResult> {
  return await calculateOnce(
    reader,
    ['tables', count._id],
    async () => await calculateTables(count, reader, now),
  );
}

async function calculateTables(
  count: PopulationCountRecord,
  reader: ResultsReader,
  now: Date,
): Promise<CountTablesResult> {
  const { settings, context } = await loadRoundContext(count.round.toHexString());
  const { outcome, value, location, from, to } = count;
  const window = {
    round: count.round.toHexString(),
    ...(location && { location: location.toHexString() }),
    ...(from && { from }),
    ...(to && { to }),
  };
  const { siteQuestion, siteSizes } = settings;
  const sites = { siteQuestion, siteSizes };
  const request: TablesRequest = { outcome, value, window, zone: reader.zone, sites, ...context };
  const { has, answers, ...sample } = await queryStudyTable(
    countAnswersFromStudyTable,
    request,
    readerId(reader),
  );
  const { known, knownLow, knownHigh } = count;
  const multiplier: KnownTotal = { has, known, knownLow, knownHigh };
  const { first } = await estimatesForReader(reader, { outcome, ...window }, now);
  // If the data contradict CHAIN's assumptions, use the wide interval.
  const method = first ?? 'CHAIN';
  const estimates = await inThread(
    {
      ...sample,
      multiplier,
      answers,
      method,
      samples: TABLE_REPLICATES,
      confidence: CONFIDENCE,
      seed: randomSeedOf(['tables', outcome, value, window]),
    },
    readerId(reader),
  );
  return {
    asOf: now,
    smallest: smallestCellFor(reader, settings.smallestCell),
    known: has.reduce((all, one) => all + Number(one >= 0), 0),
    n: has.length,
    having: has.reduce((all, one) => all + Number(one === 1), 0),
    notAsked: answers.notAsked,
    areHouseholdsKnown: answers.households !== null,
    living: {
      withChildren: answers.households?.children.filter((one) => one > 0).length ?? 0,
      withAdults: answers.households?.adults.filter((one) => one > 1).length ?? 0,
    },
    estimates,
    method,
  };
}

/**
 * The total reveals how many people gave the counted answer, so it is hidden if they are few. For a single site, hidden
 * cells could be found from the other sites' tables, so those tables are only for super-admins.
 */
export function isEverythingHidden(
  { location }: PopulationCountRecord,
  { smallest, having, known: answerCount }: CountTablesResult,
): boolean {
  if (smallest === 0) return false;
  return (
    location !== null || (having > 0 && hiddenLevels([having, answerCount - having], smallest).includes(true))
  );
}

const NOTHING = { estimate: null, low: null, high: null };

/**
 * Whether the total would reveal a small number: persons minus adults are the children of few people, and adults minus
 * households are few people who live with other adults.
 */
export function isRevealing({ smallest, living }: CountTablesResult, total: PopulationUnit): boolean {
  if (total === 'ADULTS') return false;
  const few = total === 'PERSONS' ? living.withChildren : living.withAdults;
  return few > 0 && few < smallest;
}

function totalsOf(
  { totals }: CountTableEstimates,
  isHidden: (total: PopulationUnit) => boolean,
): CountTables['totals'] {
  const of = (total: PopulationUnit) => {
    const estimate = totals[total];
    if (!estimate) return null;
    return isHidden(total) ? NOTHING : rounded(estimate);
  };
  return { adults: of('ADULTS'), persons: of('PERSONS'), households: of('HOUSEHOLDS') };
}

function otherOf(
  { other }: CountTableEstimates,
  isHidden: (total: PopulationUnit) => boolean,
): CountTables['other'] {
  if (!other) return null;
  const of = (total: PopulationUnit) => {
    const estimate = other.totals[total];
    if (!estimate || isHidden(total)) return null;
    const { low, high } = rounded(estimate);
    return { low, high };
  };
  return {
    method: other.method,
    adults: of('ADULTS'),
    persons: of('PERSONS'),
    households: of('HOUSEHOLDS'),
  };
}

const whole = (figure: number | null): number | null => (figure === null ? null : Math.round(figure));
const rounded = ({ estimate, low, high }: FigureWithBounds): FigureWithBounds => ({
  estimate: whole(estimate),
  low: whole(low),
  high: whole(high),
});

function cellsOf(
  { total, cells }: TotalsByCell,
  titles: CountTableEstimates['titled'][number]['titles'],
  smallest: number,
): CountTables['tables'][number]['cells'] {
  const isFew = (people: number[]) =>
    Number.isFinite(smallest) ? hiddenLevels(people, smallest) : people.map(() => true);
  const few = isFew(cells.map(({ count }) => count));
  // In a cell, adults minus households reveals those who live with other adults.
  const fewSharing = isFew(cells.map(({ sharing }) => (total === 'HOUSEHOLDS' ? sharing : 0)));
  const hidden = few.map((isOne, at) => isOne || fewSharing[at]);
  return cells.map(({ key, ...figures }, at) => ({
    cell: key,
    title: titles[at] ?? null,
    ...(hidden[at] ? { ...NOTHING, hidden: true as const } : rounded(figures)),
  }));
}

function notesOf({ location }: PopulationCountRecord, result: CountTablesResult, isHidden: boolean): Note[] {
  const { estimates, n, having, notAsked, areHouseholdsKnown } = result;
  const note = (code: Note['code'], message: string, table: string | null = null): Note => ({
    table,
    code,
    message,
  });
  if (isHidden && location !== null)
    return [
      note(
        'ONE_SITE',
        'Only super-admins can see the tables of a single site. Compared with the tables of all sites, they could reveal small groups at the other sites.',
      ),
    ];
  if (isHidden) return [note('HIDDEN', 'Too few people in the sample have this answer to show a result.')];
  const total = estimates.totals.ADULTS;
  if (having === 0 || total?.estimate == null)
    return [note('NO_TOTAL', 'No one in the sample has this answer, so there is no total.')];
  const notes = notAsked.map((table) =>
    note('NOT_ASKED', 'No questionnaire version of these interviews asks what this table needs.', table),
  );
  if (!areHouseholdsKnown)
    notes.push(
      note(
        'NO_HOUSEHOLDS',
        'No questionnaire version of these interviews asks how many adults of a household could take part, so persons and households can’t be counted. The tables are of adults.',
      ),
    );
  if (isRevealing(result, 'PERSONS'))
    notes.push(
      note('PERSONS_HIDDEN', 'Persons aren’t shown, because few people in the sample live with children.'),
    );
  if (isRevealing(result, 'HOUSEHOLDS'))
    notes.push(
      note(
        'HOUSEHOLDS_HIDDEN',
        'Households aren’t shown, because few people in the sample live with other adults.',
      ),
    );
  notes.push(
    note(
      'CHILDREN_ALONE',
      'Only adults are interviewed: take children and young people without an adult from another source.',
    ),
  );
  if (!estimates.hasIntervals) notes.push(note('NO_INTERVAL', 'No interval could be calculated.'));
  if (total.estimate < n)
    notes.push(
      note(
        'BELOW_SAMPLE',
        `The total is below the ${n} people interviewed. Check that the other source’s number is complete and refers to the same answer.`,
      ),
    );
  return notes;
}

/** About ten times as long as the largest sensible study takes. */
const LIMIT_MS = 30_000;

const queue = new WorkQueue({
  capacity: 1,
  each: 1,
  maxWaiting: 20,
  maxWaitingEach: 5,
  maxWaitMs: 30_000,
  overloadProblem: 'SENDING_TOO_MUCH',
});

const pool = new WorkerPool<CountTablesJob, CountTableEstimates>({
  kind: 'thread',
  from: import.meta.url,
  name: 'tables-worker',
  size: 1,
  memoryMb: 512,
  youngMb: 16,
});

async function inThread(job: CountTablesJob, by?: string): Promise<CountTableEstimates> {
  return await queue.inTurn(by, undefined, async () => {
    try {
      return await pool.run(job, { signal: AbortSignal.timeout(LIMIT_MS) });
    } catch (error) {
      throw problem('UNAVAILABLE', { cause: error });
    }
  });
}
