/** Limits on how often: they are kept in the database and hold over all processes. */
import type { Express } from 'express';
import mongoose from 'mongoose';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { type Person, startWorld, type World } from '../people.ts';
import { refused, tally, times } from './kit.ts';

let world: World;
let second: Express;
beforeAll(async () => {
  world = await startWorld({ config: { rateLimits: true } });
  second = createApp(world.deps);
});
afterEach(() => forget({}));
afterAll(() => world.stop());

/** Ends the counts that the filter names. The limits go by real time, which no test's clock moves. */
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

test('one phone is sent one code in 30 s, by either route, over two processes, in any spelling', async () => {
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

test('one phone is sent five codes an hour', async () => {
  const phone = world.newPhone();
  for (const _ of times(5, Number)) {
    await sendOtp(world.app, phone).expect(200);
    await forget({ expire: { $lt: new Date(Date.now() + 60_000) } });
  }
  const answer = await sendOtp(second, phone);
  limited(answer);
  expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60);
});

test('a limit tells no one whether the phone has an account', async () => {
  const known = (await world.person()).phone;
  const unknown = world.newPhone();
  const answers = [];
  for (const phone of [known, unknown]) {
    await sendOtp(world.app, phone).expect(200);
    answers.push(await sendOtp(world.app, phone));
  }
  for (const answer of answers) limited(answer);
  expect(answers[0]?.body).toEqual(answers[1]?.body);
});

test('of ten requests at one time for one phone, one is sent', async () => {
  const phone = world.newPhone();
  const answers = await Promise.all(
    times(10, (index) => sendOtp(index % 2 ? world.app : second, phone).then((answer) => answer)),
  );
  expect(tally(answers)).toEqual({ 200: 1, '429 RATE_LIMITED': 9 });
});

test('one address is sent 120 codes an hour, whatever a caller says of its own address', async () => {
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
  for (let done = 0; done < count; done += 40)
    answers.push(
      ...(await Promise.all(
        times(Math.min(40, count - done), (index) =>
          make(servers[index % 2] as Express).then((answer) => answer),
        ),
      )),
    );
  return answers;
}

const study = (person: Person) => (app: Express) =>
  supertest(app).get('/api/study').set('Authorization', `Bearer ${person.token}`);

test('one user makes 600 requests a minute over two processes; another user is served; then 429 comes before 400', async () => {
  const [busy, other] = [await world.person(), await world.person()];
  const answers = await burst(620, study(busy));
  expect(tally(answers)).toEqual({ 200: 600, '429 RATE_LIMITED': 20 });
  answers.filter(({ status }) => status === 429).forEach(limited);
  await study(other)(world.app).expect(200);
  limited(await busy.post('/api/surveys', { nonsense: 1 }));
  refused(await world.bearer('wrong').get('/api/study'), 401);
});

test('one address makes 600 requests a minute without a token; a user of that address is served', async () => {
  const person = await world.person();
  const list = (app: Express) => supertest(app).get('/api/locations');
  expect(tally(await burst(10, list))).toEqual({ 200: 10 });
  const counts = mongoose.connection.collection('ratelimits');
  await counts.updateMany({ key: /^requests:/ }, { $inc: { points: 580 } });
  expect(tally(await burst(20, list))).toEqual({ 200: 10, '429 RATE_LIMITED': 10 });
  await study(person)(world.app).expect(200);
});

test('a phone that loads the app is not counted by the database, and is served while that is away', async () => {
  const counted = () => mongoose.connection.collection('ratelimits').countDocuments({ key: /^files/ });
  for (const _ of times(40, Number)) await supertest(world.app).get('/documentation/').expect(200);
  expect(await counted()).toBe(0);
});

test('the files of the app end at 6,000 a minute an address, over two processes; the API goes on, as they do elsewhere', async () => {
  const file = (app: Express) => supertest(app).get('/documentation/');
  const counts = mongoose.connection.collection('ratelimits');
  const key = /^files:/;
  expect(tally(await burst(160, file))).toEqual({ 200: 160 });
  await expectSoon(async () => expect(await counts.countDocuments({ key })).toBe(1));
  await counts.updateMany({ key }, { $set: { points: 5_950 } });
  for (const app of [world.app, second]) {
    await expectSoon(async () => limited(await file(app)));
    await supertest(app).get('/api/locations').expect(200);
    await supertest(app).get('/api/health/live').expect(200);
  }
});

/** The count of files is told in passing: what it leads to comes a moment later. */
async function expectSoon(check: () => Promise<void>): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await check();
    } catch (error) {
      if (tries >= 200) throw error;
    }
  }
}
