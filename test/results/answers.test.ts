/** Counts of answers per question match a plain count of the same interviews. */
import { type Histogram, histogramOf, shownHistogram } from '../../src/statistics/results/histogram.ts';
import type { Person, World } from '../people.ts';
import { activate, QUESTIONNAIRE, type SimulatedPerson, startSampleWorld } from '../sample/simulated.ts';

let world: World;
let root: Person;
let admin: Person;
let sites: string[];
let people: SimulatedPerson[];

beforeAll(async () => {
  ({ world, root, sites, people } = await startSampleWorld(7, { people: 200, seeds: 5 }));
  admin = await world.person({ role: 'ADMIN' });
});
afterAll(() => world.stop());

// biome-ignore lint/suspicious/noExplicitAny: any JSON
type Body = any;
const ask = async (by: Person, query: string): Promise<Body> =>
  (await by.get(`/api/analysis/answers?${query}`).expect(200)).body;
const countOf = <T>(values: T[], is: (value: T) => boolean) => values.filter(is).length;

test('shares match a direct count; with multiple choices each is a share of all who answered', async () => {
  const { n, questions } = await ask(root, 'question=status&question=services');
  expect(n).toBe(people.length);
  const [status, services] = questions;
  const statuses = people.map((one) => one.responses.status).filter((one) => one === 'yes' || one === 'no');
  expect(status).toMatchObject({
    name: 'status',
    title: { en: 'Positive?', es: '¿Positivo?' },
    kind: 'ONE',
    known: statuses.length,
    missing: people.length - statuses.length,
    spread: null,
  });
  expect(status.levels.map(({ value, count }: Body) => [value, count])).toEqual([
    ['no', countOf(statuses, (one) => one === 'no')],
    ['yes', countOf(statuses, (one) => one === 'yes')],
  ]);
  expect(status.levels[1].share).toBeCloseTo(countOf(statuses, (one) => one === 'yes') / statuses.length, 12);
  const { body } = await root.get('/api/analysis/estimates?outcome=status').expect(200);
  expect(status.levels.map(({ rds2 }: Body) => rds2)).toEqual(body.levels.map(({ rds2 }: Body) => rds2));

  const used = people
    .map((one) => one.responses.services as string[] | undefined)
    .filter((one): one is string[] => one !== undefined && !one.includes('refused'));
  expect(services).toMatchObject({ kind: 'SEVERAL', known: used.length });
  expect(services.levels.map(({ title, count }: Body) => [title.en, count])).toEqual(
    ['food', 'bed']
      .map((choice) => [choice, countOf(used, (one) => one.includes(choice))])
      .concat([[expect.any(String) as never, countOf(used, (one) => one.includes('none'))]]),
  );
});

test('a number has its mean, quartiles, and bars that count everyone once', async () => {
  const {
    questions: [score],
  } = await ask(admin, 'question=score');
  const scores = people.map((one) => Number(one.responses.score)).sort((a, b) => a - b);
  expect(score.levels[0].share).toBeCloseTo(scores.reduce((sum, one) => sum + one, 0) / scores.length, 9);
  const { bars, median } = score.spread;
  expect(median).toBe((scores[99]! + scores[100]!) / 2);
  for (const { from, to, count } of bars) {
    expect(count).toBe(countOf(scores, (one) => (from === null || one >= from) && (to === null || one < to)));
    expect(count).toBeGreaterThanOrEqual(5);
  }
  expect(bars.reduce((sum: number, { count }: Body) => sum + count, 0)).toBe(scores.length);
});

test('small groups are hidden from admins, also for one site, which has no histogram', async () => {
  const query = `location=${sites[0]}`;
  const { questions } = await ask(admin, `question=region&question=score&${query}`);
  const { body } = await admin.get(`/api/analysis/estimates?outcome=region&${query}`).expect(200);
  const countsOf = (levels: Body[]) => levels.map(({ value, count }) => [value, count]);
  expect(countsOf(questions[0].levels)).toEqual(countsOf(body.levels));
  expect(questions[1].spread).toBeNull();
  await root.patch('/api/study', { smallestCell: 50 }).expect(200);
  const few = await ask(admin, 'question=region&question=services');
  const count = (value: string) => countOf(people, (one) => one.responses.region === value);
  for (const level of few.questions[0].levels)
    if (count(level.value) < 50)
      expect(level).toMatchObject({ hidden: true, count: null, share: null, rds2: null });
  expect(few.questions[0].levels.some(({ hidden }: Body) => hidden)).toBe(true);
  const nobody = await ask(root, 'question=region&from=2099-01-01');
  expect(nobody).toMatchObject({ n: 0, questions: [{ levels: [], known: 0 }] });
  await root.patch('/api/study', { smallestCell: 5 }).expect(200);
});

test('an unknown question, none, and thirteen are 400', async () => {
  await admin.get('/api/analysis/answers').expect(400);
  const { body } = await admin.get('/api/analysis/answers?question=region&question=nothing').expect(400);
  expect(body.errors).toMatchObject([{ path: 'question.1', code: 'NO_OUTCOME' }]);
  const thirteen = Array.from({ length: 13 }, () => 'question=region').join('&');
  await admin.get(`/api/analysis/answers?${thirteen}`).expect(400);
});

test('a question with another type in another version is listed with the reason, and the others have results', async () => {
  const elements = QUESTIONNAIRE.definition.elements.map((one) =>
    one.name === 'agrees'
      ? { type: 'text', inputType: 'number', name: 'agrees' }
      : one.name === 'region'
        ? { ...one, type: 'checkbox' }
        : one,
  );
  await activate(root, { ...QUESTIONNAIRE, definition: { elements } });
  // Only versions that somebody was interviewed with count.
  const responses = { [QUESTIONNAIRE.networkSizeQuestion]: 4 };
  await root.post('/api/surveys', { location: sites[0], responses }).expect(201);
  for (const part of ['', `&location=${sites[0]}`]) {
    const query = `question=status&question=agrees&question=region&question=score${part}`;
    const { questions, refused } = await ask(admin, query);
    expect(questions).toMatchObject([{ name: 'status' }, { name: 'score' }]);
    expect(questions[0].known).toBeGreaterThan(0);
    const params = { here: `${QUESTIONNAIRE.name}@2`, elsewhere: `${QUESTIONNAIRE.name}@1` };
    expect(refused).toMatchObject([
      { name: 'agrees', title: { en: 'agrees' }, code: 'OTHER_OUTCOME', params },
      { name: 'region', code: 'OTHER_OUTCOME', params },
    ]);
  }
  const { items } = (await admin.get('/api/analysis/report').expect(200)).body;
  const item = (name: string) => items.find((one: Body) => one.item === '14' && one.name === name);
  expect(item('status')).toMatchObject({ value: expect.any(Array), reason: null });
  expect(item('agrees')).toMatchObject({ value: null, reason: expect.stringContaining('different type') });
});

test('the first bar is 0 for whole numbers, and below 1 otherwise', () => {
  const values = Array.from({ length: 60 }, (_, at) => 1 + (at % 7));
  const first = (some: number[]) =>
    histogramOf(Float64Array.from([...some, ...values].sort((a, b) => a - b)))?.bars[0];
  const zeros = Array.from({ length: 20 }, () => 0);
  expect(first(zeros)).toEqual({ from: 0, to: 1, count: 20 });
  expect(first([...zeros, 0.5, 0.75])).toEqual({ from: null, to: 1, count: 22 });
});

test('bars of small groups are merged, and the ends never show one person', () => {
  const values = Float64Array.from([1, 1, 1, 1, 1, 2, 3, 3, 3, 3, 3, 4, 250]);
  const whole = histogramOf(values) as Histogram;
  expect(whole.bars[0]?.from).toBeNull();
  expect(whole.bars.at(-1)?.to).toBeNull();
  for (const smallest of [2, 5, 6]) {
    const { bars } = shownHistogram(whole, smallest) ?? { bars: [] };
    expect(bars.every(({ count }) => count >= smallest)).toBe(true);
  }
  expect(shownHistogram(whole, 12)).toBeNull();
  expect(histogramOf(Float64Array.from([-1e308, 1e308]))?.bars).toHaveLength(1);
  for (const end of [1e-300, 1e17, 1e300])
    expect(histogramOf(Float64Array.from([0, end]))?.bars.length).toBeLessThan(30);
  expect(histogramOf(new Float64Array())).toBeNull();
  expect(histogramOf(Float64Array.from([3, 3]))?.bars).toEqual([{ from: null, to: null, count: 2 }]);
});

test('a first bar of zeros is 0, and open-ended once merged with the next', () => {
  const bars = (values: number[], smallest = 0) =>
    shownHistogram(histogramOf(Float64Array.from(values)) as Histogram, smallest)?.bars;
  const counts = [0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 4];
  expect(bars(counts)?.[0]).toEqual({ from: 0, to: 1, count: 3 });
  expect(bars(counts, 5)?.[0]).toEqual({ from: null, to: 2, count: 8 });
  expect(bars([...counts, -1])?.[0]?.from).toBeNull();
  expect(bars([...counts, 0.5])?.[0]?.from).toBeNull();
});
