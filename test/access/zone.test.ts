/** The day used for rights, lists and the board is that of the study's time zone, also soon after a change of zone. */
import { setTimeout as wait } from 'node:timers/promises';
import mongoose from 'mongoose';
import { studyTimeZone } from '../../src/study/settings/time-zone.ts';
import { castOfFile, submit } from '../api/kit.ts';

const cast = castOfFile();

const board = async () => (await cast.admin.get('/api/recruitment/summary').expect(200)).body;

test('changing the study’s time zone moves the day for permissions, lists and the board', async () => {
  const { config } = cast.world.deps;
  expect((await board()).timeZone).toBe(config.timeZone);
  const survey = await submit(cast, {});
  const url = `/api/surveys/${survey.id}`;
  await cast.volunteer.get(url).expect(200);
  const at = new Date(survey.createdAt);
  const dayIn = (zone: string) => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(at);
  // Of these two zones, 26 hours apart, at least one always has a different day than here.
  const zones = ['Pacific/Kiritimati', 'Etc/GMT+12'];
  const [elsewhere = ''] = zones.filter((zone) => dayIn(zone) !== dayIn(config.timeZone));
  await cast.root.patch('/api/study', { timeZone: elsewhere }).expect(200);
  expect((await board()).timeZone).toBe(elsewhere);
  const listed = async (day: string) =>
    (await cast.root.get(`/api/surveys?from=${day}&to=${day}`).expect(200)).body.data.map(
      ({ id }: { id: string }) => id,
    );
  expect(await listed(dayIn(elsewhere))).toEqual([survey.id]);
  expect(await listed(dayIn(config.timeZone))).toEqual([]);
  const rules = JSON.stringify((await cast.volunteer.get('/api/auth/session').expect(200)).body.rules);
  const { start } = await boundsIn(elsewhere);
  expect(rules).toContain(start);
  await cast.root.patch('/api/study', { timeZone: null }).expect(200);
  expect((await board()).timeZone).toBe(config.timeZone);
  const [event] = (await cast.root.get('/api/audit?subject=Study').expect(200)).body.data;
  expect(event.changes).toEqual([{ path: 'timeZone', before: elsewhere, after: null }]);
});

const boundsIn = async (zone: string) => {
  const { dayBoundsAt } = await import('../../src/platform/lib/day.ts');
  return { start: dayBoundsAt(cast.world.deps.now(), zone).start.toISOString() };
};

test('a time zone changed by another process takes effect within two seconds', async () => {
  const config = { timeZone: 'UTC' };
  expect(await studyTimeZone(config)).toBe('UTC');
  await mongoose.connection.collection('studies').updateOne({}, { $set: { timeZone: 'Asia/Tokyo' } });
  await wait(1_100);
  expect(await studyTimeZone(config)).toBe('Asia/Tokyo');
});
