/** How often a phone may report. */
import { randomUUID } from 'node:crypto';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile({ config: { rateLimits: true } });

const send = async (person: Person, device: string) =>
  await person.post('/api/devices/report', {
    ...{ device, appVersion: '1.2.3', drafts: 0, unsent: 0, refused: 0 },
    ...{ oldestUnsentAt: null, codesLeft: 5, persisted: true },
  });

test('a person reports once a minute from a device, however many other people and devices report', async () => {
  const [ana, bo] = [await world.person(), await world.person()];
  const [phone, tablet] = [randomUUID(), randomUUID()];
  const statuses: number[] = [];
  for (const device of [phone, phone.toUpperCase(), phone]) statuses.push((await send(ana, device)).status);
  expect(statuses).toEqual([204, 429, 429]);
  const { headers } = await send(ana, phone);
  const seconds = Number(headers['retry-after']);
  expect(seconds).toBeGreaterThan(50);
  expect(seconds).toBeLessThanOrEqual(60);
  expect([(await send(ana, tablet)).status, (await send(bo, phone)).status]).toEqual([204, 204]);
});
