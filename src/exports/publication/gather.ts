/** Everything that a publication tells, as an admin would see it: small cells are hidden, whoever publishes. */
import { dateAt } from '../../platform/lib/day.ts';
import { estimateCount } from '../../statistics/counts/estimate.ts';
import { type CountRecord, Counts } from '../../statistics/counts/model.ts';
import { countTables } from '../../statistics/counts/tables/count-tables.ts';
import { estimatesFor } from '../../statistics/results/estimates.ts';
import { reportFor } from '../../statistics/results/report/report.ts';
import type { Estimates, Interval } from '../../statistics/results/schema.ts';
import { LOCATION } from '../../statistics/sample/catalogue.ts';
import { outcomesFor } from '../../statistics/sample/list-outcomes.ts';
import type { ResultsReader } from '../../statistics/sample/right.ts';
import {
  allRounds,
  interviewModeOf,
  requestedRound,
  settingsAtClosing,
  settingsOfRound,
} from '../../study/rounds/requested.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { changesSince } from './changes.ts';
import type { Bounds, Publication, PublishedCount, PublishedLevel, PublishedOutcome } from './facts.ts';

/** What warnings mean to readers; the service's own texts tell a coordinator what to do. */
const CAUTIONS: Partial<Record<string, string>> = {
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

/** Tables of a count divide these into cells of their own, which their single choices would tell apart. */
const IN_TABLES = ['genderIdentity', 'raceEthnicity'];

/** Each takes a second of calculation for 5,000 interviews. */
export const MAX_COUNTS = 10;

/** Of one round; 400 for one that there is not. It ends early if nobody waits for it any more. */
export async function gatherPublication(
  zone: string,
  now: Date,
  id?: string,
  signal?: AbortSignal,
): Promise<Publication> {
  const requested = await requestedRound(id);
  const round = requested.asked.id;
  const reader: ResultsReader = { user: { role: 'ADMIN' }, zone };
  const study = settingsOfRound(await loadStudy(), requested);
  const changes = await changesSince(requested, reader, now);
  const counts: PublishedCount[] = [];
  // One of a site or of some days would be told apart from the whole by subtraction.
  const whole = { deletedAt: null, round: requested.round._id, location: null, from: null, to: null };
  const newest = await Counts.find(whole).sort({ createdAt: -1 }).limit(MAX_COUNTS).lean<CountRecord[]>();
  for (const [at, count] of newest.reverse().entries()) {
    signal?.throwIfAborted();
    const change = (await changes?.ofCount(count)) ?? null;
    counts.push({ ...(await countOf(count, at, reader, now)), change });
  }
  const outcomes: PublishedOutcome[] = [];
  let sample: Estimates['sample'] | null = null;
  for (const offered of await outcomesFor(reader, { round, counted: 'false' })) {
    signal?.throwIfAborted();
    const { name, question, decidesEligibility, title } = offered;
    if (decidesEligibility || name === LOCATION.name) continue;
    if (counts.length > 0 && IN_TABLES.includes(question)) continue;
    const estimates = await estimatesFor(reader, { outcome: name, round }, now);
    sample ??= estimates.sample;
    if (estimates.sample.known === 0) continue;
    const file = fileOf('outcome', outcomes.length, name);
    const change = (await changes?.ofOutcome(name)) ?? null;
    outcomes.push({ file, name, title, ...outcomeOf(estimates), change });
  }
  const report = await reportFor(reader, round, now);
  const days = report.items.find(({ name }) => name === 'Days of recruitment')?.value as
    | { firstDay: string; lastDay: string }
    | null
    | undefined;
  const sizeQuestion = report.items.find(({ name }) => name === 'Network size, as asked')?.value;
  return {
    study: study.name,
    round: (await allRounds()).length > 1 ? requested.round.name : null,
    asOf: dateAt(now, zone),
    languages: study.languages,
    sample: {
      n: sample?.n ?? 0,
      seeds: sample?.seeds ?? 0,
      waves: sample?.waves ?? 0,
      firstDay: days?.firstDay ?? null,
      lastDay: days?.lastDay ?? null,
    },
    mode: interviewModeOf(await settingsAtClosing(requested), study),
    sizeQuestion: (sizeQuestion as Publication['sizeQuestion']) ?? null,
    smallestCell: study.smallestCell,
    outcomes,
    counts,
    // Those of the levels have their tables.
    report: report.items
      .filter(({ item }) => Number.parseInt(item, 10) < 14)
      .map(({ item, name, text, reason }) => ({ item, name, text, reason })),
  };
}

/** Names of questions may hold anything; those of files should not. */
const fileOf = (kind: string, at: number, name: string): string =>
  `${kind}-${at + 1}-${name.replace(/[^a-z0-9]+/gi, '-').slice(0, 60)}`.replace(/-$/, '');

async function countOf(
  count: CountRecord,
  at: number,
  reader: ResultsReader,
  now: Date,
): Promise<Omit<PublishedCount, 'change'>> {
  const [{ total, text }, tables] = [
    await estimateCount(count, reader, now),
    await countTables(count, reader, now),
  ];
  const isHidden = tables.notes.some(({ code }) => code === 'HIDDEN');
  const { adults } = tables.totals;
  // A page has one interval of the total: that of its tables.
  const shown = adults?.estimate == null ? total : { ...adults, estimate: adults.estimate };
  return {
    file: fileOf('count', at, count.name),
    ...{ name: count.name, definition: count.definition, asOf: count.asOf },
    text: adults?.estimate == null ? text : null,
    total: isHidden ? null : shown,
    tables,
  };
}

function outcomeOf(estimates: Estimates): Omit<PublishedOutcome, 'file' | 'name' | 'title' | 'change'> {
  const { kind, sample, levels, homophily, warnings, first } = estimates;
  const { known: answerCount, missing, notAsked } = sample;
  const homophilyOf = (value: string | null) =>
    homophily?.population.find((one) => one.value === value)?.estimate ?? null;
  return {
    kind,
    known: answerCount,
    missing,
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
    warnings: warnings.flatMap(({ code }) => CAUTIONS[code] ?? []),
  };
}

/** None beyond its range. */
function boundsOf(interval: Interval | null, kind: PublishedOutcome['kind']): Bounds | null {
  if (interval?.low == null || interval.high == null) return null;
  const { low, high } = interval;
  return kind === 'CATEGORY' ? { low: Math.max(0, low), high: Math.min(1, high) } : { low, high };
}
