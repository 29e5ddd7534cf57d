/**
 * 240 respondents, for whom other programs calculated every number (test/analysis/data): exact numbers must agree to
 * 1e-8, random ones within five standard deviations of one run, with a fixed random seed.
 */
import { readFileSync } from 'node:fs';
import { analyse, type Method, type Results } from '../../src/statistics/estimators/results.ts';
import { readSample, type SampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';

type Json = null | number | string | Json[] | { [key: string]: Json };

const expected: Record<string, Json> = JSON.parse(
  readFileSync('test/analysis/data/edge240.expected.json', 'utf8'),
);
const NAMES = ['status', 'region', 'score'];
let file: SampleFile;
let results: Results;

const run = (method: Method | null, { samples = 1000, randomSeed = 1, names = NAMES } = {}) =>
  analyse('edge240', file.sample, Object.fromEntries(names.map((name) => [name, file.outcome(name)!])), {
    population: 3000,
    randomSeed,
    method,
    samples,
    confidence: 0.95,
    estimator: 'all',
  });

beforeAll(() => {
  const columns = { id: 'id', recruiter: 'recruiter_id', size: 'network_size', time: 'recruited_at_min' };
  file = readSample(readFileSync('test/analysis/data/edge240.csv', 'utf8'), columns);
  results = run(null);
});

const isDrawn = (value: Json): value is { value: number; tol: number } =>
  typeof value === 'object' && value !== null && 'tol' in value;

/** Compares every number of `wanted` with `found`; returns paths that differ, and the count of comparisons. */
function differences(
  wanted: Json,
  found: Json | undefined,
  path: string,
  seen: { count: number; scale?: number },
): string[] {
  if (isDrawn(wanted)) {
    seen.count++;
    return Math.abs(Number(found) - wanted.value) <= wanted.tol * (seen.scale ?? 1)
      ? []
      : [`${path}: ${found} for ${wanted.value}`];
  }
  if (wanted !== null && typeof wanted === 'object') {
    const inner = (found ?? {}) as Record<string, Json>;
    return Object.entries(wanted).flatMap(([key, value]) =>
      differences(value, inner[key], `${path}.${key}`, seen),
    );
  }
  seen.count++;
  if (typeof wanted !== 'number') return wanted === found ? [] : [`${path}: ${found} for ${wanted}`];
  const gap = Math.abs(Number(found) - wanted);
  return gap <= 1e-12 || gap <= 1e-8 * Math.abs(wanted) ? [] : [`${path}: ${found} for ${wanted}`];
}

const outcome = (name: string) => (expected.outcomes as Record<string, Record<string, Json>>)[name] ?? {};

test('sample, weights, estimates, homophily and convergence agree with the reference', () => {
  const seen = { count: 0 };
  const wanted = structuredClone(expected) as Record<string, Json>;
  for (const name of NAMES) delete (wanted.outcomes as Record<string, Record<string, Json>>)[name]?.bootstrap;
  expect(differences(wanted, JSON.parse(JSON.stringify(results)), '', seen)).toEqual([]);
  expect(seen.count).toBeGreaterThan(1200);
});

test.each<Method>(['tree', 'gile', 'salganik'])('the %s bootstrap agrees with the reference', (method) => {
  const made = JSON.parse(JSON.stringify(run(method))) as Results;
  const seen = { count: 0 };
  for (const name of NAMES) {
    const wanted = (outcome(name).bootstrap as Record<string, Json>)[method];
    if (wanted === undefined) continue;
    const found = made.outcomes[name]?.bootstrap?.[method] as unknown as Json;
    expect(differences(wanted, found, `${name}.${method}`, seen)).toEqual([]);
  }
  expect(seen.count).toBeGreaterThanOrEqual(30);
});

test('twenty times the replicates agree more closely with the reference', () => {
  const made = JSON.parse(
    JSON.stringify(run('gile', { samples: 20_000, randomSeed: 7, names: ['status'] })),
  ) as Results;
  // The reference also used 20,000 replicates.
  const seen = { count: 0, scale: Math.sqrt(1000 / 20_000 + 1000 / 20_000) };
  const wanted = (outcome('status').bootstrap as Record<string, Json>).gile as Json;
  const found = made.outcomes.status?.bootstrap?.gile as unknown as Json;
  expect(differences(wanted, found, 'status', seen)).toEqual([]);
  expect(seen.count).toBe(10);
});

test('the same random seed gives the same numbers, another seed does not', () => {
  const tree = (randomSeed: number) =>
    analyse(
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
