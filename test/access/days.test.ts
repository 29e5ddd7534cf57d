/** "Today" is the calendar day of the zone, also where it has 23 or 25 hours and where midnight comes twice. */
import { insertSurvey, smallQuestionnaire } from '../make.ts';
import { type Person, startWorld, testConfig, type World } from '../people.ts';

const DAYS: Record<string, [title: string, start: string, end: string][]> = {
  'America/Los_Angeles': [
    ['an ordinary day', '2026-06-15T07:00:00.000Z', '2026-06-16T07:00:00.000Z'],
    ['the day of 23 hours', '2026-03-08T08:00:00.000Z', '2026-03-09T07:00:00.000Z'],
    ['the day of 25 hours', '2026-11-01T07:00:00.000Z', '2026-11-02T08:00:00.000Z'],
  ],
  'America/Havana': [
    ['the day whose midnight comes twice', '2026-11-01T04:00:00.000Z', '2026-11-02T05:00:00.000Z'],
    ['the day that starts at one o’clock', '2026-03-08T05:00:00.000Z', '2026-03-09T04:00:00.000Z'],
  ],
  'Asia/Kathmandu': [['a day with an odd offset', '2026-06-14T18:15:00.000Z', '2026-06-15T18:15:00.000Z']],
};

const FIVE_MINUTES = 5 * 60_000;

describe.each(Object.entries(DAYS))('in %s', (timeZone, days) => {
  let world: World;
  let site: string;
  let author: Person;

  beforeAll(async () => {
    world = await startWorld({ config: { ...testConfig(), timeZone } });
    await smallQuestionnaire(world);
    site = await world.place();
    author = await world.person({ location: site });
  });
  afterAll(() => world.stop());

  test.each(days)('%s lasts from %s to %s exclusive', async (_title, start, end) => {
    const [first, after] = [new Date(start).getTime(), new Date(end).getTime()];
    const dayAt = (time: number) => (time < first ? 'before' : time < after ? 'the day' : 'after');
    const records = [
      first - FIVE_MINUTES,
      first - 1,
      first,
      first + FIVE_MINUTES,
      after - FIVE_MINUTES,
      after - 1,
      after,
    ];
    const clocks = [
      first,
      first + FIVE_MINUTES,
      after - FIVE_MINUTES,
      after - 1,
      after,
      after + FIVE_MINUTES,
    ];
    for (const record of records) {
      const createdAt = new Date(record);
      const createdBy = author.id;
      const id = await insertSurvey(world, { createdBy, location: site, createdAt });
      for (const clock of clocks) {
        world.clock.set(new Date(clock));
        const sameDay = dayAt(record) === dayAt(clock);
        const { status } = await author.get(`/api/surveys/${id}`);
        const list = await author.get('/api/surveys?limit=200').expect(200);
        const listed = list.body.data.some((item: { id: string }) => item.id === id);
        const outcome = { record: createdAt, clock: new Date(clock), status, listed };
        expect(outcome).toEqual({ ...outcome, status: sameDay ? 200 : 403, listed: sameDay });
      }
    }
  });

  test.each(days)(
    'a manager can approve people created on %s only until it ends',
    async (_title, start, end) => {
      world.clock.set(start);
      const manager = await world.person({ role: 'MANAGER', location: site });
      const fresh = (createdAt: string | number) =>
        world.person({ approvalStatus: 'PENDING', location: site, createdAt: new Date(createdAt) });
      const approve = async (createdAt: string | number) =>
        (await manager.patch(`/api/users/${(await fresh(createdAt)).id}`, { approvalStatus: 'APPROVED' }))
          .status;

      expect(await approve(new Date(start).getTime() - 1)).toBe(403);
      expect(await approve(start)).toBe(200);
      world.clock.set(new Date(new Date(end).getTime() - 1));
      expect(await approve(start)).toBe(200);
      world.clock.set(end);
      expect(await approve(start)).toBe(403);
      expect(await approve(end)).toBe(200);
    },
  );
});
