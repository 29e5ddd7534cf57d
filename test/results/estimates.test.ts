/** The estimates of the API match the pure functions on the same rows, and a plain count. */
import mongoose from 'mongoose';
import { analyseSample, type OutcomeResult } from '../../src/statistics/estimators/results.ts';
import { rds2Weights } from '../../src/statistics/estimators/weights.ts';
import { loadSample } from '../../src/statistics/sample/load.ts';
import { type Body, insertSurvey } from '../make.ts';
import type { Person, World } from '../people.ts';
import { insertPeople, LATER, type SimulatedPerson, startSampleWorld } from '../sample/simulated.ts';

const QUESTION = { population: 600, randomSeed: 7, method: null, samples: 0, confidence: 0.95 } as const;
let world: World;
let root: Person;
let admin: Person;
let questionnaire: string;
let sites: string[];
let people: SimulatedPerson[];

const estimates = async (person: Person, query: string): Promise<Body> =>
  (await person.get(`/api/analysis/estimates?${query}`).expect(200)).body;
const surveys = () => mongoose.connection.collection('surveys');
const codes = (answer: Body) => answer.warnings.map(({ code }: { code: string }) => code);

beforeAll(async () => {
  ({ world, root, questionnaire, sites, people } = await startSampleWorld(5, { people: 180, seeds: 4 }));
  admin = await world.person({ role: 'ADMIN' });
});
afterAll(() => world.stop());

/** The same numbers by name, as printed by `npm run analyse`. */
const byName = (levels: Body[], figure: string) =>
  Object.fromEntries(levels.map((level) => [level.value ?? 'mean', level[figure]]));

test.each(['status', 'region', 'score'])('the estimates of %s match the pure functions', async (outcome) => {
  const sample = await loadSample({ window: {}, zone: 'UTC', now: LATER, outcomes: { outcome } });
  const pure = analyseSample(
    'study',
    sample,
    { it: sample.outcomes[0]!.outcome },
    { ...QUESTION, estimator: 'all' },
  );
  const it = pure.outcomes.it as OutcomeResult;
  const answer = await estimates(root, `outcome=${outcome}&populationSize=600&randomSeed=7`);
  expect(answer.sample).toMatchObject({
    n: people.length,
    seeds: pure.seeds,
    waves: pure.maxWave,
    known: it.known,
    missing: it.missing,
    largestChain: Math.max(...Object.values(pure.treeSizes)) / people.length,
    populationSize: 600,
  });
  expect(byName(answer.levels, 'mean')).toEqual(it.naive);
  expect(byName(answer.levels, 'rds1')).toEqual(it.rdsI);
  expect(byName(answer.levels, 'rds2')).toEqual(it.rdsII);
  expect(byName(answer.levels, 'ss')).toEqual(it.ss);
  if (it.type === 'number') {
    expect([answer.transitions, answer.homophily, answer.differentialActivity]).toEqual([null, null, null]);
    return;
  }
  const levels = it.levels ?? [];
  expect(byName(answer.levels, 'count')).toEqual(it.counts);
  expect(answer.transitions.counts).toEqual(levels.map((a) => levels.map((b) => it.transitions?.[a]?.[b])));
  expect(answer.transitions.stationary).toEqual(levels.map((a) => it.stationary?.[a]));
  expect(answer.transitions.harmonicSizes).toEqual(levels.map((a) => it.harmonicMeanDegree?.[a]));
  expect(answer.homophily.recruitment).toBe(it.recruitmentHomophily);
  expect(byName(answer.homophily.population, 'estimate')).toEqual(it.populationHomophily?.rdsII);
  expect(byName(answer.differentialActivity, 'estimate')).toEqual(it.differentialActivity?.rdsII);
  expect(answer.convergence.map(({ levels: at }: Body) => byName(at, 'rds2'))).toEqual(
    it.cumulativeByOrder?.map(({ n: _, ...figures }) => figures),
  );
  expect(answer.convergence.at(-1).n).toBe(people.length);
});

test('RDS-II, trimmed RDS-II and the trees match a direct calculation', async () => {
  const answer = await estimates(root, 'outcome=region');
  const largest = Math.max(...people.map(({ size }) => size ?? 0));
  const sizes = people.map(({ size }) => size || largest);
  const sorted = sizes.toSorted((a, b) => a - b);
  const place = (sorted.length - 1) * 0.95;
  const [low, high] = [sorted[Math.floor(place)]!, sorted[Math.ceil(place)]!];
  const max = low + (place - Math.floor(place)) * (high - low);
  const share = (value: string, of: SimulatedPerson[], sizeOf: (row: number) => number) => {
    const weight = (some: SimulatedPerson[]) =>
      some.reduce((sum, one) => sum + 1 / sizeOf(people.indexOf(one)), 0);
    return weight(of.filter(({ responses }) => responses.region === value)) / weight(of);
  };
  for (const level of answer.levels) {
    expect(level.rds2).toBeCloseTo(
      share(level.value, people, (row) => sizes[row]!),
      12,
    );
    expect(level.trimmed).toBeCloseTo(
      share(level.value, people, (row) => Math.min(max, sizes[row]!)),
      12,
    );
  }
  const headOf = (one: SimulatedPerson): SimulatedPerson =>
    one.recruiter === null ? one : headOf(people.find(({ id }) => id === one.recruiter)!);
  for (const tree of answer.bottleneck) {
    const of = people.filter((one) => headOf(one).id === tree.seed);
    expect(tree.n).toBe(of.length);
    for (const level of tree.levels)
      expect(level.rds2).toBeCloseTo(
        share(level.value, of, (row) => sizes[row]!),
        12,
      );
  }
  expect(answer.bottleneck.map(({ n }: Body) => n)).toEqual(
    answer.bottleneck.map(({ n }: Body) => n).toSorted((a: number, b: number) => b - a),
  );
});

test('estimates include waves and network sizes, which equal those of the answers page and are hidden for parts', async () => {
  const whole = await estimates(admin, 'outcome=status');
  const seeds = people.filter(({ recruiter }) => recruiter === null).length;
  expect([whole.byWave[0], whole.byWave.length]).toEqual([seeds, whole.sample.waves + 1]);
  expect(whole.byWave.reduce((sum: number, count: number) => sum + count, 0)).toBe(people.length);
  const { body } = await admin.get('/api/analysis/answers?question=networkSize').expect(200);
  expect(whole.networkSizes.bars.length).toBeGreaterThan(2);
  expect(whole.networkSizes).toEqual(body.questions[0].spread);
  expect(whole.networkSizes.bars.every(({ count }: Body) => count >= 5)).toBe(true);
  const part = `outcome=status&location=${sites[0]}`;
  expect((await estimates(admin, part)).networkSizes).toBeNull();
  expect((await estimates(root, part)).networkSizes.median).toBeGreaterThan(0);
});

test('the same query gives the same bytes, whatever the order of arrival', async () => {
  const query = 'outcome=status&populationSize=600&populationSizeLow=400&populationSizeHigh=900';
  const before = await estimates(root, query);
  await surveys().deleteMany({});
  await insertPeople([...people].reverse(), { questionnaire, by: root.id });
  // By another caller, so that it is calculated again.
  world.clock.advance(1_000);
  const after = await estimates(root, `${query}&from=2020-01-01`);
  expect(byNameOf(after)).toEqual(byNameOf(before));
  const again = await estimates(root, query);
  expect(JSON.stringify({ ...again, asOf: 0 })).toBe(JSON.stringify({ ...before, asOf: 0 }));
});
const byNameOf = (answer: Body) => ({
  rds1: byName(answer.levels, 'rds1'),
  rds2: byName(answer.levels, 'rds2'),
  convergence: answer.convergence,
});

test('population sizes are the study’s or all from the query, and must be in ascending order', async () => {
  await admin
    .patch('/api/study', { populationSize: 500, populationSizeLow: 300, populationSizeHigh: 900 })
    .expect(200);
  const own = await estimates(admin, 'outcome=status');
  expect(own.sample.populationSize).toBe(500);
  expect(own.levels[0].ssLow).not.toBeNull();
  const named = await estimates(admin, 'outcome=status&populationSize=450');
  expect([named.sample.populationSize, named.levels[0].ssLow]).toEqual([450, null]);
  await admin
    .get('/api/analysis/estimates?outcome=status&populationSize=450&populationSizeLow=460')
    .expect(400);
  await admin.get('/api/analysis/estimates?outcome=nothing').expect(400);
  for (const wrong of [{ populationSizeLow: 501 }, { populationSizeHigh: 400 }, { populationSize: 950 }])
    await admin.patch('/api/study', wrong).expect(400);
  await admin
    .patch('/api/study', { populationSize: null, populationSizeLow: null, populationSizeHigh: null })
    .expect(200);
});

test('an estimate without a value is null, with a note', async () => {
  const none = await estimates(root, 'outcome=status&from=2020-01-01&to=2020-01-02');
  expect(none.sample).toMatchObject({ n: 0, known: 0, seeds: 0 });
  expect(none.notes.map(({ code }: Body) => code)).toEqual(Array(5).fill('NOBODY_KNOWN'));
  const small = await estimates(admin, 'outcome=status&populationSize=100');
  expect(small.notes).toMatchObject([
    { estimator: 'SS', code: 'POPULATION_BELOW_SAMPLE' },
    // The query has no minimum or maximum size.
    { estimator: 'SS', code: 'NO_POPULATION_SIZE' },
  ]);
  const whole = 'outcome=status&populationSize=600&populationSizeLow=500&populationSizeHigh=700';
  expect((await estimates(admin, whole)).notes).toEqual([]);
  expect(small.levels[0].ss).toBeNull();
  const first = people.slice(0, 1);
  const place = await world.place();
  await surveys().updateOne(
    { _id: new mongoose.Types.ObjectId(first[0]!.id) },
    { $set: { location: new mongoose.Types.ObjectId(place), 'responses.status': 'yes' } },
  );
  const one = await estimates(root, `outcome=status&location=${place}`);
  expect(one.levels).toMatchObject([{ value: 'yes', count: 1, rds1: null, rds2: 1 }]);
  expect(one.notes.map(({ estimator, code }: Body) => `${estimator} ${code}`)).toEqual([
    'RDS_I NO_RECRUITS',
    'SS NO_POPULATION_SIZE',
    'HOMOPHILY ONE_LEVEL',
    'DIFFERENTIAL_ACTIVITY ONE_LEVEL',
  ]);
  // For all but super-admins the sample is too small.
  const hidden = await estimates(admin, `outcome=status&location=${place}`);
  const levels = hidden.levels.map(({ value, count, rds2, hidden: isHidden }: Body) => [
    value,
    count,
    rds2,
    isHidden,
  ]);
  expect(levels).toEqual([
    ['no', null, null, true],
    ['yes', null, null, true],
  ]);
  expect(hidden.notes).toEqual([]);
  expect(JSON.stringify(hidden)).not.toContain('"rds2":1');
  await surveys().deleteOne({ _id: new mongoose.Types.ObjectId(first[0]!.id) });
  await insertPeople(first, { questionnaire, by: root.id });
});

test('a small level and the next smallest are hidden except from super admins', async () => {
  const west = people.filter(({ responses }) => responses.region === 'west');
  const fewer = west.slice(3).map(({ id }) => new mongoose.Types.ObjectId(id));
  await surveys().updateMany({ _id: { $in: fewer } }, { $set: { 'responses.region': 'east' } });
  const all = await estimates(root, 'outcome=region&randomSeed=1');
  const publishedEstimates = await estimates(admin, 'outcome=region&randomSeed=1');
  const counts = byName(all.levels, 'count');
  expect(counts.west).toBe(3);
  const [next] = Object.keys(counts)
    .filter((name) => name !== 'west')
    .sort((a, b) => counts[a] - counts[b]);
  const isHidden = (name: string) => name === 'west' || name === next;
  for (const [at, level] of publishedEstimates.levels.entries()) {
    if (!isHidden(level.value)) expect(level).toEqual(all.levels[at]);
    else
      expect(level).toMatchObject({
        hidden: true,
        count: null,
        mean: null,
        rds1: null,
        rds2: null,
        trimmed: null,
      });
    for (const [to, count] of publishedEstimates.transitions.counts[at].entries())
      expect(count === null).toBe(isHidden(level.value) || isHidden(publishedEstimates.levels[to].value));
    expect(publishedEstimates.transitions.harmonicSizes[at] === null).toBe(isHidden(level.value));
    for (const tree of publishedEstimates.bottleneck)
      expect(isHidden(level.value) && tree.levels[at].rds2 !== null).toBe(false);
  }
  const table = (await admin.get('/api/analysis/compare?outcome=region&by=location').expect(200)).body;
  for (const { levels } of table.groups)
    expect(levels.map(({ value, hidden = false }: Body) => hidden || !isHidden(value))).toEqual([
      true,
      true,
      true,
      true,
    ]);
  const other = (await admin.get('/api/analysis/compare?outcome=location&by=region').expect(200)).body;
  for (const [a, { levels }] of table.groups.entries())
    for (const [b, level] of levels.entries())
      expect(other.groups[b].levels[a].hidden === true).toBe(level.hidden === true);
  await surveys().updateMany({ _id: { $in: fewer } }, { $set: { 'responses.region': 'west' } });
});

test('groups are compared with the weights of the whole sample', async () => {
  const { body } = await root.get('/api/analysis/compare?outcome=score&by=agrees').expect(200);
  const largest = Math.max(...people.map(({ size }) => size ?? 0));
  const weights = rds2Weights(Float64Array.from(people, ({ size }) => size || largest));
  for (const group of body.groups) {
    const of = [...people.keys()].filter((row) => String(people[row]!.responses.agrees) === group.value);
    const weight = of.reduce((sum, row) => sum + weights[row]!, 0);
    const mean =
      of.reduce((sum, row) => sum + weights[row]! * Number(people[row]!.responses.score), 0) / weight;
    expect([group.count, group.known, group.levels.length]).toEqual([of.length, of.length, 1]);
    expect(group.levels[0].rds2).toBeCloseTo(mean, 10);
  }
  await root.get('/api/analysis/compare?outcome=score&by=health').expect(400);
});

test('warnings have a value and a message', async () => {
  const plain = await estimates(root, 'outcome=status&populationSize=600&populationSizeLow=181');
  expect(codes(plain)).toEqual(
    expect.arrayContaining(['STRANGERS', 'SAMPLE_IS_LARGE_SHARE', 'FEW_KNOWN', 'SIZE_BELOW_RECRUITS']),
  );
  const strangers = people.filter(({ responses }) => responses.recruiterRelation === 'stranger').length;
  expect(plain.warnings.find(({ code }: Body) => code === 'STRANGERS').value).toBe(strangers / people.length);
  for (const { message, value } of plain.warnings) {
    expect(message.length).toBeGreaterThan(60);
    expect(Number.isFinite(value)).toBe(true);
  }
});

test('the report uses interview dates, not wrong clocks', async () => {
  const days = async () =>
    (await root.get('/api/analysis/report').expect(200)).body.items.find(
      ({ name }: Body) => name === 'Days of recruitment',
    ).value;
  const before = await days();
  const _id = new mongoose.Types.ObjectId(people[0]!.id);
  const stored = await surveys().findOne({ _id });
  await surveys().updateOne({ _id }, { $set: { startedAt: new Date('2001-01-01') } });
  await root.patch('/api/study', { name: 'Clocks' }).expect(200);
  expect(await days()).toEqual(before);
  await surveys().updateOne({ _id }, { $set: { startedAt: stored?.startedAt } });
});

test('every item of the report has a value or a reason why not', async () => {
  const { body } = await root.get('/api/analysis/report').expect(200);
  const items: Body[] = body.items;
  for (const one of items) {
    expect(one.text).not.toBe('');
    expect(one.value === null).toBe(one.reason !== null);
  }
  const value = (name: string) => items.find((one) => one.name === name)?.value;
  expect(value('Numbers at each stage')).toMatchObject({ enrolled: people.length, completed: people.length });
  const waves: { people: number }[] = value('Waves');
  expect(waves.reduce((sum, one) => sum + one.people, 0)).toBe(people.length);
  for (const name of ['Eligible', 'Declined', 'Possible repeats']) expect(value(name)).toBeNull();
  expect(value('Network size, as asked')).toMatchObject({ en: 'networkSize' });
  const answer = await estimates(root, 'outcome=status');
  expect(value('status')).toEqual(
    answer.levels.map(({ value: level, count: size, mean, rds2 }: Body) => ({
      level,
      known: size,
      mean,
      rds2,
    })),
  );
});

test('the report and the estimates have the same quartiles of network sizes, with zeros', async () => {
  const some = { _id: { $in: people.slice(0, 60).map(({ id }) => new mongoose.Types.ObjectId(id)) } };
  const before = await surveys().find(some).toArray();
  await surveys().updateMany(some, { $set: { networkSize: 0 } });
  const { networkSizes, sample } = await estimates(root, 'outcome=status');
  expect(sample.sizeZero).toBeGreaterThanOrEqual(60);
  const { bars: _, ...quartiles } = networkSizes;
  const { body } = await root.get('/api/analysis/report').expect(200);
  const item = body.items.find(({ name }: Body) => name === 'Distribution of network sizes');
  expect(item.value).toEqual(quartiles);
  for (const { _id, networkSize } of before) await surveys().updateOne({ _id }, { $set: { networkSize } });
});

test('for few people the report shows network size quartiles only to super admins', async () => {
  const all = people.slice(4).map(({ id }) => new mongoose.Types.ObjectId(id));
  await surveys().updateMany({ _id: { $in: all } }, { $set: { status: 'IN_PROGRESS' } });
  await root.patch('/api/study', { timeZone: 'Asia/Tokyo' }).expect(200);
  const sizesTold = async (by: Person) => {
    const { body } = await by.get('/api/analysis/report').expect(200);
    return body.items.find(({ name }: Body) => name === 'Distribution of network sizes');
  };
  expect(await sizesTold(admin)).toMatchObject({ value: null, reason: 'There are too few people.' });
  const median = { lowerQuartile: expect.any(Number), median: expect.any(Number) };
  expect((await sizesTold(root)).value).toMatchObject(median);
  await root.patch('/api/study', { timeZone: null }).expect(200);
  await surveys().updateMany({ _id: { $in: all } }, { $set: { status: 'COMPLETED' } });
});

test('results routes share a limit of sixty requests a minute per person', async () => {
  world.deps.config.rateLimits = true;
  const busy = await world.person({ role: 'ADMIN' });
  try {
    const answers = await Promise.all(
      Array.from({ length: 61 }, (_, at) =>
        busy.get(at % 2 ? '/api/analysis/estimates?outcome=status' : '/api/analysis/outcomes'),
      ),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
    await admin.get('/api/analysis/outcomes').expect(200);
  } finally {
    world.deps.config.rateLimits = false;
  }
});

test('a new interview is in the next response', async () => {
  const before = await estimates(root, 'outcome=location&from=2021-01-01');
  await insertSurvey(world, { createdBy: root.id, location: sites[0]!, questionnaire, createdAt: LATER });
  const after = await estimates(root, 'outcome=location&from=2021-01-02');
  expect(after.sample.n).toBe(before.sample.n + 1);
  expect(after.sample.orphans).toBe(before.sample.orphans + 1);
});
