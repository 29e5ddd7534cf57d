/** npm run analyse: estimates from a file, without a database, or from the study's interviews. */
import { readFile, writeFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import { startJobs } from '../../src/statistics/runs/jobs.ts';
import { bytesOf, entriesOf } from '../export/zip-reader.ts';
import type { Body } from '../make.ts';
import { type SampleWorld, startSampleWorld } from '../sample/simulated.ts';
import { answerOf, command, openFolder, SLOW, until } from './kit.ts';

const { ObjectId } = mongoose.Types;

let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  folder = await openFolder();
});
afterAll(() => folder.remove());

const DATA = 'test/analysis/data/edge240.csv';
const COLUMNS = ['--recruiter', 'recruiter_id', '--size', 'network_size', '--time', 'recruited_at_min'];
// A database that does not exist: the command must not use it.
const NO_DATABASE = { MONGO_URI: 'mongodb://127.0.0.1:1/none' };
const analyse = (...args: string[]) => command('analyse', args, NO_DATABASE);

test(
  'prints a table of estimates and intervals, or only JSON with --json',
  async () => {
    const args = [
      '--from',
      DATA,
      ...COLUMNS,
      '--outcome',
      'status',
      '--population-size',
      '3000',
      '--method',
      'tree',
    ];
    const [text, json] = await Promise.all([
      analyse(...args, '--samples', '200'),
      analyse(...args, '--samples', '200', '--json'),
    ]);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^240 respondents from 6 seeds, 6 waves, out of a population of 3000\n/);
    expect(text.out).toMatch(/^1 +89 +39\.0 +28\.5 +27\.0 +27\.\d +\d+\.\d to \d+\.\d +\d+$/m);
    expect(Math.max(...text.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const results = JSON.parse(json.out);
    expect(results).toMatchObject({ dataset: 'edge240', n: 240, N: 3000 });
    expect(results.outcomes.status.rdsII['1']).toBeCloseTo(0.270427, 6);
    expect(results.outcomes.status.bootstrap.tree.rdsII['1'].se).toBeGreaterThan(0.05);
  },
  SLOW,
);

test(
  'with --method chain says which interval comes first and why, the error by distance, and figures standardized to sites',
  async () => {
    const sizes = ['--site', 'region', '--site-sizes', 'north=3', 'south=1', 'east=1', 'west=1'];
    const args = ['--from', DATA, ...COLUMNS, '--outcome', 'status', '--method', 'chain', ...sizes];
    const [text, json] = await Promise.all([analyse(...args), answerOf('analyse', args, NO_DATABASE)]);
    expect(text).toMatchObject({ code: 0, err: '' });
    expect(text.out).toMatch(/^CHAIN comes first: nothing in the data contradicts its assumption\.$/m);
    expect(text.out).toMatch(/^standardized to sites +RDS-II +interval by CHAIN$/m);
    expect(Math.max(...text.out.split('\n').map((line) => line.length))).toBeLessThanOrEqual(80);
    const { chain, bootstrap } = json.outcomes.status;
    expect(Object.keys(bootstrap.chain)).toEqual(['rdsIIWithoutSites', 'rdsII']);
    expect(bootstrap.tree.rdsII['1'].se).toBeGreaterThan(bootstrap.chain.rdsII['1'].se);
    expect(chain).toMatchObject({ first: 'CHAIN', firstReason: null });
    // As another program calculated it.
    expect(chain.errorByDistance['1'].standardError).toBeCloseTo(0.06614156436880447, 9);
    expect(chain.chainsDiffer['1']).toMatchObject({ degrees: 5, statistic: expect.any(Number) });
    const { estimate, low, high } = chain.standardised['1'];
    expect([low < estimate, estimate < high]).toEqual([true, true]);
  },
  SLOW,
);

test(
  'says how outcomes changed from an earlier file, and what the samples show of it',
  async () => {
    const later = folder.path('later.csv');
    const rows = (await readFile(DATA, 'utf8')).split('\n');
    const at = (rows[0] ?? '').split(',').indexOf('status');
    const moved = rows.map((row, line) => {
      const cells = row.split(',');
      if (line % 3 === 0 && cells[at] === '0') cells[at] = '1';
      return cells.join(',');
    });
    await writeFile(later, moved.join('\n'));
    const args = ['--from', later, ...COLUMNS, '--outcome', 'status', '--change-from', DATA];
    const [shown, json] = await Promise.all([analyse(...args), answerOf('analyse', args, NO_DATABASE)]);
    const { first, levels } = json.outcomes.status.change;
    const { from, to, difference, sentence } = levels['1'];
    expect(from.estimate).toBeCloseTo(0.270427, 6);
    expect(difference.estimate).toBeCloseTo(to.estimate - from.estimate, 12);
    expect([difference.cautiousLow < difference.low, difference.high < difference.cautiousHigh]).toEqual([
      true,
      true,
    ]);
    expect(sentence).toMatch(/^From edge240 to later the share rose by \d+ points \(95% CI /);
    expect(shown.out.replaceAll('\n  ', ' ')).toContain(`1: ${sentence}`);
    expect(shown.out).toMatch(new RegExp(`^The interval of ${first} comes first\\.$`, 'm'));
  },
  SLOW,
);

test(
  'an invalid file, an unknown outcome and a population below the sample are errors on stderr',
  async () => {
    const broken = folder.path('broken.csv');
    await writeFile(broken, 'id,recruiter.id,network.size\na,seed,3\na,seed,-2\n');
    const latin = folder.path('latin.csv');
    await writeFile(latin, Buffer.from('id,recruiter.id,network.size,y\na,seed,3,caf\xe9\n', 'latin1'));
    const from = ['--from', DATA, ...COLUMNS, '--outcome'];
    const [file, encoding, outcome, population] = await Promise.all([
      analyse('--from', broken, '--outcome', 'y'),
      analyse('--from', latin, '--outcome', 'y'),
      analyse(...from, 'colour'),
      analyse(...from, 'status', '--population-size', '100'),
    ]);
    expect(file).toMatchObject({ code: 1, out: '' });
    expect(file.err).toMatch(/Line 3: The id a appears in more than one row\.\nLine 3: The network size -2/);
    expect(encoding).toMatchObject({ code: 1, err: expect.stringMatching(/not in UTF-8/) });
    expect(outcome).toMatchObject({
      code: 1,
      err: expect.stringMatching(/no column colour\. The file has: status/),
    });
    expect(population).toMatchObject({
      code: 1,
      err: expect.stringMatching(/smaller than the sample: 100 and 240/),
    });
  },
  SLOW,
);

test(
  'columns and answers named like object properties work like any other',
  async () => {
    const odd = folder.path('odd.csv');
    const rows = ['a,seed,5,__proto__,1', 'b,a,2,x,0', 'c,a,3,constructor,1', '__proto__,b,4,__proto__,0'];
    await writeFile(odd, `id,recruiter.id,network.size,__proto__,constructor\n${rows.join('\n')}\n`);
    const args = ['--from', odd, '--outcome', '__proto__', 'constructor'];
    const [shown, json] = await Promise.all([analyse(...args), analyse(...args, '--json')]);
    expect(shown).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^__proto__ +2 +50\.0/m) });
    const { outcomes } = JSON.parse(json.out);
    expect(Object.keys(outcomes)).toEqual(['__proto__', 'constructor']);
  },
  SLOW,
);

describe('for a study in the service', () => {
  const SEED = 11;
  const ASKED = ['--random-seed', String(SEED), '--method', 'tree', '--samples', '100'];
  let study: SampleWorld;
  let outcomes: Body[];
  /** The API's numbers by outcome. */
  const estimates = new Map<string, Body>();
  let intervals: Map<string, Body>;
  const named = (kind: string) => outcomes.filter((one) => one.kind === kind).map(({ name }) => name);

  beforeAll(async () => {
    study = await startSampleWorld(9, { people: 120, seeds: 4 });
    const { world, root } = study;
    const title = { en: 'Worked out' };
    const workedOut = [
      { name: 'isOld', title, kind: 'CATEGORY', expression: "iif({score} > 50, 'old', 'young')" },
      { name: 'half', title, kind: 'NUMBER', expression: '{score} / 2' },
    ];
    await root.patch('/api/study', { populationSize: 900, outcomes: workedOut }).expect(200);
    outcomes = (await root.get('/api/analysis/outcomes').expect(200)).body.data;
    for (const { name } of outcomes) {
      const { body } = await root.get(`/api/analysis/estimates?outcome=${name}&randomSeed=${SEED}`);
      estimates.set(name, body);
    }
    const jobs = startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, { pollMs: 100 });
    const runRequest = { outcome: null, method: 'TREE', samples: 100, randomSeed: SEED };
    const { body: run } = await root.post('/api/analysis/runs', runRequest).expect(202);
    const result = async () => (await root.get(`/api/analysis/runs/${run.id}`).expect(200)).body.result;
    await until(async () => (await result()) !== null, 'the run is done');
    await jobs.stop();
    intervals = new Map((await result()).outcomes.map((one: Body) => [one.name, one.levels]));
  }, SLOW);
  afterAll(() => study.world.stop());

  /** The API's numbers for an outcome, by the names of the command. */
  function serviceResult(name: string): Body {
    const { kind, sample, levels, transitions, homophily, differentialActivity } = estimates.get(name);
    const [type, key] = kind === 'CATEGORY' ? ['category', 'value'] : ['number', ''];
    const by = (rows: Body[], figure: string) =>
      Object.fromEntries(rows.map((row) => [row[key] ?? 'mean', row[figure]]));
    const spread = intervals.get(name)?.map(({ standardError: se, ...rest }: Body) => ({ se, ...rest }));
    const values = levels.map(({ value }: Body) => value);
    const ofCategory = () => ({
      levels: values,
      counts: by(levels, 'count'),
      transitions: Object.fromEntries(
        values.map((from: string, row: number) => [
          from,
          Object.fromEntries(values.map((to: string, at: number) => [to, transitions.counts[row][at]])),
        ]),
      ),
      recruitmentHomophily: homophily.recruitment,
      populationHomophily: { rdsII: by(homophily.population, 'estimate') },
      differentialActivity: { rdsII: by(differentialActivity, 'estimate') },
    });
    return {
      ...{ type, known: sample.known, missing: sample.missing },
      ...{ naive: by(levels, 'mean'), rdsI: by(levels, 'rds1') },
      ...{ rdsII: by(levels, 'rds2'), ss: by(levels, 'ss') },
      ...(kind === 'CATEGORY' ? ofCategory() : {}),
      bootstrap: {
        tree: {
          rdsII: Object.fromEntries(
            (spread ?? []).map(({ se, low, high, effectiveSize, value }: Body) => [
              value ?? 'mean',
              { se, low, high, effectiveSize },
            ]),
          ),
        },
      },
    };
  }

  test(
    'the API and the command give the same estimates and intervals, from the database and its export',
    async () => {
      const { root } = study;
      const table = folder.path('rds.csv');
      await writeFile(table, (await root.get('/api/exports/rds.csv').expect(200)).text);
      const bundle = await root.get('/api/exports/bundle.zip').buffer(true).parse(bytesOf).expect(200);
      const entries = entriesOf(bundle.body as Buffer);
      expect(entries.get('rds.csv')).toBe(await readFile(table, 'utf8'));
      const coupons = folder.path('rdsat.txt');
      await writeFile(coupons, entries.get('rdsat.txt') ?? '');
      const all = outcomes.map(({ name }) => name);
      expect(all).toEqual(
        expect.arrayContaining(['status', 'services.food', 'score', 'location', 'isOld', 'half']),
      );
      const answers: Body[] = [await answerOf('analyse', ['--outcome', ...all, ...ASKED])];
      for (const path of [table, coupons])
        for (const kind of ['CATEGORY', 'NUMBER']) {
          const file = ['--from', path, '--population-size', '900', '--kind', kind.toLowerCase()];
          const args = ['--outcome', ...named(kind), ...file, ...ASKED];
          answers.push(await answerOf('analyse', args, NO_DATABASE));
        }
      const outcomeCounts = answers.map((answer) => Object.keys(answer.outcomes).length);
      const [categories, numbers] = [named('CATEGORY').length, named('NUMBER').length];
      expect(outcomeCounts).toEqual([all.length, categories, numbers, categories, numbers]);
      for (const answer of answers) {
        expect(answer).toMatchObject({ n: 120, N: 900 });
        for (const [name, result] of Object.entries(answer.outcomes))
          expect({ name, found: result }).toMatchObject({ name, found: serviceResult(name) });
      }
    },
    SLOW,
  );

  test(
    'a study population size below the sample is ignored with a message; sites have names',
    async () => {
      await study.root.patch('/api/study', { populationSize: 100 }).expect(200);
      const large = ['--random-seed', String(Number.MAX_SAFE_INTEGER)];
      const { code, out, err } = await command('analyse', ['--outcome', 'location', ...large]);
      expect({ code, err }).toEqual({
        code: 0,
        err: "The study's population size is 100, which is smaller than the sample of 120, so there is no SS estimate.",
      });
      expect(out).toMatch(
        /^120 respondents from 4 seeds, \d+ waves\n\nlocation, % +answers +unweighted +RDS-I +RDS-II\n/,
      );
      expect(out).toMatch(/^North Hall +\d+/m);
    },
    SLOW,
  );

  test(
    'rejects an unknown outcome and lists the existing ones; column options need a file',
    async () => {
      expect(await command('analyse', ['--outcome', 'colour'])).toMatchObject({
        code: 1,
        out: '',
        err: expect.stringMatching(/no outcome colour\. The study has: /),
      });
      expect(await command('analyse', ['--outcome', 'status', '--recruiter', 'x'])).toMatchObject({
        code: 2,
        err: '--recruiter needs --from.',
      });
    },
    SLOW,
  );

  test(
    '--round is about that round alone, and --change-from is the change that the API gives',
    async () => {
      const { root } = study;
      const [first] = (await root.get('/api/rounds').expect(200)).body.data;
      await root.post(`/api/rounds/${first.id}/close`, {}).expect(200);
      const { body: next } = await root.post('/api/rounds', { name: 'Next', startsOn: '2027-12-01' });
      const surveys = mongoose.connection.collection('surveys');
      const seeds = (await surveys.distinct('seed')).slice(0, 2);
      await surveys.updateMany(
        { seed: { $in: seeds } },
        { $set: { round: new ObjectId(next.id as string) } },
      );
      const later = await surveys.countDocuments({ seed: { $in: seeds } });
      const roundArgs = (...args: string[]) => ['--outcome', 'status', ...args];
      const [own, earlier] = [
        await answerOf('analyse', roundArgs('--change-from', 'Round 1', '--samples', '100')),
        await answerOf('analyse', roundArgs('--round', 'Round 1')),
      ];
      expect([own.n, earlier.n]).toEqual([later, 120 - later]);
      const path = `/api/analysis/change?outcome=status&from=${first.id}&to=${next.id}`;
      const { levels } = (await root.get(path).expect(200)).body;
      for (const { value, from, to, difference } of levels) {
        expect(earlier.outcomes.status.rdsII[value] ?? 0).toBeCloseTo(from.estimate, 12);
        expect(own.outcomes.status.rdsII[value] ?? 0).toBeCloseTo(to.estimate, 12);
        const change = own.outcomes.status.change.levels[value];
        expect(change.difference.estimate).toBeCloseTo(difference.estimate, 12);
        expect(change.sentence).toContain('From Round 1 to Next the share');
      }
      expect(await command('analyse', roundArgs('--round', '2024'))).toMatchObject({
        code: 1,
        err: expect.stringContaining('There is no round 2024. The study has: Round 1, Next.'),
      });
    },
    SLOW,
  );
});

test(
  'an interviews file is detected, and oddities are reported on stderr',
  async () => {
    const table = folder.path('interviews.csv');
    await writeFile(table, 'id,recruiter_id,network_size,takes_part,y\na,seed,3,yes,1\nb,a,2,no,0\n');
    const coupons = folder.path('coupons.txt');
    await writeFile(coupons, 'RDS\n2\t1\tNA\ty\na\t3\tNA\tC1\t1\nb\t2\tC9\tNA\t0\n');
    const early = folder.path('early.csv');
    await writeFile(early, 'id,recruiter.id,network.size,time,y\na,0,3,2,x\nb,a,2,1,z\n');
    const named = ['--recruiter', 'recruiter_id', '--size', 'network_size'];
    const [refused, complete, stray, before] = await Promise.all([
      analyse('--from', table, '--outcome', 'y'),
      analyse('--from', table, '--outcome', 'y', ...named),
      analyse('--from', coupons, '--outcome', 'y'),
      analyse('--from', early, '--outcome', 'y', '--json'),
    ]);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringMatching(/rds\.csv[^\n]*--recruiter recruiter_id/),
    });
    expect(complete).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^takes_part is no in 1 of the rows/),
    });
    expect(stray).toMatchObject({
      code: 0,
      err: expect.stringMatching(/^Line 4: coupon C9 was not given by anyone/),
    });
    expect(before).toMatchObject({ code: 0, err: expect.stringMatching(/^Line 3: b came before a/) });
    expect(JSON.parse(before.out).n).toBe(2);
  },
  SLOW,
);
