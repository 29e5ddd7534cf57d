/** Limits on requesting a code: once in 30 seconds per phone, 120 times an hour per IP address. */
import mongoose from 'mongoose';
import { authPost } from '../api/user-kit.ts';
import { testConfig, worldOfFile } from '../people.ts';

let address: string;
let tests = 0;
const world = worldOfFile({ config: { ...testConfig(), rateLimits: true, trustProxy: true } });
// Each test uses a separate IP address.
beforeEach(() => {
  address = `198.51.100.${++tests}`;
});

const send = (route: string, phone: string) =>
  authPost(world, route, { phone }).set('X-Forwarded-For', address);

/** Requests codes for that many new phones, some in parallel; returns each status. */
async function sendMany(count: number): Promise<number[]> {
  const all: number[] = [];
  while (all.length < count) {
    const some = Math.min(20, count - all.length);
    const sending = Array.from({ length: some }, () => send('send-otp-login', world.newPhone()));
    all.push(...(await Promise.all(sending)).map(({ status }) => status));
  }
  return all;
}
const allAccepted = (count: number) => new Array<number>(count).fill(200);

test('a second code for the same phone within 30 seconds is 429 with Retry-After', async () => {
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

test('both send routes and all spellings of a phone number share one limit', async () => {
  await send('send-otp-signup', '+12067003333').expect(200);
  await send('send-otp-login', '(206) 700-3333').expect(429);
});

test('the limit applies equally to phones with and without an account', async () => {
  const [accountPhone, stranger] = [(await world.person()).phone, world.newPhone()];
  for (const phone of [accountPhone, stranger]) {
    await send('send-otp-login', phone).expect(200);
    await send('send-otp-login', phone).expect(429);
  }
});

test('the limit of one phone does not affect another', async () => {
  await send('send-otp-signup', world.newPhone()).expect(200);
  await send('send-otp-signup', world.newPhone()).expect(200);
});

test('thirty people behind one IP address can sign in within an hour, each with two resends', async () => {
  const phones = await Promise.all(Array.from({ length: 30 }, async () => (await world.person()).phone));
  for (let time = 0; time < 3; time++) {
    await Promise.all(phones.map((phone) => send('send-otp-login', phone).expect(200)));
    // Each phone waited before the next request.
    await mongoose.connection.collection('ratelimits').deleteMany({ key: /^send-again:/ });
  }
  for (const phone of phones) {
    const code = world.otps.get(phone);
    await authPost(world, 'verify-otp-login', { phone, code }).set('X-Forwarded-For', address).expect(200);
  }
});

test('at most 120 codes an hour are sent for one IP address', async () => {
  expect(await sendMany(120)).toEqual(allAccepted(120));
  const { body } = await send('send-otp-signup', world.newPhone()).expect(429);
  expect(body.code).toBe('RATE_LIMITED');
});

test('requests refused by the phone limit do not count against the IP address', async () => {
  const phone = world.newPhone();
  await send('send-otp-signup', phone).expect(200);
  for (let time = 0; time < 5; time++) await send('send-otp-signup', phone).expect(429);
  expect(await sendMany(119)).toEqual(allAccepted(119));
  await send('send-otp-signup', world.newPhone()).expect(429);
});

test('exactly one of ten simultaneous requests for one phone sends a code', async () => {
  const phone = world.newPhone();
  const answers = await Promise.all(Array.from({ length: 10 }, () => send('send-otp-signup', phone)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(9);
});

test('an IP address at its limit does not affect another', async () => {
  expect((await sendMany(121)).filter((status) => status === 429)).toHaveLength(1);
  address = '198.51.100.200';
  await send('send-otp-signup', world.newPhone()).expect(200);
});

test('at most 720 codes a day are sent for one IP address, whether or not the phones have accounts', async () => {
  await send('send-otp-login', world.newPhone()).expect(200);
  const day = { key: /^send-network-day:/ };
  await mongoose.connection.collection('ratelimits').updateMany(day, { $set: { points: 720 } });
  const accountPhone = (await world.person()).phone;
  const replies = [
    await send('send-otp-login', accountPhone),
    await send('send-otp-login', world.newPhone()),
  ];
  expect(replies.map(({ status }) => status)).toEqual([429, 429]);
});

test('the counters contain no phone number or IP address, since mongod logs them', async () => {
  const phone = world.newPhone();
  await send('send-otp-signup', phone).expect(200);
  const counts = await mongoose.connection.collection('ratelimits').find().toArray();
  expect(counts.some(({ key }) => key.startsWith('send-again:'))).toBe(true);
  expect(counts.filter(({ key }) => key.includes(phone) || key.includes(address))).toEqual([]);
});
