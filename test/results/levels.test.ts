/** Outcomes with a separate level for each person are rejected with the reason, and never shown as a table. */
import mongoose from 'mongoose';
import type { Person, World } from '../people.ts';
import { startSampleWorld } from '../sample/simulated.ts';

let world: World;
let root: Person;
let admin: Person;

/** More than 200 people, each with a different score and network size. */
beforeAll(async () => {
  ({ world, root } = await startSampleWorld(
    1,
    { people: 320, seeds: 8 },
    {
      change: (people) => {
        for (const [at, one] of people.entries()) one.responses.score = at;
      },
    },
  ));
  admin = await world.person({ role: 'ADMIN' });
});
afterAll(() => world.stop());

const computed = (name: string, expression: string) => ({
  name,
  title: { en: name },
  kind: 'CATEGORY',
  expression,
});
const store = (outcomes: object[]) =>
  mongoose.connection.collection('studies').updateOne({}, { $set: { outcomes } }, { upsert: true });

test('rejects saving an outcome with more than 200 levels', async () => {
  const { body } = await root
    .patch('/api/study', { outcomes: [computed('each', '{score} + 1'), computed('few', '{health} + 1')] })
    .expect(400);
  expect(body).toMatchObject({
    code: 'VALIDATION_ERROR',
    errors: [{ path: 'outcomes.0.expression', code: 'TOO_MANY_LEVELS', params: { most: 200 } }],
  });
  await root.patch('/api/study', { outcomes: [computed('few', '{health} + 1')] }).expect(200);
});

test('an outcome that has grown to more than 200 levels can’t be estimated or compared, has no answers and is no longer offered', async () => {
  await root.patch('/api/study', { outcomes: [computed('some', '{health} + 1')] }).expect(200);
  await store([computed('one', '{score} + 1'), computed('two', '{score} + 2')]);
  const refusal = (path: string) => ({ path, code: 'TOO_MANY_LEVELS' });
  for (const as of [admin, root]) {
    const { body } = await as.get('/api/analysis/compare?outcome=one&by=two').expect(400);
    expect(body).toMatchObject({ code: 'INVALID_QUERY', errors: [refusal('outcome'), refusal('by')] });
    const estimates = await as.get('/api/analysis/estimates?outcome=one').expect(400);
    expect(estimates.body.errors).toMatchObject([refusal('outcome')]);
    const answers = await as.get('/api/analysis/answers?question=status&question=one').expect(200);
    expect(answers.body.questions).toMatchObject([{ name: 'status' }]);
    expect(answers.body.refused).toMatchObject([
      { name: 'one', code: 'TOO_MANY_LEVELS', params: { most: 200 } },
    ]);
    const offered = await as.get('/api/analysis/outcomes').expect(200);
    const names = offered.body.data.map(({ name }: { name: string }) => name);
    expect(names).toContain('status');
    expect(names).not.toContain('one');
  }
  const rows = await root.get('/api/exports/rds.csv').expect(200);
  expect(rows.text).toMatch(/^[^\n]*one,two/);
});

test('rejects a comparison with more than 10,000 cells', async () => {
  await store([computed('one', '{score} - {score} % 2'), computed('two', '{score} - {score} % 3')]);
  const { body } = await admin.get('/api/analysis/compare?outcome=one&by=two').expect(400);
  expect(body.errors).toMatchObject([{ path: 'by', code: 'TOO_MANY_CELLS', params: { most: 10_000 } }]);
});
