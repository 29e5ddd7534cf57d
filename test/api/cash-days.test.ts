/** Closing a day of a site's cash box: its figures, once, and what happens to payments on a closed day. */
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { owedTo, pay, setIncentives, USD } from './incentive-kit.ts';
import { castOfFile, collection, NOBODY, refused, refusedAt, submit, tally, times } from './kit.ts';

const cast = castOfFile();
beforeAll(() => setIncentives(cast, USD));
/** 10 a.m. in Los Angeles, where the study is. */
beforeEach(() => cast.world.clock.set('2027-03-01T18:00:00Z'));
afterAll(() => cast.world.clock.real());
const TODAY = '2027-03-01';

async function paid(location: string, fields: object = {}): Promise<string> {
  const [{ id }] = (await owedTo(cast, (await submit(cast)).id)) as [Body];
  await pay(cast.admin, id, { location, ...fields }).expect(200);
  return id;
}
const close = (person: Person, location: string, fields: object = {}) =>
  person.post('/api/cash-days', { location, day: TODAY, opening: '100.00', counted: '60.00', ...fields });
const reopen = (person: Person, id: string) =>
  person.post(`/api/cash-days/${id}/reopen`, { reason: 'counted twice' });
const list = async (person: Person, query: string) =>
  (await person.get(`/api/cash-days?${query}`).expect(200)).body;

describe('closing a day', () => {
  test('stores what was paid in cash there on that day, and what is missing', async () => {
    const [site, other] = [await cast.world.place(), await cast.world.place()];
    await paid(site);
    await paid(site);
    await paid(site, { method: 'GIFT_CARD' });
    await paid(other);
    cast.world.clock.set('2027-03-02T08:30:00Z');
    await paid(site);
    const { body } = await close(cast.admin, site, { counted: '55.00' }).expect(201);
    const gift = { method: 'GIFT_CARD', count: 1, total: '20.00' };
    expect(body).toEqual({
      ...{ id: expect.any(String), location: site, day: TODAY, currency: 'USD' },
      ...{ opening: '100.00', counted: '55.00', paid: '40.00', difference: '-5.00', paidNow: '40.00' },
      byMethod: [{ method: 'CASH', count: 2, total: '40.00' }, gift],
      ...{ state: 'CLOSED', closedBy: cast.admin.id, closedAt: '2027-03-02T08:30:00.000Z' },
      ...{ reopenedBy: null, reopenedAt: null, reason: null },
    });
    expect((await list(cast.admin, `location=${site}`)).data).toEqual([body]);
    const even = await close(cast.admin, await cast.world.place(), { counted: '100.00' }).expect(201);
    expect(even.body).toMatchObject({ paid: '0.00', difference: '0.00', byMethod: [] });
  });

  test('is refused a second time, until the day is reopened', async () => {
    const site = await cast.world.place();
    const first = await close(cast.admin, site).expect(201);
    refused(await close(cast.root, site, { counted: '61.00' }), 409, 'DAY_CLOSED');
    await close(cast.admin, site, { day: '2027-02-28' }).expect(201);
    const { body } = await reopen(cast.root, first.body.id).expect(200);
    const reopened = { reopenedBy: cast.root.id, reopenedAt: '2027-03-01T18:00:00.000Z' };
    expect(body).toEqual({ ...first.body, ...reopened, state: 'REOPENED', reason: 'counted twice' });
    refused(await reopen(cast.root, first.body.id), 409, 'INVALID_TRANSITION');
    const second = await close(cast.admin, site).expect(201);
    const { data } = await list(cast.admin, `location=${site}&from=${TODAY}&to=${TODAY}`);
    const states = data.map(({ id, state }: Body) => [id, state]);
    expect(Object.fromEntries(states)).toEqual({ [first.body.id]: 'REOPENED', [second.body.id]: 'CLOSED' });
  });

  test('by many people at once succeeds exactly once, also after it was reopened', async () => {
    const site = await cast.world.place();
    const all = () => Promise.all(times(10, (at) => close(at % 2 ? cast.admin : cast.root, site)));
    for (const _ of times(2, () => 0)) {
      const answers = await all();
      expect(tally(answers)).toEqual({ 201: 1, '409 DAY_CLOSED': 9 });
      const id = answers.find(({ status }) => status === 201)?.body.id;
      const reopened = await Promise.all(times(4, () => reopen(cast.admin, id)));
      expect(tally(reopened)).toEqual({ 200: 1, '409 INVALID_TRANSITION': 3 });
    }
    const events = await collection('auditevents').find({ subject: 'CashDay' }).toArray();
    expect(events.filter(({ location }) => String(location) === site)).toHaveLength(4);
  });

  test('keeps its figures when a payment is recorded or reopened later, and the reply adds the current ones', async () => {
    const site = await cast.world.place();
    const first = await paid(site);
    const { body } = await close(cast.admin, site, { counted: '80.00' }).expect(201);
    expect(body).toMatchObject({ paid: '20.00', difference: '0.00', paidNow: '20.00' });
    const currentDays = async () => (await list(cast.admin, `location=${site}`)).data;
    await paid(site);
    expect(await currentDays()).toEqual([{ ...body, paidNow: '40.00' }]);
    // An interview that a phone sends on the next day, with money handed over on the closed one.
    cast.world.clock.set('2027-03-02T18:00:00Z');
    const times = { startedAt: '2027-03-01T17:00:00Z', completedAt: '2027-03-01T17:30:00Z' };
    await submit(cast, { location: site, ...times, incentive: { method: 'CASH' } });
    expect(await currentDays()).toEqual([{ ...body, paidNow: '60.00' }]);
    await cast.admin.post(`/api/incentives/${first}/reopen`, { reason: 'wrong person' }).expect(200);
    expect(await currentDays()).toEqual([{ ...body, paidNow: '40.00' }]);
  });

  test('needs an existing site, a day that is not in the future, and amounts in the study’s currency', async () => {
    const site = await cast.world.place();
    refusedAt(await close(cast.admin, NOBODY), 'location');
    for (const day of ['2027-03-02', '2027-02-30', 'today'])
      refusedAt(await close(cast.admin, site, { day }), 'day');
    for (const amount of ['-1.00', '1', '1.5', '1.000', '', '1e3', 'abc', ' 1.00'])
      for (const field of ['opening', 'counted'])
        refusedAt(await close(cast.admin, site, { [field]: amount }), field);
    refusedAt(await close(cast.admin, site, { counted: 60 }), 'counted');
    await close(cast.admin, site, { opening: '0.00', counted: '123456.78' }).expect(201);
  });
});

describe('rights', () => {
  test('a manager closes and reopens the current day at their own site; a volunteer sees nothing', async () => {
    const [other, yesterday] = [await cast.world.place(), '2027-02-28'];
    refused(await close(cast.manager, other), 403);
    refused(await close(cast.manager, cast.site, { day: yesterday }), 403);
    refused(await close(cast.volunteer, cast.site), 403);
    refused(await cast.volunteer.get('/api/cash-days'), 403);
    await close(cast.admin, other).expect(201);
    await close(cast.admin, cast.site, { day: yesterday }).expect(201);
    const { body } = await close(cast.manager, cast.site).expect(201);
    expect((await list(cast.manager, '')).data).toEqual([body]);
    cast.world.clock.advance(24 * 3_600_000);
    expect((await list(cast.manager, '')).data).toEqual([]);
    refused(await reopen(cast.manager, body.id), 403);
    refused(await reopen(cast.admin, NOBODY), 404);
  });

  test('a person granted all payments may close any day; the trail shows who closed it', async () => {
    const permissions = [{ action: 'read', subject: 'Incentive', conditions: [] }];
    const treasurer = await cast.world.person({ role: 'VOLUNTEER', location: cast.site, permissions });
    const site = await cast.world.place();
    const { body } = await close(treasurer, site).expect(201);
    await reopen(treasurer, body.id).expect(200);
    const trail = await cast.admin.get(`/api/audit?record=${body.id}`).expect(200);
    expect(trail.body.data).toMatchObject([
      { action: 'update', reason: 'counted twice', changes: [{ path: 'state', after: 'REOPENED' }] },
      { action: 'create', subject: 'CashDay', by: treasurer.id, location: site },
    ]);
    expect(trail.body.data[1].names[body.id]).toMatchObject({ name: TODAY, location: site });
  });
});

test('the list has pages, and filters by site, state and days', async () => {
  const site = await cast.world.place();
  const days = ['2027-02-10', '2027-02-11', '2027-02-12'];
  for (const day of days) await close(cast.admin, site, { day }).expect(201);
  const [{ id }] = (await list(cast.admin, `location=${site}&to=2027-02-10`)).data;
  await reopen(cast.admin, id).expect(200);
  const listedDays = async (query: string) =>
    (await list(cast.admin, `location=${site}&${query}`)).data.map(({ day }: Body) => day).toSorted();
  expect(await listedDays('from=2027-02-11')).toEqual(days.slice(1));
  expect(await listedDays('from=2027-02-11&to=2027-02-11')).toEqual([days[1]]);
  expect(await listedDays('state=REOPENED')).toEqual([days[0]]);
  const first = await list(cast.admin, `location=${site}&limit=2&total=true`);
  expect(first).toMatchObject({ total: 3, nextCursor: expect.any(String) });
  const rest = await list(cast.admin, `location=${site}&limit=2&cursor=${first.nextCursor}`);
  expect([...first.data, ...rest.data].map(({ day }: Body) => day).toSorted()).toEqual(days);
  refused(await cast.admin.get('/api/cash-days?from=2027-02-02&to=2027-02-01'), 400, 'INVALID_QUERY');
});
