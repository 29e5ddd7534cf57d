/** The contents of a publication, as an admin would see them: small cells are suppressed, no matter who publishes. */
import { isoDateAt } from '../../platform/lib/day.ts';
import { estimatePopulationCount } from '../../statistics/counts/estimate.ts';
import { PopulationCountModel, type PopulationCountRecord } from '../../statistics/counts/model.ts';
import { loadCountTables } from '../../statistics/counts/tables/count-tables.ts';
import { estimatesForReader } from '../../statistics/results/estimates.ts';
import type { strobeReportOfRound } from '../../statistics/results/report/report.ts';
import type { EstimateInterval, Estimates } from '../../statistics/results/schema.ts';
import { LOCATION_OUTCOME_SPEC } from '../../statistics/sample/catalog.ts';
import { listOutcomesForReader } from '../../statistics/sample/list-outcomes.ts';
import type { ResultsReader } from '../../statistics/sample/right.ts';
import {
  allRounds,
  interviewModeOfRound,
  type RequestedRound,
  settingsAtClosing,
  settingsOfRound,
} from '../../study/rounds/requested.ts';
import { loadStudy } from '../../study/settings/model.ts';
import type { PreviousRoundChanges } from './changes.ts';
import type {
  Bounds,
  Publication,
  PublicationHead,
  PublishedLevel,
  PublishedOutcome,
  PublishedPopulationCount,
} from './facts.ts';

/** Warnings worded for readers; the service's own texts tell a coordinator what to do. */
const READER_WARNINGS: Partial<Record<string, string>> = {
  STILL_MOVING: 'The estimate was still changing when the last interviews were held.',
  SEEDS_DIFFER: 'Chains of recruitment differ from each other by more than chance.',
  GROUPS_RECRUIT_DIFFERENTLY:
    'People of one group brought more recruits than others, which this estimate does not correct.',
  NOT_PRECISE: 'The interval is wide: use the figure only together with it.',
  ABSORBING: 'People of one group recruited only each other.',
  SAME_TO_SAME: 'People mostly recruited others with the same answer.',
  FEW_WAVES: 'Chains are short, so the estimate may depend on who came first.',
  FEW_KNOWN: 'Many people did not answer this question.',
  SAMPLE_IS_LARGE_SHARE:
    'The sample is a large share of the population, for which this estimator is less suited.',
};

/** Tables of a count divide these into cells, which the question's own results would allow to reconstruct. */
const TABLE_OUTCOMES = ['genderIdentity', 'raceEthnicity'];

/** Each takes a second of calculation for 5,000 interviews. */
export const MAX_PUBLISHED_COUNTS = 10;

type Report = Awaited<ReturnType<typeof strobeReportOfRound>>;

/**
 * The latest counts of the whole round, oldest first. Counts of a site or of some days are excluded, because
 * subtracting them would reveal small cells.
 */
export async function loadCountsOfRound({ round }: RequestedRound): Promise<PopulationCountRecord[]> {
  const whole = { deletedAt: null, round: round._id, location: null, from: null, to: null };
  const newest = await PopulationCountModel.find(whole)
    .sort({ createdAt: -1 })
    .limit(MAX_PUBLISHED_COUNTS)
    .lean<PopulationCountRecord[]>();
  return newest.reverse();
}

/** Outcomes that get a page, if anybody answered. */
export async function outcomesToPublish(reader: ResultsReader, round: string, hasCounts: boolean) {
  const offered = await listOutcomesForReader(reader, { round, counted: 'false' });
  return offered.filter(
    ({ name, question, decidesEligibility }) =>
      !decidesEligibility &&
      name !== LOCATION_OUTCOME_SPEC.name &&
      !(hasCounts && TABLE_OUTCOMES.includes(question)),
  );
}

interface OutcomeSources {
  report: Report;
  /** Undefined if there is no outcome. */
  sample: Estimates['sample'] | undefined;
  zone: string;
  now: Date;
}

export async function loadPublicationHead(
  requested: RequestedRound,
  { report, sample, zone, now }: OutcomeSources,
): Promise<PublicationHead> {
  const study = settingsOfRound(await loadStudy(), requested);
  const itemValue = (item: string) => report.items.find(({ name }) => name === item)?.value ?? null;
  const days = itemValue('Days of recruitment') as { firstDay: string; lastDay: string } | null;
  return {
    study: study.name,
    round: (await allRounds()).length > 1 ? requested.round.name : null,
    organization: study.organization,
    contact: study.publicationContact,
    asOf: isoDateAt(now, zone),
    languages: study.languages,
    sample: {
      n: sample?.n ?? 0,
      seeds: sample?.seeds ?? 0,
      waves: sample?.waves ?? 0,
      firstDay: days?.firstDay ?? null,
      lastDay: days?.lastDay ?? null,
    },
    mode: interviewModeOfRound(await settingsAtClosing(requested), study),
    sizeQuestion: itemValue('Network size, as asked') as PublicationHead['sizeQuestion'],
    smallestCell: study.smallestCell,
  };
}

/** Only the general items, because the items for each level have their own tables. */
export const generalItemsOfReport = ({ items }: Report): Publication['report'] =>
  items
    .filter(({ item }) => Number.parseInt(item, 10) < 14)
    .map(({ item, name, text, reason }) => ({ item, name, text, reason }));

interface PublicationContext {
  reader: ResultsReader;
  now: Date;
  /** Null for the first round. */
  changes: PreviousRoundChanges | null;
}

/**
 * Null if nobody answered. The returned function gets the outcome's number, which depends on the outcomes before it.
 */
export async function preparePublishedOutcome(
  { name, title }: Pick<Awaited<ReturnType<typeof listOutcomesForReader>>[number], 'name' | 'title'>,
  { reader, now, changes, round }: PublicationContext & { round: string },
): Promise<((at: number) => PublishedOutcome) | null> {
  const estimates = await estimatesForReader(reader, { outcome: name, round }, now);
  if (estimates.sample.known === 0) return null;
  const { smallestCell } = await loadStudy();
  const change = (await changes?.ofOutcome(name)) ?? null;
  return (at) => ({
    ...{ file: fileOf('outcome', at, name), name, title },
    ...outcomeOf(estimates, smallestCell),
    change,
  });
}

/** Question names may contain characters that file names shouldn't. */
const fileOf = (kind: string, at: number, name: string): string =>
  `${kind}-${at + 1}-${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}`.replace(/-$/, '');

export async function gatherPublishedCount(
  count: PopulationCountRecord,
  at: number,
  { reader, now, changes }: PublicationContext,
): Promise<PublishedPopulationCount> {
  const tables = await loadCountTables(count, reader, now);
  const isHidden = tables.notes.some(({ code }) => code === 'HIDDEN');
  const { adults } = tables.totals;
  const hasTotal = adults?.estimate != null;
  // A page has only one interval for the total, the tables'.
  const other = hasTotal ? null : await estimatePopulationCount(count, reader, now);
  const total = hasTotal ? { ...adults, estimate: adults.estimate as number } : (other?.total ?? null);
  return {
    file: fileOf('count', at, count.name),
    ...{ name: count.name, definition: count.definition, asOf: count.asOf },
    text: other?.text ?? null,
    total: isHidden ? null : total,
    tables,
    change: (await changes?.ofCount(count)) ?? null,
  };
}

function outcomeOf(
  { kind, sample, levels, homophily, warnings, first }: Estimates,
  smallestCell: number,
): Omit<PublishedOutcome, 'file' | 'name' | 'title' | 'change'> {
  const { known: answerCount, missing, notAsked } = sample;
  const isFew = (people: number) => people > 0 && people < smallestCell;
  const few = isFew(answerCount) ? 'ANSWERED' : isFew(missing) ? 'MISSING' : null;
  const homophilyOf = (value: string | null) =>
    homophily?.population.find((one) => one.value === value)?.estimate ?? null;
  return {
    kind,
    known: few === null ? answerCount : null,
    missing: few === null ? missing : null,
    few,
    notAsked,
    first,
    recruitmentHomophily: homophily?.recruitment ?? null,
    levels: levels.map((level): PublishedLevel => {
      const isHidden = level.hidden === true;
      const { interval: chain, cautious: tree } = level;
      const ofFirst = first === 'TREE' ? tree : (chain ?? tree);
      return {
        value: level.value,
        title: level.title,
        estimate: isHidden ? null : level.rds2,
        interval: isHidden ? null : boundsOf(chain, kind),
        cautious: isHidden ? null : boundsOf(tree, kind),
        designEffect: isHidden || !ofFirst?.effectiveSize ? null : answerCount / ofFirst.effectiveSize,
        homophily: isHidden ? null : homophilyOf(level.value),
        isHidden,
      };
    }),
    warnings: warnings.flatMap(({ code }) => READER_WARNINGS[code] ?? []),
  };
}

/** The interval cut to the possible range; null if there is none. */
function boundsOf(interval: EstimateInterval | null, kind: PublishedOutcome['kind']): Bounds | null {
  if (interval?.low == null || interval.high == null) return null;
  const { low, high } = interval;
  return kind === 'CATEGORY' ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high };
}
