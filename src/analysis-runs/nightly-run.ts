/** The nightly run: all outcomes, if the study wants it and something has changed since the last run. */
import type { Types } from 'mongoose';
import { ANALYSIS_VERSION } from '../analysis/version.ts';
import { inTransaction } from '../db/transaction.ts';
import { violatedIndex } from '../http/errors.ts';
import { dateAt } from '../lib/day.ts';
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
export async function runOfTheNight(zone: string, now: Date): Promise<Types.ObjectId | null> {
  const sample = await loadSample({ window: {}, zone, now, outcomes: 'ALL' });
  if (sample.study.analysisRuns === 'OFF' || sample.ids.length < LEAST) return null;
  const same = { 'result.dataHash': dataHash(sample), 'result.version': ANALYSIS_VERSION };
  // A quick run that a person asked for in between is not as sure.
  const asSure = { 'request.samples': { $gte: REQUEST.samples }, 'request.confidence': REQUEST.confidence };
  const done = {
    filters: filtersOf(REQUEST),
    'request.outcome': null,
    state: 'DONE' as const,
    ...asSure,
    ...same,
  };
  if (await AnalysisRuns.exists(done)) return null;
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
