/** The nightly run: all outcomes, if the study wants it and something has changed since the last run. */
import type { Types } from 'mongoose';
import { inTransaction } from '../../platform/db/transaction.ts';
import { violatedIndex } from '../../platform/http/problems/errors.ts';
import { dateAt } from '../../platform/lib/day.ts';
import { ANALYSIS_VERSION } from '../estimators/version.ts';
import { dataHash } from '../sample/data-hash.ts';
import { loadSample } from '../sample/load.ts';
import { insertRun } from './create.ts';
import { AnalysisRuns, filtersOf } from './model.ts';
import type { RunRequest } from './schema.ts';

/** Fewer tell nothing. */
const LEAST = 30;

const REQUEST: RunRequest = {
  outcome: null,
  method: 'TREE',
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

/** The run that waits now, or null where none is called for. */
export async function runOfTheNight(zone: string, secret: string, now: Date): Promise<Types.ObjectId | null> {
  const sample = await loadSample({ window: {}, zone, now, outcomes: 'ESTIMABLE' });
  if (sample.study.analysisRuns === 'OFF' || sample.ids.length < LEAST) return null;
  if (await isCurrent(dataHash(sample, secret))) return null;
  const night = dateAt(now, zone);
  try {
    const asker = { by: null, now, night };
    const run = await inTransaction(async (session) => await insertRun(session, REQUEST, asker));
    return run._id;
  } catch (error) {
    // Another process had the same thought.
    if (violatedIndex(error) !== null) return null;
    throw error;
  }
}

/** Whether the estimates show the intervals that this night's run would give: they show those of the latest run. */
async function isCurrent(hash: string): Promise<boolean> {
  const done = { filters: filtersOf(REQUEST), state: 'DONE' as const };
  const { samples, confidence } = REQUEST;
  const latest = await AnalysisRuns.findOne({ ...done, 'request.outcome': null })
    .sort({ finishedAt: -1 })
    .select('request finishedAt result.dataHash result.version')
    .lean();
  if (!latest || latest.result?.dataHash !== hash || latest.result.version !== ANALYSIS_VERSION) return false;
  if (latest.request.samples < samples || latest.request.confidence !== confidence) return false;
  const ofOneOutcome = await AnalysisRuns.exists({
    ...done,
    'request.outcome': { $ne: null },
    finishedAt: { $gt: latest.finishedAt },
    $or: [{ 'request.samples': { $lt: samples } }, { 'request.confidence': { $ne: confidence } }],
  });
  return ofOneOutcome === null;
}
