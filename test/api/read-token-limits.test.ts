import { worldOfFile } from '../people.ts';

const world = worldOfFile({ config: { rateLimits: true } });

test('a read token has a rate limit of its own, which its creator doesn’t share', async () => {
  const maker = await world.person({ role: 'SUPER_ADMIN' });
  const expiresOn = world.clock.now().toISOString().slice(0, 10);
  const { body } = await maker.post('/api/tokens', { name: 'R', scopes: ['RESULTS'], expiresOn }).expect(201);
  const program = world.bearer(body.token);
  const statuses = new Set<number>();
  for (let at = 0; at < 62; at += 1) statuses.add((await program.get('/api/analysis/outcomes')).status);
  expect([...statuses]).toEqual([200, 429]);
  await maker.get('/api/analysis/outcomes').expect(200);
});
