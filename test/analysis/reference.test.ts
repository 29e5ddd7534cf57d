/**
 * 240 respondents, for whom other programs calculated every number (test/analysis/data): exact numbers must agree to
 * 1e-8, random ones within five standard deviations of one run, with a fixed random seed.
 */
import { readFileSync } from 'node:fs';
import {
  type AnalysisResults,
  analyseSample,
  type ReplicateMethod,
} from '../../src/statistics/estimators/results.ts';
import { parseSampleFile, type SampleFromFile } from '../../src/statistics/estimators/sample/sample-file.ts';

type Json = null | number | string | Json[] | { [key: string]: Json };

const expected: Record<string, Json> = JSON.parse(
  readFileSync('test/analysis/data/edge240.expected.json', 'utf8'),
);
const NAMES = ['status', 'region', 'score'];
let file: SampleFromFile;
let results: AnalysisResults;

const run = (method: ReplicateMethod | null, { samples = 1000, randomSeed = 1, names = NAMES } = {}) =>
  analyseSample(
    'edge240',
    file.sample,
    Object.fromEntries(names.map((name) => [name, file.outcome(name)!])),
    {
      population: 3000,
      randomSeed,
      method,
      samples,
      confidence: 0.95,
      estimator: 'all',
    },
  );

beforeAll(() => {
  const columns = { id: 'id', recruiter: 'recruiter_id', size: 'network_size', time: 'recruited_at_min' };
  file = parseSampleFile(readFileSync('test/analysis/data/edge240.csv', 'utf8'), columns);
  results = run(null);
});

const isDrawn = (value: Json): value is { value: number; tol: number } =>
  typeof value === 'object' && value !== null && 'tol' in value;

/** Compares every number of `wanted` with `found`; returns paths that differ, and the count of comparisons. */
function differences(
  reference: Json,
  actual: Json | undefined,
  path: string,
  comparison: { count: number; scale?: number },
): string[] {
  if (isDrawn(reference)) {
    comparison.count++;
    return Math.abs(Number(actual) - reference.value) <= reference.tol * (comparison.scale ?? 1)
      ? []
      : [`${path}: ${actual} for ${reference.value}`];
  }
  if (reference !== null && typeof reference === 'object') {
    const inner = (actual ?? {}) as Record<string, Json>;
    return Object.entries(reference).flatMap(([key, value]) =>
      differences(value, inner[key], `${path}.${key}`, comparison),
    );
  }
  comparison.count++;
  if (typeof reference !== 'number')
    return reference === actual ? [] : [`${path}: ${actual} for ${reference}`];
  const gap = Math.abs(Number(actual) - reference);
  return gap <= 1e-12 || gap <= 1e-8 * Math.abs(reference) ? [] : [`${path}: ${actual} for ${reference}`];
}

const outcome = (name: string) => (expected.outcomes as Record<string, Record<string, Json>>)[name] ?? {};

test('sample, weights, estimates, homophily and convergence agree with the reference', () => {
  const comparison = { count: 0 };
  const reference = structuredClone(expected) as Record<string, Json>;
  for (const name of NAMES)
    delete (reference.outcomes as Record<string, Record<string, Json>>)[name]?.bootstrap;
  expect(differences(reference, JSON.parse(JSON.stringify(results)), '', comparison)).toEqual([]);
  expect(comparison.count).toBeGreaterThan(1200);
});

test.each<ReplicateMethod>(['tree', 'gile', 'salganik'])(
  'the %s bootstrap agrees with the reference',
  (method) => {
    const bootstrapResults = JSON.parse(JSON.stringify(run(method))) as AnalysisResults;
    const comparison = { count: 0 };
    for (const name of NAMES) {
      const reference = (outcome(name).bootstrap as Record<string, Json>)[method];
      if (reference === undefined) continue;
      const actual = bootstrapResults.outcomes[name]?.bootstrap?.[method] as unknown as Json;
      expect(differences(reference, actual, `${name}.${method}`, comparison)).toEqual([]);
    }
    expect(comparison.count).toBeGreaterThanOrEqual(30);
  },
);

test('twenty times the replicates agree more closely with the reference', () => {
  const bootstrapResults = JSON.parse(
    JSON.stringify(run('gile', { samples: 20_000, randomSeed: 7, names: ['status'] })),
  ) as AnalysisResults;
  // The reference also used 20,000 replicates.
  const comparison = { count: 0, scale: Math.sqrt(1000 / 20_000 + 1000 / 20_000) };
  const reference = (outcome('status').bootstrap as Record<string, Json>).gile as Json;
  const actual = bootstrapResults.outcomes.status?.bootstrap?.gile as unknown as Json;
  expect(differences(reference, actual, 'status', comparison)).toEqual([]);
  expect(comparison.count).toBe(10);
});

test('the same random seed gives the same numbers, another seed does not', () => {
  const tree = (randomSeed: number) =>
    analyseSample(
      'edge240',
      file.sample,
      { status: file.outcome('status')! },
      {
        population: 3000,
        randomSeed,
        method: 'tree',
        samples: 100,
        confidence: 0.9,
        estimator: 'all',
      },
    );
  expect(tree(7)).toEqual(tree(7));
  expect(tree(7).outcomes.status?.bootstrap).not.toEqual(tree(8).outcomes.status?.bootstrap);
  expect(tree(7).weights.ss).not.toEqual(tree(8).weights.ss);
});
