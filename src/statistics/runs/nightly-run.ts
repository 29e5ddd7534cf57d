/** The nightly runs: all outcomes, if the study wants them and something has changed since the last such run. */
import type { Types } from 'mongoose';
import { inTransaction } from '../../platform/db/transaction.ts';
import { violatedIndex } from '../../platform/http/problems/errors.ts';
import { isoDateAt } from '../../platform/lib/day.ts';
import { LARGE_SAMPLING_FRACTION } from '../estimators/successive-sampling.ts';
import { ANALYSIS_VERSION } from '../estimators/version.ts';
import { dataHash } from '../sample/data-hash.ts';
import { loadSample, type StudySample } from '../sample/load.ts';
import { insertRun } from './create.ts';
import { AnalysisRunModel, filterKeyOf } from './model.ts';
import type { RunRequest } from './schema.ts';

/** The smallest sample that is worth a run. */
const MIN_SAMPLE_SIZE = 30;

const NIGHTLY_REQUEST: Omit<RunRequest, 'method' | 'round'> = {
  outcome: null,
  estimator: 'RDS_II',
  samples: 1000,
  confidence: 0.95,
  randomSeed: null,
  populationSize: null,
  location: null,
  from: null,
  to: null,
  questionnaire: null,
};

/** The ids of the new runs; empty if none are needed. */
export async function createNightlyRuns(zone: string, secret: string, now: Date): Promise<Types.ObjectId[]> {
  const sample = await loadSample({ window: {}, zone, now, outcomes: 'ESTIMABLE' });
  if (sample.study.analysisRuns === 'OFF' || sample.ids.length < MIN_SAMPLE_SIZE) return [];
  const hash = dataHash(sample, secret);
  const runIds: Types.ObjectId[] = [];
  for (const request of requestsFor(sample)) {
    if (await isCurrent(request, hash)) continue;
    const night = `${isoDateAt(now, zone)} ${request.method} ${request.estimator}`;
    try {
      const asker = { by: null, now, night };
      const run = await inTransaction(async (session) => await insertRun(session, request, asker));
      runIds.push(run._id);
    } catch (error) {
      // Another process has already created it.
      if (violatedIndex(error) === null) throw error;
    }
  }
  return runIds;
}

/** If the sample is a large share of the population, adds SS, because it is then the estimate to report. */
function requestsFor({ ids, study: { populationSize }, round: { id: round } }: StudySample): RunRequest[] {
  const n = ids.length;
  const isLarge =
    populationSize !== null && n <= populationSize && n > LARGE_SAMPLING_FRACTION * populationSize;
  const request = { ...NIGHTLY_REQUEST, round };
  return [
    { ...request, method: 'CHAIN' },
    { ...request, method: 'TREE' },
    ...(isLarge ? [{ ...request, method: 'CHAIN' as const, estimator: 'SS' as const, populationSize }] : []),
  ];
}

/**
 * Whether tonight's run would give the same intervals as the latest run, which are the ones shown with the estimates.
 */
async function isCurrent(request: RunRequest, hash: string): Promise<boolean> {
  const { samples, confidence, estimator, populationSize } = request;
  const filter = {
    filters: filterKeyOf(request),
    state: 'DONE' as const,
    'request.estimator': estimator,
    ...(populationSize === null ? {} : { 'request.populationSize': populationSize }),
  };
  const latest = await AnalysisRunModel.findOne({ ...filter, 'request.outcome': null })
    .sort({ finishedAt: -1 })
    .select('request finishedAt result.dataHash result.version')
    .lean();
  if (!latest || latest.result?.dataHash !== hash || latest.result.version !== ANALYSIS_VERSION) return false;
  if (latest.request.samples < samples || latest.request.confidence !== confidence) return false;
  const ofOneOutcome = await AnalysisRunModel.exists({
    ...filter,
    'request.outcome': { $ne: null },
    finishedAt: { $gt: latest.finishedAt },
    $or: [{ 'request.samples': { $lt: samples } }, { 'request.confidence': { $ne: confidence } }],
  });
  return ofOneOutcome === null;
}
