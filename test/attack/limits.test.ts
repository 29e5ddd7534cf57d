/** Rate limits that an attacker would try to bypass, or to use up for others. */
import { collection } from '../api/kit.ts';
import { authPost } from '../api/user-kit.ts';
import { testConfig, worldOfFile } from '../people.ts';

const world = worldOfFile({ config: { ...testConfig(), rateLimits: true, trustProxy: true } });

const send = (address: string, phone: string) =>
  authPost(world, 'send-otp-login', { phone }).set('X-Forwarded-For', address);

/** Requests one code from each of these addresses, some in parallel. */
async function sendFrom(addresses: string[]): Promise<void> {
  for (let from = 0; from < addresses.length; from += 20)
    await Promise.all(
      addresses.slice(from, from + 20).map((address) => send(address, world.newPhone()).expect(200)),
    );
}

test('an IP address over its 120 requests cannot use up the codes of phones', async () => {
  await sendFrom(new Array<string>(120).fill('203.0.113.7'));
  const victim = world.newPhone();
  for (let time = 0; time < 6; time++) await send('203.0.113.7', victim).expect(429);
  await send('203.0.113.8', victim).expect(200);
});

test('addresses of one IPv6 network count as one', async () => {
  await sendFrom(Array.from({ length: 120 }, (_, at) => `2001:db8:1:2:${at.toString(16)}::1`));
  await send('2001:db8:1:2:ffff::9', world.newPhone()).expect(429);
  await send('2001:db8:1:3::9', world.newPhone()).expect(200);
});

/** Sends this many simultaneous requests; returns the count of each status. */
async function burst(count: number, address: string, token: string): Promise<Record<number, number>> {
  const tally: Record<number, number> = {};
  const answers = await Promise.all(Array.from({ length: count }, () => ask(address, token)));
  for (const { status } of answers) tally[status] = (tally[status] ?? 0) + 1;
  return tally;
}

/** Adds this many requests to everyone counted so far. */
const spend = (counter: string, points: number) =>
  collection('ratelimits').updateMany({ key: new RegExp(`^${counter}:`) }, { $inc: { points } });

const ask = (address: string, token: string) =>
  world.bearer(token).get('/api/study').set('X-Forwarded-For', address);

test('pending and rejected accounts have 600 requests a minute, from any address', async () => {
  for (const approvalStatus of ['PENDING', 'REJECTED'] as const) {
    const { token } = await world.person({ approvalStatus });
    expect(await burst(10, '203.0.113.20', token)).toEqual({ 403: 10 });
    await spend('requests', 580);
    expect(await burst(10, '203.0.113.20', token)).toEqual({ 403: 10 });
    const { headers } = await ask('203.0.113.21', token).expect(429);
    expect(Number(headers['retry-after'])).toBeGreaterThan(0);
    await world.bearer(token).get('/api/auth/session').set('X-Forwarded-For', '203.0.113.20').expect(429);
  }
}, 60_000);

test('invalid tokens are limited to 600 a minute per IP address, without affecting others there', async () => {
  const address = '203.0.113.30';
  const honest = await world.person();
  const formerPerson = await world.person();
  const late = formerPerson.token;
  expect(await burst(10, address, 'nonsense')).toEqual({ 401: 10 });
  await spend('unsigned', 580);
  expect(await burst(20, address, 'nonsense')).toEqual({ 401: 10, 429: 10 });
  await ask('203.0.113.31', 'nonsense').expect(401);
  await ask(address, honest.token).expect(200);
  await send(address, world.newPhone()).expect(200);
  await world.anonymous.get('/api/locations').set('X-Forwarded-For', address).expect(200);
  // Expired sessions must stay 401, otherwise the phone would never ask its owner to sign in.
  world.clock.advance(13 * 3_600_000);
  await ask(address, late).expect(401);
  world.clock.real();
  await world
    .person({ role: 'SUPER_ADMIN' })
    .then((root) => root.delete(`/api/users/${formerPerson.id}`).expect(204));
  await ask(address, late).expect(401);
  // It counts only for its owner.
  await spend('requests', 588);
  expect(await burst(12, '203.0.113.32', late)).toEqual({ 401: 10, 429: 2 });
}, 60_000);
