/** Analysis runs and counts over HTTP; their worker threads are in this process. */
import { setTimeout as sleep } from 'node:timers/promises';
import mongoose from 'mongoose';
import { addDays, HOUR_MS, isoDateAt } from '../../src/platform/lib/day.ts';
import { PopulationCountModel } from '../../src/statistics/counts/model.ts';
import { randomStream } from '../../src/statistics/estimators/draws/random.ts';
import { type JobRunner, startJobs } from '../../src/statistics/runs/jobs.ts';
import { AnalysisRunModel, type AnalysisRunRecord, filterKeyOf } from '../../src/statistics/runs/model.ts';
import { createNightlyRuns } from '../../src/statistics/runs/nightly-run.ts';
import { latestRun, runForReader } from '../../src/statistics/runs/read.ts';
import { deleteOldRuns, FINISHED_RUN_DAYS, MAX_FINISHED_RUNS } from '../../src/statistics/runs/sweep.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import type { Body } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { activate, insertPeople, simulate } from '../sample/simulated.ts';

const RUNS = '/api/analysis/runs';
const COUNTS = '/api/analysis/counts';
const TREE = { outcome: 'region', method: 'TREE', samples: 200, randomSeed: 5 };

let root: Person;
let admin: Person;
let site: string;
let jobs: JobRunner | null = null;

const world = worldOfFile();
beforeAll(async () => {
  root = await world.person({ role: 'SUPER_ADMIN' });
  admin = await world.person({ role: 'ADMIN' });
  const questionnaire = await activate(root);
  site = await world.place();
  const people = simulate(randomStream(3, 'api'), {
    ...{ people: 300, seeds: 6, locations: [site, await world.place()] },
    start: new Date('2027-03-01T17:00:00Z'),
  });
  // Three people from a separate region, who could be identified by its numbers.
  for (const one of people.slice(50, 53)) one.responses.region = 'west';
  for (const one of people.slice(53)) if (one.responses.region === 'west') one.responses.region = 'east';
  for (const one of people.slice(0, 50)) if (one.responses.region === 'west') one.responses.region = 'south';
  // One person with a network size of 1,000, which is trimmed.
  for (const one of people.slice(60, 61)) one.size = 1_000;
  await insertPeople(people, { questionnaire, by: admin.id });
});

afterEach(async () => {
  await stopWork();
  await AnalysisRunModel.deleteMany({});
});

async function stopWork(): Promise<void> {
  await jobs?.stop();
  jobs = null;
}

async function work(): Promise<void> {
  const timing = { holdMs: 2_000, pollMs: 100 };
  jobs = startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, timing);
}

async function ended(id: string): Promise<Body> {
  for (let tries = 0; tries < 600; tries++) {
    const { body } = await root.get(`${RUNS}/${id}`).expect(200);
    if (body.state !== 'WAITING' && body.state !== 'RUNNING') return body;
    await sleep(50);
  }
  throw new Error('it never ended');
}

const ask = async (body: object, by = admin): Promise<Body> => (await by.post(RUNS, body).expect(202)).body;
const fieldsOf = ({ body }: { body: Body }) => body.errors.map(({ path }: { path: string }) => path);

describe('a run', () => {
  it('is created as WAITING with defaults filled in, and is found by state and outcome', async () => {
    const { body, headers } = await admin.post(RUNS, { outcome: 'region', method: 'SALGANIK' }).expect(202);
    expect(body).toMatchObject({
      ...{ state: 'WAITING', progress: 0, createdBy: admin.id, finishedAt: null, error: null, result: null },
      request: {
        ...{ outcome: 'region', method: 'SALGANIK', estimator: 'RDS_II', samples: 1000, confidence: 0.95 },
        ...{ randomSeed: null, populationSize: null, location: null, from: null, to: null },
      },
    });
    expect(headers.location).toBe(`${RUNS}/${body.id}`);
    await ask({ outcome: null, method: 'TREE', location: site });
    const listed = async (query: string) =>
      (await admin.get(`${RUNS}?${query}`).expect(200)).body.data.length;
    expect(await listed('')).toBe(2);
    expect(await listed('state=WAITING&outcome=region')).toBe(1);
    expect(await listed('state=DONE')).toBe(0);
  });

  it('with an invalid field is 400 at that field', async () => {
    const wrong: [object, string][] = [
      [{ outcome: 'shoes', method: 'TREE' }, 'outcome'],
      [{ outcome: null, method: 'SALGANIK' }, 'outcome'],
      [{ outcome: 'region', method: 'TREE', estimator: 'SS' }, 'estimator'],
      [{ outcome: 'region', method: 'GILE', estimator: 'RDS_II' }, 'estimator'],
      [{ outcome: 'region', method: 'GILE' }, 'populationSize'],
      [{ outcome: 'score', method: 'SALGANIK' }, 'method'],
      [{ ...TREE, samples: 99 }, 'samples'],
      [{ ...TREE, samples: 20_001 }, 'samples'],
      [{ ...TREE, confidence: 1 }, 'confidence'],
      [{ ...TREE, location: '0'.repeat(24) }, 'location'],
      [{ ...TREE, questionnaire: '0'.repeat(24) }, 'questionnaire'],
      [{ ...TREE, from: '2027-03-02', to: '2027-03-01' }, 'to'],
      [{ method: 'TREE' }, 'outcome'],
    ];
    for (const [body, path] of wrong)
      expect(fieldsOf(await root.post(RUNS, body).expect(400))).toEqual([path]);
    for (const narrowed of [{ from: '2027-03-01' }, { to: '2027-03-02' }, { questionnaire: '0'.repeat(24) }])
      await admin.post(RUNS, { ...TREE, ...narrowed }).expect(403);
  });

  it('is 429 if the person already has five unfinished ones', async () => {
    const runs = await Promise.all([1, 2, 3, 4, 5].map(() => ask(TREE)));
    const { headers } = await admin.post(RUNS, TREE).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await ask(TREE, root);
    await admin.delete(`${RUNS}/${runs[0].id}`).expect(204);
    await ask(TREE);
    // Simultaneous requests: still no more than five.
    await admin.delete(`${RUNS}/${runs[1].id}`).expect(204);
    const statuses = await Promise.all([1, 2, 3].map(async () => (await admin.post(RUNS, TREE)).status));
    expect(statuses.sort()).toEqual([202, 429, 429]);
  });

  it('can be cancelled only by its creator or a super admin, repeatedly, but not once done', async () => {
    const [own, other, third] = [await ask(TREE), await ask(TREE, root), await ask(TREE)];
    await admin.delete(`${RUNS}/${other.id}`).expect(403);
    await root.delete(`${RUNS}/${third.id}`).expect(204);
    await admin.delete(`${RUNS}/${own.id}`).expect(204);
    await admin.delete(`${RUNS}/${own.id}`).expect(204);
    await work();
    expect((await ended(other.id)).state).toBe('DONE');
    const { body } = await root.delete(`${RUNS}/${other.id}`).expect(409);
    expect(body.code).toBe('INVALID_TRANSITION');
    expect(await ended(own.id)).toMatchObject({ state: 'CANCELLED', result: null });
  });

  it('of all outcomes gives each the same result as a run of it alone, with small groups suppressed', async () => {
    await work();
    const [one, all] = [await ask(TREE), await ask({ ...TREE, outcome: null })];
    const [alone, whole] = [await ended(one.id), await ended(all.id)];
    expect(alone).toMatchObject({ state: 'DONE', progress: 1, request: { randomSeed: 5 } });
    const of = (run: Body, name: string) =>
      run.result.outcomes.find((outcome: Body) => outcome.name === name)?.levels;
    expect(of(whole, 'region')).toEqual(of(alone, 'region'));
    expect(of(whole, 'score')).toMatchObject([{ value: null, dropped: 0 }]);
    expect(of(whole, 'services.food').map(({ value }: Body) => value)).toEqual(['0', '1']);
    expect(alone.result.sample).toMatchObject({ n: 300, seeds: 6, orphans: 0 });
    expect(alone.result.dataHash).not.toBe(whole.result.dataHash);
    for (const level of of(alone, 'region')) {
      expect(level).not.toHaveProperty('inverse');
      expect(level.low).toBeLessThanOrEqual(level.estimate);
      expect(level.effectiveSize).toBeGreaterThan(0);
    }
    const { body: run } = await admin.get(`${RUNS}/${one.id}`).expect(200);
    const byValue = Object.fromEntries(of(run, 'region').map((level: Body) => [level.value, level]));
    expect(byValue.west).toMatchObject({ hidden: true, estimate: null, standardError: null, low: null });
    expect(of(run, 'region').filter(({ hidden }: Body) => hidden)).toHaveLength(2);
    const { body: list } = await admin.get(`${RUNS}?outcome=region`).expect(200);
    expect(of(list.data[0], 'region')).toEqual(of(run, 'region'));

    const sought = {
      method: 'TREE' as const,
      outcome: 'region',
      smallest: 0,
      location: null,
      from: null,
      to: null,
      questionnaire: null,
      round: FIRST_ROUND_ID.toHexString(),
    };
    const latest = await latestRun(sought);
    expect([one.id, all.id]).toContain(latest?.id);
    expect(latest?.levels.map(({ value }) => value)).toEqual(['east', 'north', 'south', 'west']);
    expect(await latestRun({ ...sought, location: site })).toBeNull();
  });

  it('of CHAIN gives the narrow interval and, with sizes of sites, estimates standardized to these', async () => {
    const all = (await admin.get('/api/analysis/compare?outcome=location&by=status').expect(200)).body;
    const [here, there] = all.groups[0].levels.map(({ value }: Body) => value);
    const { id: unused } = (
      await root.post('/api/locations', { name: 'Not in the sample', type: 'SHELTER' }).expect(201)
    ).body;
    const siteSizes = [
      { location: here, size: 900, source: 'Bed list' },
      { location: there, size: 100, low: 50, high: 200, source: 'Survey' },
      { location: unused, size: 10, source: 'Bed list' },
    ];
    await root.patch('/api/study', { siteSizes }).expect(200);
    await work();
    const chain = { ...TREE, method: 'CHAIN' };
    const runs = [
      await ask(chain),
      await ask({ ...chain, outcome: null }),
      await ask({ ...chain, estimator: 'SS', outcome: 'status', populationSize: 600 }),
      await ask({ ...TREE, outcome: null }),
    ];
    const [one, whole] = (await Promise.all(runs.map(({ id }) => ended(id)))) as [Body, Body];
    const of = (run: Body, name: string) =>
      run.result.outcomes.find((outcome: Body) => outcome.name === name).levels;
    expect(of(whole, 'region')).toEqual(of(one, 'region'));
    expect(one.result.outcomes).toHaveLength(1);
    expect(of(whole, 'score')).toMatchObject([{ value: null, dropped: 0 }]);
    const estimates = async (by: Person, outcome: string): Promise<Body> =>
      (await by.get(`/api/analysis/estimates?outcome=${outcome}&populationSize=600`).expect(200)).body;
    const status = await estimates(admin, 'status');
    expect(status).toMatchObject({ first: expect.stringMatching(/CHAIN|TREE/), runConfidence: 0.95 });
    for (const { rds2, ss, interval, cautious, ssInterval } of status.levels) {
      for (const { low, high } of [interval, cautious])
        expect([low < rds2, rds2 < high]).toEqual([true, true]);
      expect(ssInterval.low < ss && ss < ssInterval.high).toBe(true);
    }
    const { levels, sites, notes } = status.standardised;
    expect(sites.map(({ size, n }: Body) => [size, n > 0])).toEqual([
      [900, true],
      [100, true],
      [10, false],
    ]);
    for (const [at, { estimate, low, high }] of levels.entries()) {
      const [first, second] = sites.map((place: Body) => place.levels[at].rds2);
      expect(estimate).toBeCloseTo(0.9 * first + 0.1 * second, 9);
      expect(low < estimate && estimate < high).toBe(true);
    }
    expect(notes).toMatchObject([{ location: unused, code: 'NO_ANSWERS' }]);
    // Three people said "west".
    const region = (await estimates(admin, 'region')).standardised;
    const isHidden = (all: Body[]) => all.filter(({ hidden }) => hidden).map(({ value }) => value);
    expect(isHidden(region.levels)).toContain('west');
    expect(isHidden(region.levels).length).toBeGreaterThan(1);
    expect(isHidden((await estimates(root, 'region')).standardised.levels)).toEqual([]);
    // A run with other sizes says nothing of these.
    await root.patch('/api/study', { siteSizes: siteSizes.slice(0, 2) }).expect(200);
    const later = (await estimates(admin, 'status')).standardised;
    expect(later.levels[0]).toMatchObject({ estimate: levels[0].estimate, low: null, high: null });
    await root.patch('/api/study', { siteSizes: [] }).expect(200);
    expect((await estimates(admin, 'status')).standardised).toBeNull();
  });

  it('gives the estimates its intervals, the time of its data and its confidence level, until a later one', async () => {
    await work();
    const estimates = async (query = ''): Promise<Body> =>
      (await admin.get(`/api/analysis/estimates?outcome=status${query}`).expect(200)).body;
    expect(await estimates()).toMatchObject({ run: null, runAsOf: null, runConfidence: null });
    for (const confidence of [0.8, 0.95]) {
      const { id } = await ask({ ...TREE, outcome: 'status', confidence });
      const { result } = await ended(id);
      const { asOf } = result;
      expect(await estimates()).toMatchObject({ run: id, runAsOf: asOf, runConfidence: confidence });
    }
    const other = await estimates(`&location=${site}`);
    expect(other).toMatchObject({ run: null, runAsOf: null, runConfidence: null });
  });

  it('shows no interval for a level that was a small group when calculated', async () => {
    await work();
    const run = await ask({ ...TREE, outcome: 'status' });
    await ended(run.id);
    const intervals = async (by: typeof admin) => {
      const { body } = await by.get('/api/analysis/estimates?outcome=status').expect(200);
      expect(body.run).toBe(run.id);
      return body.levels.map(({ cautious }: Body) => cautious !== null);
    };
    expect(await intervals(admin)).toEqual([true, true]);
    await AnalysisRunModel.updateOne({ _id: run.id }, { 'result.outcomes.0.levels.1.count': 4 });
    expect(await intervals(admin)).toEqual([false, false]);
    expect(await intervals(root)).toEqual([true, true]);
    await AnalysisRunModel.updateOne(
      { _id: run.id },
      { 'result.outcomes.0.levels.1.count': 40, 'result.sample.n': 4 },
    );
    expect(await intervals(admin)).toEqual([false, false]);
  });

  it('fails with a reason if the population is smaller than the sample or the sample is empty', async () => {
    await work();
    const small = await ask({ outcome: 'region', method: 'GILE', populationSize: 299, samples: 100 });
    const empty = await ask({ ...TREE, from: '2020-01-01', to: '2020-01-02' }, root);
    const exact = await ask({ outcome: 'region', method: 'GILE', populationSize: 2000, samples: 100 });
    expect(await ended(small.id)).toMatchObject({
      state: 'FAILED',
      result: null,
      error: expect.stringContaining('299'),
    });
    expect(await ended(empty.id)).toMatchObject({ state: 'FAILED', error: 'The sample is empty.' });
    expect(await ended(exact.id)).toMatchObject({
      state: 'DONE',
      result: { sample: { populationSize: 2000 } },
    });
  });

  it('of a date range shows its figures only to super admins', async () => {
    await work();
    const { id } = await ask({ ...TREE, from: '2020-01-01', to: '2099-12-31' }, root);
    const { result } = await ended(id);
    expect(result.outcomes[0].levels[0].estimate).toBeGreaterThan(0);
    const { body } = await admin.get(`${RUNS}/${id}`).expect(200);
    expect(body.result.outcomes).toEqual([{ name: result.outcomes[0].name, levels: [] }]);
  });

  it('of fewer people than the study’s smallest group shows no answers at all', async () => {
    await work();
    const { id } = await ask(TREE);
    await ended(id);
    const run = (await AnalysisRunModel.findById(id).lean()) as AnalysisRunRecord;
    if (run.result) run.result.sample.n = 4;
    const levels = (smallest: number) => runForReader(run, smallest).result?.outcomes[0]?.levels;
    expect(levels(5)).toEqual([]);
    expect(levels(4)).not.toEqual([]);
  });

  it('is deleted after 90 days unless it is used by a count', async () => {
    const [old, pinnedRun, late] = [await ask(TREE), await ask(TREE), await ask(TREE)];
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
    const set = (id: string, fields: object) => AnalysisRunModel.updateOne({ _id: id }, fields);
    await set(old.id, { state: 'DONE', createdAt: ago(FINISHED_RUN_DAYS + 1) });
    await set(pinnedRun.id, { state: 'DONE', createdAt: ago(FINISHED_RUN_DAYS + 1), isKept: true });
    // Results are kept, however many runs were cancelled since.
    const finishedRun = await ask(TREE);
    await set(finishedRun.id, { state: 'DONE', createdAt: ago(2) });
    const { _id: _, ...one } = (await AnalysisRunModel.collection.findOne({ state: 'DONE' })) ?? {};
    const cancelled = { ...one, state: 'CANCELLED', isKept: false, createdAt: ago(1) };
    await AnalysisRunModel.collection.insertMany(
      Array.from({ length: MAX_FINISHED_RUNS + 2 }, () => ({ ...cancelled })) as never,
    );
    await deleteOldRuns(new Date());
    expect(await AnalysisRunModel.exists({ _id: finishedRun.id })).not.toBeNull();
    await AnalysisRunModel.deleteMany({ $or: [{ _id: finishedRun.id }, { state: 'CANCELLED' }] });
    expect((await AnalysisRunModel.find({}, { _id: 1 })).map(({ id }) => id).sort()).toEqual(
      [pinnedRun.id, late.id].sort(),
    );
  });
});

describe('the nightly runs', () => {
  const NOON = new Date('2026-01-15T11:00:00Z');
  const night = () => createNightlyRuns('America/Los_Angeles', 'any', NOON);
  const deleteRuns = (ids: mongoose.Types.ObjectId[]) => AnalysisRunModel.deleteMany({ _id: { $in: ids } });

  it('calculate all outcomes once by each method, and again only after a change', async () => {
    const ids = (await Promise.all([night(), night()])).flat().map(String);
    await work();
    const runs = await Promise.all(ids.map((id) => ended(id)));
    expect(runs.map(({ request }) => request.method).sort()).toEqual(['CHAIN', 'TREE']);
    for (const run of runs)
      expect(run).toMatchObject({ state: 'DONE', createdBy: null, request: { outcome: null } });
    await admin.delete(`${RUNS}/${ids[0]}`).expect(403);
    await AnalysisRunModel.updateMany({}, { $unset: { night: 1 } });
    expect(await night()).toEqual([]);
    // A person's quick run is less precise than the nightly one.
    await AnalysisRunModel.updateMany({}, { 'request.samples': 100 });
    const another = await night();
    expect(another).toHaveLength(2);
    await deleteRuns(another);
    await AnalysisRunModel.updateMany({}, { 'request.samples': 1000 });
    const changed = { networkSize: 77 };
    await mongoose.connection.collection('surveys').updateOne({}, { $set: changed });
    expect(await night()).toHaveLength(2);
  });

  it('also calculate intervals of SS where the sample is a large share of the population', async () => {
    await root.patch('/api/study', { populationSize: 600 }).expect(200);
    const ids = await night();
    await root.patch('/api/study', { populationSize: null }).expect(200);
    const runs = await AnalysisRunModel.find({ _id: { $in: ids } }).lean();
    expect(runs.map(({ request }) => `${request.method} ${request.estimator}`).sort()).toEqual([
      'CHAIN RDS_II',
      'CHAIN SS',
      'TREE RDS_II',
    ]);
    await deleteRuns(ids);
  });

  it('start again if a later run has other data, fewer replicates or another confidence', async () => {
    const next = async () => {
      await AnalysisRunModel.updateMany({}, { $unset: { night: 1 } });
      return await night();
    };
    const ids = await night();
    await work();
    await Promise.all(ids.map((id) => ended(String(id))));
    await stopWork();
    const first = (await AnalysisRunModel.findOne({ 'request.method': 'TREE' }).lean()) as AnalysisRunRecord;
    const add = async (minutes: number, fields: object) => {
      const finishedAt = new Date(Number(first.finishedAt) + minutes * 60_000);
      const run = { ...first, _id: new mongoose.Types.ObjectId(), night: null, finishedAt, ...fields };
      await AnalysisRunModel.collection.insertOne(run as never);
    };
    const request = (fields: object) => ({ request: { ...first.request, ...fields } });
    const isAgain = async () => {
      const again = await next();
      await deleteRuns(again);
      return again.length > 0;
    };
    expect(await isAgain()).toBe(false);
    const later = [
      { result: { ...first.result, dataHash: 'of other data' } },
      { result: { ...first.result, version: '0' } },
      request({ samples: 100 }),
      request({ confidence: 0.8 }),
      request({ confidence: 0.99 }),
      request({ outcome: 'region', samples: 100 }),
      request({ outcome: 'region', confidence: 0.8 }),
    ];
    for (const [at, fields] of later.entries()) {
      await add(2 * at + 1, fields);
      expect({ fields, again: await isAgain() }).toEqual({ fields, again: true });
      await add(2 * at + 2, {});
      expect(await isAgain()).toBe(false);
    }
    // Those of another site, and the precise ones of one outcome, change nothing.
    await add(100, {
      filters: filterKeyOf({ ...first.request, location: site }),
      ...request({ samples: 100 }),
    });
    await add(101, request({ outcome: 'region', samples: 2000 }));
    expect(await isAgain()).toBe(false);
  });

  it('do not start if they are off in the study or there are too few interviews', async () => {
    await root.patch('/api/study', { analysisRuns: 'OFF' }).expect(200);
    expect(await night()).toEqual([]);
    await root.patch('/api/study', { analysisRuns: 'AUTOMATIC' }).expect(200);
    const surveys = mongoose.connection.collection('surveys');
    const few = await surveys
      .find({}, { projection: { _id: 1 } })
      .limit(29)
      .toArray();
    await surveys.updateMany(
      { _id: { $nin: few.map(({ _id }) => _id) } },
      { $set: { status: 'IN_PROGRESS' } },
    );
    expect(await night()).toEqual([]);
    await surveys.updateMany({}, { $set: { status: 'COMPLETED' } });
  });

  it('run once a day, after 3:00 in the study’s time zone, even if a night was missed', async () => {
    const days = mongoose.connection.collection<{ _id: string; day: string }>('jobs');
    const of = async () => (await days.findOne({ _id: 'nightly run' }))?.day;
    const today = isoDateAt(new Date(Date.now() - 3 * HOUR_MS), 'UTC');
    const look = async () => {
      await startJobs({ timeZone: 'UTC', secret: 'any', log: world.deps.log }, { pollMs: 60_000 }).stop();
    };
    await stopWork();
    await AnalysisRunModel.deleteMany({});
    await days.deleteMany({});
    await look();
    expect([await of(), await AnalysisRunModel.countDocuments()]).toEqual([today, 0]);

    await days.updateOne({ _id: 'nightly run' }, { $set: { day: addDays(today, -3) } });
    await work();
    while ((await of()) !== today) await sleep(20);
    expect(await AnalysisRunModel.countDocuments()).toBe(2);
    await stopWork();

    await AnalysisRunModel.deleteMany({});
    await look();
    expect(await AnalysisRunModel.countDocuments()).toBe(0);
  });
});

describe('a count', () => {
  const BODY = {
    ...{
      name: 'Point in time',
      outcome: 'status',
      value: 'yes',
      known: 400,
      source: 'Clinic',
      asOf: '2026-01-15',
    },
    definition: 'Adults in the county',
  };
  const make = async (fields: object = {}): Promise<Body> =>
    (await admin.post(COUNTS, { ...BODY, ...fields }).expect(201)).body;
  const estimate = async (id: string, by = admin): Promise<Body> =>
    (await by.get(`${COUNTS}/${id}/estimate`).expect(200)).body;
  const codes = ({ notes }: Body) => notes.map(({ code }: Body) => code);
  const runsDone = async () => {
    for (const { id } of await AnalysisRunModel.find({}, { _id: 1 })) await ended(id);
  };

  it('is the known number divided by its share, with bounds from its run until it is changed', async () => {
    const count = await make({ knownLow: 380, knownHigh: 450 });
    expect(count).toMatchObject({
      ...BODY,
      knownLow: 380,
      knownHigh: 450,
      location: null,
      createdBy: admin.id,
    });
    const before = await estimate(count.id);
    expect(before.total).toEqual({ estimate: 400 / before.share, low: null, high: null });
    expect(before).toMatchObject({ effectiveSize: null, run: null });
    expect(codes(before)).toContain('NO_INTERVAL');
    // With other replicates the upper bound could be infinite.
    await AnalysisRunModel.updateMany({}, { $set: { randomSeed: 1 } });
    await work();
    await runsDone();
    const after = await estimate(count.id);
    const stored = await AnalysisRunModel.findById(after.run).lean();
    const level = stored?.result?.outcomes[0]?.levels.find(({ value }) => value === 'yes');
    const { low = 0, high = 0 } = (level?.inverse ?? {}) as { low?: number; high?: number };
    expect(after.total).toEqual({ estimate: 400 / after.share, low: 380 * low, high: 450 * high });
    expect(after.others.estimate).toBeCloseTo(400 / after.share - 400, 9);
    expect(after.others).toMatchObject({ low: 380 * low - 380, high: 450 * high - 450 });
    expect(after.total.low).toBeLessThan(after.total.estimate);
    expect(after.effectiveSize).toBe(level?.effectiveSize);
    const isWide = after.total.high > 2.5 * after.total.low;
    expect(codes(after).includes('NOT_PRECISE')).toBe(isWide);
    expect(after.text.includes('publish the interval with the estimate')).toBe(isWide);
    expect(after.text).toContain('the answer "Yes" to "Positive?"');
    const countThen = (count: number) =>
      AnalysisRunModel.updateOne({ _id: after.run }, { 'result.outcomes.0.levels.$[one].count': count }, {
        arrayFilters: [{ 'one.value': 'yes' }],
      } as never);
    await countThen(3);
    const few = await estimate(count.id);
    expect(few).toMatchObject({ effectiveSize: null, total: { low: null, high: null } });
    expect(codes(few)).toContain('NO_INTERVAL');
    expect((await estimate(count.id, root)).effectiveSize).toBe(after.effectiveSize);
    await countThen(level?.count ?? 0);
    for (const words of [BODY.definition, BODY.source, '2026-01-15', '400', 'RDS-II', 'tree bootstrap'])
      expect(after.text).toContain(words);
    const by = Object.fromEntries(after.byEstimator.map((one: Body) => [one.estimator, one]));
    expect(Object.keys(by)).toEqual(['MEAN', 'RDS_I', 'RDS_II', 'SS', 'TRIMMED']);
    expect(by.RDS_II).toEqual({
      estimator: 'RDS_II',
      share: after.share,
      total: after.total.estimate,
      others: after.others.estimate,
    });
    expect(by.SS).toEqual({ estimator: 'SS', share: null, total: null, others: null });
    expect(by.TRIMMED.share).not.toBe(by.RDS_II.share);
    expect(codes(after)).toContain('NO_POPULATION_SIZE');

    // Jobs are stopped, so that the next run waits.
    await stopWork();
    await admin.patch(`${COUNTS}/${count.id}`, { known: 800, knownLow: null, knownHigh: null }).expect(200);
    expect((await estimate(count.id)).total).toEqual({ estimate: 800 / after.share, low: null, high: null });
    expect(await AnalysisRunModel.countDocuments({ isKept: true })).toBe(1);
    await root.delete(`${COUNTS}/${count.id}`).expect(204);
    await admin.get(`${COUNTS}/${count.id}`).expect(404);
    expect(await AnalysisRunModel.countDocuments({ state: { $in: ['WAITING', 'RUNNING'] } })).toBe(0);
    const { body } = await root.get(`/api/audit?record=${count.id}`).expect(200);
    expect(body.data.map(({ action }: Body) => action)).toEqual(['delete', 'update', 'create']);
    expect(body.data[1].changes).toContainEqual({ path: 'known', before: 400, after: 800 });
  });

  it('with a total below the number of interviews has a note', async () => {
    const { body } = await root.get('/api/analysis/estimates?outcome=status').expect(200);
    // The share is above the one of those interviewed: so many known make fewer people than were interviewed.
    const { value, count: knownCount } = body.levels.find(({ rds2, mean }: Body) => rds2 > mean);
    const low = await estimate((await make({ value, known: knownCount })).id);
    expect(low.total.estimate).toBeLessThan(300);
    expect(codes(low)).toContain('BELOW_SAMPLE');
    expect(low.text).toContain('is below the 300 people interviewed');
    expect(codes(await estimate((await make({ value, known: 5_000 })).id))).not.toContain('BELOW_SAMPLE');
    expect(fieldsOf(await admin.post(COUNTS, { ...BODY, value, known: knownCount - 1 }).expect(400))).toEqual(
      ['known'],
    );
  });

  it('with a known number that is now too small keeps it, and can still be renamed', async () => {
    const count = await make({ known: 400 });
    await PopulationCountModel.updateOne({ _id: count.id }, { $set: { known: 1 } });
    const path = `${COUNTS}/${count.id}`;
    expect((await admin.patch(path, { name: 'Winter' }).expect(200)).body).toMatchObject({
      name: 'Winter',
      known: 1,
    });
    expect(fieldsOf(await admin.patch(path, { known: 2 }).expect(400))).toEqual(['known']);
  });

  it('has no total if nobody or only a small group gave the answer, with a note', async () => {
    const none = await estimate((await make({ value: 'perhaps' })).id);
    expect(none).toMatchObject({ share: 0, total: null, others: null, effectiveSize: null });
    expect(codes(none)).toEqual(['NO_SHARE']);
    const few = await make({ outcome: 'region', value: 'west' });
    const hidden = await estimate(few.id);
    expect(hidden).toMatchObject({ share: null, total: null, others: null });
    expect(codes(hidden)).toEqual(['HIDDEN']);
    expect(JSON.stringify(hidden)).not.toMatch(/of them gave this answer/);
    expect((await estimate(few.id, root)).share).toBeGreaterThan(0);
    const past = { ...BODY, from: '2020-01-01', to: '2020-01-02' };
    const nobody = (await root.post(COUNTS, past).expect(201)).body.id;
    expect(codes(await estimate(nobody, root))).toEqual(['NOBODY_KNOWN']);
    await admin.get(`${COUNTS}/${nobody}/estimate`).expect(403);
    await admin.patch(`${COUNTS}/${nobody}`, { known: 500 }).expect(403);
  });

  it('with an invalid field is 400 at that field', async () => {
    const wrong: [object, string][] = [
      [{ outcome: 'score' }, 'outcome'],
      [{ outcome: 'shoes' }, 'outcome'],
      [{ known: 0 }, 'known'],
      [{ knownLow: 401 }, 'knownLow'],
      [{ knownHigh: 399 }, 'knownHigh'],
      [{ asOf: 'yesterday' }, 'asOf'],
      [{ location: '0'.repeat(24) }, 'location'],
      [{ asOf: '2999-01-01' }, 'asOf'],
      [{ known: 1 }, 'known'],
      [{ from: '2027-03-02', to: '2027-03-01' }, 'to'],
    ];
    for (const [fields, path] of wrong)
      expect(fieldsOf(await root.post(COUNTS, { ...BODY, ...fields }).expect(400))).toEqual([path]);
    await admin.post(COUNTS, { ...BODY, from: '2027-03-01' }).expect(403);
    // Only three people have it, which an admin must not be able to derive.
    await admin.post(COUNTS, { ...BODY, outcome: 'region', value: 'west', known: 1 }).expect(201);
    const { id } = await make();
    expect(fieldsOf(await admin.patch(`${COUNTS}/${id}`, { knownHigh: 10 }).expect(400))).toEqual([
      'knownHigh',
    ]);
    await admin.patch(`${COUNTS}/${id}`, {}).expect(400);
    // Simultaneous changes: the run uses the result of both.
    const both = [{ outcome: 'region', value: 'west' }, { known: 500 }];
    await Promise.all(both.map((fields) => admin.patch(`${COUNTS}/${id}`, fields).expect(200)));
    const { run, outcome } = (await PopulationCountModel.findById(id).lean()) ?? {};
    expect([outcome, (await AnalysisRunModel.findById(run).lean())?.request.outcome]).toEqual([
      'region',
      'region',
    ]);
    await admin.patch(`${COUNTS}/${id}`, { outcome: 'status', value: 'yes', known: 400 }).expect(200);
    // Without a change there is no new run.
    const runs = await AnalysisRunModel.countDocuments();
    await admin.patch(`${COUNTS}/${id}`, { known: 400 }).expect(200);
    expect(await AnalysisRunModel.countDocuments()).toBe(runs);
  });
});
