/** Limits that one attacker would like to pass, or to spend for others. */
import { authPost } from '../api/user-kit.ts';
import { startWorld, testConfig, type World } from '../people.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld({ config: { ...testConfig(), rateLimits: true, trustProxy: true } });
});
afterAll(() => world.stop());

const send = (address: string, phone: string) =>
  authPost(world, 'send-otp-signup', { phone }).set('X-Forwarded-For', address);

test('an address that has had its 30 can not use up the codes of phones', async () => {
  for (let time = 0; time < 30; time++) await send('203.0.113.7', world.newPhone()).expect(200);
  const victim = world.newPhone();
  for (let time = 0; time < 6; time++) await send('203.0.113.7', victim).expect(429);
  await send('203.0.113.8', victim).expect(200);
});

test('the addresses of one IPv6 network, all held by one customer, count as one', async () => {
  for (let time = 0; time < 30; time++) {
    await send(`2001:db8:1:2:${time.toString(16)}::1`, world.newPhone()).expect(200);
  }
  await send('2001:db8:1:2:ffff::9', world.newPhone()).expect(429);
  await send('2001:db8:1:3::9', world.newPhone()).expect(200);
});
