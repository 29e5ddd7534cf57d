/** Rate limits are stored in the database and apply across all processes. */
import type { Express } from 'express';
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { refused, tally, times } from '../api/kit.ts';
import { type Person, worldOfFile } from '../people.ts';

let second: Express;
const world = worldOfFile({ config: { rateLimits: true, metricsToken: 'a token for tests alone' } });
beforeAll(async () => {
  second = createApp(world.deps);
});
afterEach(() => forget({}));

/** Resets the counts that match the filter. Limits use the real time, not a test's clock. */
async function forget(filter: object): Promise<void> {
  for (const collection of (await mongoose.connection.db?.collections()) ?? [])
    await collection.deleteMany({ points: { $exists: true }, expire: { $exists: true }, ...filter });
}

const sendOtp = (app: Express, phone: string, kind = 'login') =>
  supertest(app).post(`/api/auth/send-otp-${kind}`).send({ phone });

function limited(answer: supertest.Response): void {
  refused(answer, 429, 'RATE_LIMITED');
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
}

test('one code per phone is sent within 30 s, over both routes, two processes and all spellings', async () => {
  const phone = world.newPhone();
  await sendOtp(world.app, phone, 'signup').expect(200);
  const again = await sendOtp(second, phone, 'signup');
  limited(again);
  expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(30);
  limited(await sendOtp(second, phone, 'login'));
  limited(
    await sendOtp(world.app, `(${phone.slice(2, 5)}) ${phone.slice(5, 8)}-${phone.slice(8)}`, 'signup'),
  );
  await sendOtp(world.app, world.newPhone(), 'signup').expect(200);
});

test('at most five codes an hour are sent to one phone', async () => {
  const phone = world.newPhone();
  for (const _ of times(5, Number)) {
    await sendOtp(world.app, phone).expect(200);
    await forget({ expire: { $lt: new Date(Date.now() + 60_000) } });
  }
  const answer = await sendOtp(second, phone);
  limited(answer);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60);
});

test('a rate limit does not reveal whether the phone has an account', async () => {
  const accountPhone = (await world.person()).phone;
  const unknown = world.newPhone();
  const answers = [];
  for (const phone of [accountPhone, unknown]) {
    await sendOtp(world.app, phone).expect(200);
    answers.push(await sendOtp(world.app, phone));
  }
  for (const answer of answers) limited(answer);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
});

test('ten simultaneous requests for one phone send one code', async () => {
  const phone = world.newPhone();
  const answers = await Promise.all(
    times(10, (index) => sendOtp(index % 2 ? world.app : second, phone).then((answer) => answer)),
  );
  expect(tally(answers)).toEqual({ 200: 1, '429 RATE_LIMITED': 9 });
});

test('at most 120 codes an hour are sent per IP address, whatever the forwarding headers', async () => {
  const answers = [];
  for (const index of times(123, Number))
    answers.push(
      await sendOtp(index % 2 ? world.app : second, world.newPhone()).set(
        'X-Forwarded-For',
        `10.0.0.${index}`,
      ),
    );
  expect(tally(answers)).toEqual({ 200: 120, '429 RATE_LIMITED': 3 });
});

async function burst(count: number, make: (app: Express) => supertest.Test): Promise<supertest.Response[]> {
  const answers: supertest.Response[] = [];
  const servers = [world.app, second];
  for (let index = 0; index < count; index += 40)
    answers.push(
      ...(await Promise.all(
        times(Math.min(40, count - index), (index) =>
          make(servers[index % 2] as Express).then((answer) => answer),
        ),
      )),
    );
  return answers;
}

const study = (person: Person) => (app: Express) =>
  supertest(app).get('/api/study').set('Authorization', `Bearer ${person.token}`);

test('one user can make 600 requests a minute over two processes; then 429 comes before 400', async () => {
  const [busy, other] = [await world.person(), await world.person()];
  const answers = await burst(620, study(busy));
  expect(tally(answers)).toEqual({ 200: 600, '429 RATE_LIMITED': 20 });
  answers.filter(({ status }) => status === 429).forEach(limited);
  await study(other)(world.app).expect(200);
  limited(await busy.post('/api/surveys', { nonsense: 1 }));
  refused(await world.bearer('wrong').get('/api/study'), 401);
});

test('one IP address can make 600 requests a minute without a token; signed-in users are not affected', async () => {
  const person = await world.person();
  const list = (app: Express) => supertest(app).get('/api/locations');
  expect(tally(await burst(10, list))).toEqual({ 200: 10 });
  const counts = mongoose.connection.collection('ratelimits');
  await counts.updateMany({ key: /^requests:/ }, { $inc: { points: 580 } });
  expect(tally(await burst(20, list))).toEqual({ 200: 10, '429 RATE_LIMITED': 10 });
  await study(person)(world.app).expect(200);
});

test('app files are not counted in the database below the limit', async () => {
  const counted = () => mongoose.connection.collection('ratelimits').countDocuments({ key: /^files/ });
  for (const _ of times(40, Number)) await supertest(world.app).get('/documentation/').expect(200);
  expect(await counted()).toBe(0);
});

test('app files and metrics are limited to 6,000 a minute per IP address over two processes; the API is not affected', async () => {
  const file = (app: Express) => supertest(app).get('/documentation/');
  const counts = mongoose.connection.collection('ratelimits');
  const key = /^files:/;
  expect(tally(await burst(160, file))).toEqual({ 200: 160 });
  await expectSoon(async () => expect(await counts.countDocuments({ key })).toBe(1));
  await counts.updateMany({ key }, { $set: { points: 5_950 } });
  for (const app of [world.app, second]) {
    await expectSoon(async () => limited(await file(app)));
    limited(await supertest(app).get('/metrics'));
    await supertest(app).get('/api/locations').expect(200);
    await supertest(app).get('/api/health/live').expect(200);
  }
});

/** Files are counted asynchronously: the effect comes a moment later. */
async function expectSoon(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await check();
    } catch (error) {
      if (tries >= 200) throw error;
    }
  }
}
