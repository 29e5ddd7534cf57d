/** study.R of a study's bundle, run by R as a statistician would, repeats every figure of the study's publication. */
import { execFile, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { startJobs } from '../../src/statistics/runs/jobs.ts';
import { insertStudy, makeCount } from '../counts/world.ts';
import type { Body } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { LATER } from '../sample/simulated.ts';
import { SLOW, until } from '../scripts/kit.ts';
import { bytesOf, entriesOf } from './zip-reader.ts';

const hasR = spawnSync('Rscript', ['--version']).status === 0;
const withR = hasR ? test : test.skip;
if (!hasR) process.stderr.write('Rscript is not installed: what study.R repeats is not tested.\n');

/** One of each kind of figure of a count. */
const CELLS = ['adults', 'persons CHAIN low', 'persons, age under6', 'households, race several CHAIN high'];

type Row = [number, number, number, number, number, number, number];

const BY_SURVEY = `
set.seed(3)
source("chain.R")
index <- read.csv("publication/tables/index.csv", colClasses = "character")
for (one in list(c("countServiceUsed", "yes"), c("ageRange", "18-24"), c("homelessDuration", "1-3Months"))) {
  told <- read.csv(file.path("publication/tables", index$file[index$name == one[1]]), colClasses = c(value = "character"))
  told <- told[told$value == one[2], ]
  cat(c(suppressMessages(chain.interval(one[1], one[2])), told$estimate, told$chain_low, told$chain_high), "\\n")
}`;

const world = worldOfFile();
let root: Person;

async function unzip(path: string, into: string): Promise<void> {
  const { body } = await root.get(path).buffer(true).parse(bytesOf).expect(200);
  for (const [name, text] of entriesOf(body as Buffer)) {
    await mkdir(dirname(join(into, name)), { recursive: true });
    await writeFile(join(into, name), text);
  }
}

/** All intervals that a publication shows, as of a night. */
async function calculate(): Promise<void> {
  const jobs = startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, { pollMs: 100 });
  for (const method of ['CHAIN', 'TREE']) {
    const wanted = { outcome: null, method, samples: 1000, randomSeed: 11 };
    const { body: run } = await root.post('/api/analysis/runs', wanted).expect(202);
    const state = async (): Promise<Body> => (await root.get(`/api/analysis/runs/${run.id}`)).body.state;
    await until(async () => (await state()) === 'DONE', `the run by ${method} is done`);
  }
  await jobs.stop();
}

withR(
  'R repeats each published estimate, interval, design effect and homophily, and all persons, households and cells',
  async () => {
    world.clock.set(LATER);
    root = await world.person({ role: 'SUPER_ADMIN' });
    await insertStudy(root, [await world.place(), await world.place()]);
    await makeCount(root, { knownLow: 380, knownHigh: 430 });
    await calculate();
    const folder = await mkdtemp(join(tmpdir(), 'study-'));
    try {
      await unzip('/api/exports/bundle.zip', folder);
      await unzip('/api/analysis/publication', join(folder, 'publication'));
      const { stdout } = await promisify(execFile)('Rscript', ['study.R'], { cwd: folder, maxBuffer: 16e6 });
      const [, compared, differ] = stdout.match(/figures compared: (\d+), which differ: (\d+)/) ?? [];
      expect({ differ, rows: stdout.match(/^.* FALSE *$/gm) }).toEqual({ differ: '0', rows: null });
      expect(Number(compared)).toBeGreaterThan(300);
      expect(stdout).not.toContain('not repeated here');
      for (const figure of ['estimate', 'homophily', 'CHAIN low', 'TREE high', 'design effect', ...CELLS])
        expect(stdout).toMatch(new RegExp(`^.*${figure}.* TRUE *$`, 'm'));
      // The package survey makes the published interval of CHAIN from its replicate weights, and a standard error that fits it.
      const { stdout: bySurvey } = await promisify(execFile)('Rscript', ['-e', BY_SURVEY], { cwd: folder });
      const rows = bySurvey
        .trim()
        .split('\n')
        .map((line) => line.split(' ').map(Number));
      expect(rows).toHaveLength(3);
      for (const [estimate, error, low, high, published, chainLow, chainHigh] of rows as Row[]) {
        expect(estimate).toBeCloseTo(published, 9);
        expect(Math.abs(low - chainLow)).toBeLessThan(0.6 * error);
        expect(Math.abs(high - chainHigh)).toBeLessThan(0.6 * error);
        expect((chainHigh - chainLow) / (2 * 1.96 * error)).toBeCloseTo(1, 0);
      }
    } finally {
      await rm(folder, { recursive: true });
    }
  },
  2 * SLOW,
);
