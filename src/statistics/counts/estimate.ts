/**
 * The population size: the people known to have an answer, divided by the share of that answer. The bounds are
 * percentiles of this quotient over the replicates of CHAIN or TREE, whichever comes first for the question. The error of the share alone would give an
 * upper bound that is too low, or infinite if a replicate has no such answer.
 */
import { loadStudy } from '../../study/settings/model.ts';
import { estimatesForReader } from '../results/estimates.ts';
import { NO_VARIATION_MESSAGE } from '../results/missing-figures.ts';
import type { Estimates } from '../results/schema.ts';
import { WARNING_THRESHOLDS } from '../results/warnings/warning-inputs.ts';
import { AnalysisRunModel } from '../runs/model.ts';
import { latestRun } from '../runs/read.ts';
import { type ResultsReader, smallestCellFor } from '../sample/right.ts';
import { answerWords } from './answer-words.ts';
import type { PopulationCountRecord } from './model.ts';
import { type CountRun, populationCountReportText } from './report-text.ts';
import type { CountEstimate } from './schema.ts';

const ESTIMATE_FIELDS = {
  MEAN: 'mean',
  RDS_I: 'rds1',
  RDS_II: 'rds2',
  SS: 'ss',
  TRIMMED: 'trimmed',
} as const;
type Estimator = keyof typeof ESTIMATE_FIELDS;
type Level = Estimates['levels'][number];
type Note = CountEstimate['notes'][number];

export async function estimatePopulationCount(
  count: PopulationCountRecord,
  reader: ResultsReader,
  now: Date,
): Promise<CountEstimate> {
  const { location, from, to, outcome } = count;
  const round = count.round.toHexString();
  const estimates = await estimatesForReader(
    reader,
    { outcome, round, location: location?.toHexString(), from: from ?? undefined, to: to ?? undefined },
    now,
  );
  const level = estimates.levels.find(({ value }) => value === count.value);
  const refusal = missingNote(estimates, level);
  const byEstimator = (Object.keys(ESTIMATE_FIELDS) as Estimator[]).map((estimator) => {
    const share = shareOf(estimates, level, ESTIMATE_FIELDS[estimator]);
    return { estimator, share, ...totalOf(count, share) };
  });
  const share = shareOf(estimates, level, 'rds2');
  const words = await answerWords(count, level?.title ?? null);
  if (refusal || !share) {
    const nothing = { share, total: null, others: null, effectiveSize: null };
    const notes = refusal ? [refusal] : [];
    const text = populationCountReportText({
      count,
      words,
      estimates: estimates,
      level,
      run: null,
      notes,
      ...nothing,
    });
    return { ...nothing, byEstimator, run: null, notes, text };
  }
  const notes = estimates.notes
    .filter((one) =>
      byEstimator.some(({ estimator, share: own }) => estimator === one.estimator && own === null),
    )
    .map((one): Note => ({ ...one }));
  const run = await runOf(count, estimates.first, smallestCellFor(reader, (await loadStudy()).smallestCell));
  const figures = { share, ...figuresOf(count, share, run, notes) };
  if (!run) notes.push(await waitingNote(count));
  const { n } = estimates.sample;
  if ((figures.total.low ?? figures.total.estimate) < n) notes.push(belowSampleNote(figures.total, n));
  const text = populationCountReportText({
    count,
    words,
    estimates: estimates,
    level,
    run,
    notes,
    ...figures,
  });
  return { ...figures, byEstimator, run: run?.id ?? null, notes, text };
}

/** If nobody has the answer, its share is 0, provided that others have estimates. */
function shareOf({ levels }: Estimates, level: Level | undefined, key: (typeof ESTIMATE_FIELDS)[Estimator]) {
  if (level) return level[key];
  return levels.some((one) => one[key] !== null) ? 0 : null;
}

function totalOf({ known }: PopulationCountRecord, share: number | null) {
  if (!share) return { total: null, others: null };
  return { total: known / share, others: known / share - known };
}

function missingNote({ sample, levels }: Estimates, level: Level | undefined): Note | null {
  const note = (code: string, message: string): Note => ({ estimator: null, code, message });
  const isHidden = level ? level.hidden : sample.known > 0 && levels.every(({ hidden }) => hidden);
  if (isHidden) return note('HIDDEN', 'Too few people in the sample have this answer to show a result.');
  if (sample.known === 0) return note('NOBODY_KNOWN', 'No one in the sample answered.');
  if (!level?.rds2) return note('NO_SHARE', 'No one in the sample has this answer.');
  return null;
}

function figuresOf(count: PopulationCountRecord, share: number, run: CountRun | null, notes: Note[]) {
  const { known, knownLow, knownHigh } = count;
  const level = run?.levels.find(({ value }) => value === count.value);
  const { low = null, high = null } = level?.inverse ?? {};
  const from = knownLow ?? known;
  const upTo = knownHigh ?? known;
  const effectiveSize = level?.effectiveSize ?? null;
  if (level?.hidden) {
    const message =
      'Too few people had this answer when the interval was calculated. Edit the estimate to recalculate it.';
    notes.push({ estimator: 'RDS_II', code: 'NO_INTERVAL', message });
  } else if (level?.estimate != null && level.standardError === null) {
    notes.push({ estimator: 'RDS_II', code: 'NO_VARIATION', message: NO_VARIATION_MESSAGE });
  } else if (run && high === null) {
    const message = 'There is no upper bound: in many bootstrap replicates, no one has this answer.';
    notes.push({ estimator: 'RDS_II', code: 'NO_UPPER_BOUND', message });
  }
  const bounds = (less: boolean) => ({
    low: low === null ? null : from * low - (less ? from : 0),
    high: high === null ? null : upTo * high - (less ? upTo : 0),
  });
  const total = { estimate: known / share, ...bounds(false) };
  if (run && !level?.hidden && isWide(total)) notes.push(imprecisionNote(total));
  return {
    total,
    others: { estimate: known / share - known, ...bounds(true) },
    effectiveSize,
  };
}

/**
 * The latest CHAIN run if CHAIN's interval comes first; otherwise a TREE run. None while the count's own run is waiting
 * or running, nor one requested before the count was last changed.
 */
async function runOf(
  { run, outcome, location, from, to, round }: PopulationCountRecord,
  first: Estimates['first'],
  smallest: number,
): Promise<CountRun | null> {
  const own = await AnalysisRunModel.findById(run, { createdAt: 1, state: 1 }).lean();
  if (!own || own.state === 'WAITING' || own.state === 'RUNNING') return null;
  const narrowed = { location: location?.toHexString() ?? null, from, to, questionnaire: null };
  const filters = { ...narrowed, round: round.toHexString() };
  const sought = { outcome, smallest, ...filters, confidence: 0.95 };
  const chain = first === 'CHAIN' ? await latestRun({ ...sought, method: 'CHAIN' }) : null;
  if (chain) return { ...chain, method: 'CHAIN' };
  const tree = await latestRun({ ...sought, since: own.createdAt, method: 'TREE' });
  return tree && { ...tree, method: 'TREE' };
}

async function waitingNote({ run }: PopulationCountRecord): Promise<Note> {
  const analysisRun = await AnalysisRunModel.findById(run, { state: 1, error: 1 }).lean();
  const isOpen = analysisRun?.state === 'WAITING' || analysisRun?.state === 'RUNNING';
  const message = isOpen
    ? 'The interval is being calculated. Check again in a moment.'
    : `The interval couldn’t be calculated${analysisRun?.error ? `: ${analysisRun.error}` : '.'} Edit the estimate to try again.`;
  return { estimator: 'RDS_II', code: 'NO_INTERVAL', message };
}

interface Bounds {
  low: number | null;
  high: number | null;
}

const isWide = ({ low, high }: Bounds): boolean =>
  low === null || high === null || high > WARNING_THRESHOLDS.countRatio * low;

function imprecisionNote({ low, high }: Bounds): Note {
  const width =
    low === null || high === null
      ? 'One end of the interval is missing'
      : `The upper end of the interval is ${(high / low).toFixed(1)} times its lower end`;
  const message = `${width}. Always publish the interval with the estimate. More interviews and longer chains make it narrower.`;
  return { estimator: 'RDS_II', code: 'NOT_PRECISE', message };
}

function belowSampleNote({ estimate, low }: Bounds & { estimate: number }, n: number): Note {
  const min = Math.round(low ?? estimate);
  const message = `The lowest total (${min}) is below the ${n} people interviewed. Check that the other source’s number is complete and refers to the same answer.`;
  return { estimator: 'RDS_II', code: 'BELOW_SAMPLE', message };
}
