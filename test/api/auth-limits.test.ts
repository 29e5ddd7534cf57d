/** How often a code may be asked for: once in 30 seconds a phone, 120 times an hour an address. */
import mongoose from 'mongoose';
import { startWorld, testConfig, type World } from '../people.ts';
import { authPost } from './user-kit.ts';

let world: World;
let address: string;
let tests = 0;
beforeAll(async () => {
  world = await startWorld({ config: { ...testConfig(), rateLimits: true, trustProxy: true } });
});
afterAll(() => world.stop());
// Each test comes from an address of its own.
beforeEach(() => {
  address = `198.51.100.${++tests}`;
});

const send = (route: string, phone: string) =>
  authPost(world, route, { phone }).set('X-Forwarded-For', address);

/** To as many new phones, some at a time; each status. */
async function sendMany(count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) {
    const some = Math.min(20, count - all.length);
    const sent = Array.from({ length: some }, () => send('send-otp-login', world.newPhone()));
    all.push(...(await Promise.all(sent)).map(({ status }) => status));
  }
  return all;
}
const sent = (count: number) => new Array<number>(count).fill(200);

test('a second code for the same phone within 30 seconds is 429, and says when to come again', async () => {
  const phone = world.newPhone();
  await send('send-otp-signup', phone).expect(200);
  const first = world.otps.get(phone);
  const { body, headers } = await send('send-otp-signup', phone).expect(429);
  expect(Object.keys(body).sort()).toEqual(['code', 'message', 'params']);
  expect(body.code).toBe('RATE_LIMITED');
  expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(30);
  expect(world.otps.get(phone)).toBe(first);
});

test('the limit is one for both send routes and for all ways to write the phone', async () => {
  await send('send-otp-signup', '+12067003333').expect(200);
  await send('send-otp-login', '(206) 700-3333').expect(429);
});

test('the limit tells nothing either: a phone without an account meets it as one that has one', async () => {
  const [known, stranger] = [(await world.person()).phone, world.newPhone()];
  for (const phone of [known, stranger]) {
    await send('send-otp-login', phone).expect(200);
    await send('send-otp-login', phone).expect(429);
  }
});

test('does not affect another phone', async () => {
  await send('send-otp-signup', world.newPhone()).expect(200);
  await send('send-otp-signup', world.newPhone()).expect(200);
});

test('thirty people behind one address sign in within an hour, each with two resends', async () => {
  const phones = await Promise.all(Array.from({ length: 30 }, async () => (await world.person()).phone));
  for (let time = 0; time < 3; time++) {
    await Promise.all(phones.map((phone) => send('send-otp-login', phone).expect(200)));
    // Each waited before asking again.
    await mongoose.connection.collection('ratelimits').deleteMany({ key: /^send-again:/ });
  }
  for (const phone of phones) {
    const code = world.otps.get(phone);
    await authPost(world, 'verify-otp-login', { phone, code }).set('X-Forwarded-For', address).expect(200);
  }
});

test('one address has 120 codes an hour sent, no more', async () => {
  expect(await sendMany(120)).toEqual(sent(120));
  const { body } = await send('send-otp-signup', world.newPhone()).expect(429);
  expect(body.code).toBe('RATE_LIMITED');
});

test('a tap too many costs nobody else behind that address one of the 120', async () => {
  const phone = world.newPhone();
  await send('send-otp-signup', phone).expect(200);
  for (let time = 0; time < 5; time++) await send('send-otp-signup', phone).expect(429);
  expect(await sendMany(119)).toEqual(sent(119));
  await send('send-otp-signup', world.newPhone()).expect(429);
});

test('of ten requests at once for one phone exactly one is sent', async () => {
  const phone = world.newPhone();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('send-otp-signup', phone)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
});

test('another address is not held up by one that has had its 120', async () => {
  expect((await sendMany(121)).filter((status) => status === 429)).toHaveLength(1);
  address = '198.51.100.200';
  await send('send-otp-signup', world.newPhone()).expect(200);
});

test('one address has 720 codes a day sent, whether the phones have accounts or not', async () => {
  await send('send-otp-login', world.newPhone()).expect(200);
  const day = { key: /^send-network-day:/ };
  await mongoose.connection.collection('ratelimits').updateMany(day, { $set: { points: 720 } });
  const known = (await world.person()).phone;
  const replies = [await send('send-otp-login', known), await send('send-otp-login', world.newPhone())];
  expect(replies.map(({ status }) => status)).toEqual([429, 429]);
});

test('the counters name no phone and no address, since mongod quotes them in its log', async () => {
  const phone = world.newPhone();
  await send('send-otp-signup', phone).expect(200);
  const counts = await mongoose.connection.collection('ratelimits').find().toArray();
  expect(counts.some(({ key }) => key.startsWith('send-again:'))).toBe(true);
  expect(counts.filter(({ key }) => key.includes(phone) || key.includes(address))).toEqual([]);
});
