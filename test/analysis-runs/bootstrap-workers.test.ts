/** The threads of a run calculate the same numbers however many there are. */
import { readFileSync } from 'node:fs';
import type { Replicates } from '../../src/statistics/estimators/bootstrap/replicates.ts';
import {
  bootstrapSampleOf,
  intervalsOf,
  type LevelInterval,
  replicatesOf,
} from '../../src/statistics/estimators/intervals.ts';
import { type OutcomeAnswers, toCategoryOutcome } from '../../src/statistics/estimators/outcome.ts';
import { analyseSample } from '../../src/statistics/estimators/results.ts';
import { parseSampleFile } from '../../src/statistics/estimators/sample/sample-file.ts';
import {
  type BootstrapInput,
  startBootstrap,
  TooManyLevelsError,
} from '../../src/statistics/runs/bootstrap-workers.ts';

const columns = { id: 'id', recruiter: 'recruiter_id', size: 'network_size', time: 'recruited_at_min' };
const file = parseSampleFile(readFileSync('test/analysis/data/edge240.csv', 'utf8'), columns);
const NAMES = ['status', 'region', 'score'];
const outcomeOf = (name: string) => file.outcome(name) as OutcomeAnswers;
const ground = bootstrapSampleOf(file.sample.recruiters, file.sample.reportedSizes);
const SAMPLES = 301;

const question = (fields: Partial<BootstrapInput['bootstrap']> = {}, names = NAMES): BootstrapInput => ({
  ...file.sample,
  sites: null,
  outcomes: names.map(outcomeOf),
  bootstrap: { method: 'TREE', estimator: 'RDS_II', population: 3000, confidence: 0.95, seed: 7, ...fields },
  samples: SAMPLES,
});

async function worked(job: BootstrapInput, threads: number): Promise<LevelInterval[][]> {
  const workers = startBootstrap(job, threads);
  try {
    return await workers.intervals();
  } finally {
    await workers.stop();
  }
}

/** Runs in this thread, in parts that begin at these replicates. */
function inParts({ outcomes, bootstrap }: BootstrapInput, starts: number[]): LevelInterval[][] {
  const partReplicates = starts.map((first, at) => {
    const samples = (starts[at + 1] ?? SAMPLES) - first;
    return replicatesOf(ground, outcomes, bootstrap, { samples, first, seed: bootstrap.seed });
  });
  return outcomes.map((outcome, at) => {
    const parts = partReplicates.map((of) => of[at] as Replicates);
    const figures = (parts[0]?.figures ?? []).map((_, k) =>
      Float64Array.from(parts.flatMap((part) => [...(part.figures[k] ?? [])])),
    );
    const dropped = parts.reduce((sum, part) => sum + part.dropped, 0);
    return intervalsOf(ground, outcome, bootstrap, { figures, dropped });
  });
}

test('threads pause when the service is busy, and give the same numbers', async () => {
  const job = { ...question(), samples: 800 };
  const idle = await worked(job, 1);
  const workers = startBootstrap(job, 1);
  let isDone = false;
  const busy = workers.intervals().finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const until = performance.now() + 20;
    while (performance.now() < until);
    await new Promise(setImmediate);
  }
  expect(await busy).toEqual(idle);
  await workers.stop();
});

test('a run gives the same numbers with one thread, three threads and the command', async () => {
  const job = question();
  const [one, three] = await Promise.all([worked(job, 1), worked(job, 3)]);
  expect(three).toEqual(one);
  const same = {
    population: 3000,
    randomSeed: 7,
    method: 'tree',
    samples: SAMPLES,
    confidence: 0.95,
  } as const;
  const named = Object.fromEntries(NAMES.map((name) => [name, outcomeOf(name)]));
  const { outcomes } = analyseSample('edge240', file.sample, named, { ...same, estimator: 'all' });
  NAMES.forEach((name, at) => {
    for (const { value, standardError: se, low, high, effectiveSize } of one[at] ?? []) {
      const spread = outcomes[name]?.bootstrap?.tree?.rdsII?.[value ?? 'mean'];
      expect(spread).toMatchObject({ se, low, high, effectiveSize });
      expect(se).toBeGreaterThan(0);
    }
  });
});

test.each([
  ['GILE', 'SS', ['status']],
  ['SALGANIK', 'RDS_I', ['region']],
  ['SALGANIK', 'RDS_II', ['region']],
] as const)('%s of %s gives the same numbers however it is divided', (method, estimator, names) => {
  const job = question({ method, estimator }, [...names]);
  const whole = inParts(job, [0]);
  expect(inParts(job, [0, 1, 130])).toEqual(whole);
  expect(whole.flat().every(({ standardError }) => standardError !== null && standardError > 0)).toBe(true);
});

test('stopped workers give no result', async () => {
  const workers = startBootstrap(
    { ...question({ method: 'GILE', estimator: 'SS' }, ['status']), samples: 20_000 },
    2,
  );
  const work = workers.intervals();
  work.catch(() => {});
  while (workers.progress() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  await workers.stop();
  await expect(work).rejects.toThrow('the worker has ended');
  expect(workers.progress()).toBeLessThan(1);
});

test('a run that needs too much memory is rejected before it starts', () => {
  const levels = toCategoryOutcome(Array.from({ length: 240 }, (_, at) => String(at)));
  expect(() => startBootstrap({ ...question(), outcomes: [levels], samples: 100_000 })).toThrow(
    TooManyLevelsError,
  );
});

test('a count whose bound is infinite has no bound', () => {
  // Two chains, only one of which has the answer: every fourth replicate draws the other one twice.
  const two = bootstrapSampleOf(Int32Array.from([-1, 0, -1, 2]), Float64Array.from([2, 2, 2, 2]));
  const outcome = toCategoryOutcome(['no', 'no', 'yes', 'yes']);
  const { bootstrap } = question({ population: null });
  const [replicates] = replicatesOf(two, [outcome], bootstrap, { samples: 400, seed: 1 });
  const yes = intervalsOf(two, outcome, bootstrap, replicates as Replicates)[1];
  expect(yes).toMatchObject({
    ...{ value: 'yes', count: 2, estimate: 0.5, low: 0, high: 1 },
    inverse: { low: 1, high: null },
  });
});
