/** Small samples, written as in a table. */
import { toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import {
  type AnalysisResults,
  type AnalysisSettings,
  analyseSample,
} from '../../src/statistics/estimators/results.ts';
import type { Sample } from '../../src/statistics/estimators/sample/sample.ts';
import { checkSample } from '../../src/statistics/estimators/sample/sample-rules.ts';

/** `recruiters` by id, `0` for a seed. */
export function sampleOf(recruiters: string[], sizes: (number | null)[], ids?: string[]): Sample {
  const rows = recruiters.map((recruiter, row) => ({
    id: ids?.[row] ?? String(row + 1),
    recruiter,
    size: sizes[row] === null ? null : String(sizes[row]),
    time: null,
  }));
  const { sample, breaches } = checkSample(rows);
  if (breaches.length > 0) throw new Error(breaches.map((one) => one.message).join(' '));
  return sample;
}

export const QUESTION: AnalysisSettings = {
  population: null,
  randomSeed: 1,
  method: null,
  samples: 200,
  confidence: 0.95,
  estimator: 'all',
};

export function ask(
  sample: Sample,
  answers: (string | null)[],
  question: Partial<AnalysisSettings> = {},
): AnalysisResults {
  return analyseSample('test', sample, { y: toCategoryOutcome(answers) }, { ...QUESTION, ...question });
}
