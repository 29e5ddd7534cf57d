/** People who may read only the numbers of their own site learn nothing about other sites from any request. */
import { people, refused } from '../api/kit.ts';
import { type Body, insertSurvey } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { chance, writeRandomStudy } from '../recruitment/random-study.ts';

const NOW = new Date('2027-03-22T19:00:00Z');
const ROUTES = ['summary', 'pace', 'sites', 'interviewers'];

let admin: Person;
let root: Person;
let sites: string[];

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set(NOW);
  ({ admin, root } = await people(world, await world.place()));
  await writeRandomStudy(world, chance(2), { now: NOW, days: 60, surveys: 300, validDays: 10 });
  sites = (await admin.get('/api/recruitment/sites').expect(200)).body.data.map((one: Body) => one.location);
});

const grant = async (conditions: string[] | null, subject = 'Recruitment') => {
  const person = await world.person({ role: 'VOLUNTEER', location: sites[1] as string });
  const permissions = conditions ? [{ action: 'read', subject, conditions }] : [];
  await root.patch(`/api/users/${person.id}`, { permissions }).expect(200);
  return person;
};

test('a manager can read the numbers of only their own site, whatever the parameters', async () => {
  const [other, own] = sites as [string, string];
  const manager = await world.person({ role: 'MANAGER', location: own });
  for (const route of ROUTES) {
    const url = `/api/recruitment/${route}`;
    const { body } = await manager.get(url).expect(200);
    const { asOf: _now, ...ownNumbers } = body;
    for (const site of sites.filter((one) => one !== own))
      expect(JSON.stringify(ownNumbers)).not.toContain(site);
    expect((await manager.get(`${url}?location=${own}`).expect(200)).body).toMatchObject(ownNumbers);
    for (const query of [`location=${other}`, `location=${'0'.repeat(24)}`])
      refused(await manager.get(`${url}?${query}`), 403);
    for (const query of [`location=${own}&location=${other}`, `location[$ne]=${own}`, 'site=all'])
      refused(await manager.get(`${url}?${query}`), 400, 'INVALID_QUERY');
  }
  for (const route of ['tree', 'chains'])
    refused(await manager.get(`/api/recruitment/${route}?seed=${other}`), 403);
  for (const path of ['outcomes', 'estimates?outcome=location', 'report', 'runs', 'counts'])
    refused(await manager.get(`/api/analysis/${path}`), 403);
});

test('a manager sees the numbers an admin sees for that site, without those that cross sites', async () => {
  const own = sites[1] as string;
  const manager = await world.person({ role: 'MANAGER', location: own });
  const both = async (path: string): Promise<[Body, Body]> => [
    (await manager.get(`/api/recruitment/${path}`).expect(200)).body,
    (await admin.get(`/api/recruitment/${path}${path.includes('?') ? '&' : '?'}location=${own}`).expect(200))
      .body,
  ];
  for (const path of ['summary', 'summary?from=2027-03-01&to=2027-03-15']) {
    const [ownNumbers, all] = await both(path);
    expect(Object.keys(ownNumbers).sort()).toEqual(
      ['alerts', 'alertsTotal', 'asOf', 'bySiteCoupons', 'byDay', 'timeZone', 'totals', 'waves'].sort(),
    );
    const { walkIns: _, ...totals } = all.totals;
    expect(ownNumbers).toMatchObject({ totals, byDay: all.byDay, waves: all.waves });
    expect(ownNumbers.totals.surveys).toBeGreaterThan(10);
    expect(ownNumbers.bySiteCoupons).toEqual(all.bySiteCoupons.filter((one: Body) => one.location === own));
    const ofSite = all.alerts.filter((one: Body) => one.location === own && one.kind !== 'SEED_DIED');
    // The code of an interview of another day is not for them.
    const withoutCode = { referralCode: null, message: expect.any(String) };
    expect(ownNumbers.alerts).toEqual(
      ofSite.map((one: Body) => ({ ...one, ...(one.kind === 'CODE_PRESENTED_TWICE' && withoutCode) })),
    );
    expect(JSON.stringify(ownNumbers.alerts)).not.toMatch(/R000/);
  }
  const [pace, ofAdmin] = await both('pace');
  expect({ ...pace, asOf: null }).toEqual({ ...ofAdmin, asOf: null });
  expect(pace.total).toBeGreaterThan(10);
  for (const path of ['sites', 'interviewers']) {
    const [ownNumbers, all] = await both(path);
    // The share of a total would reveal the numbers of other sites.
    const expectedRows = path === 'sites' ? all.data.map((row: Body) => ({ ...row, share: null })) : all.data;
    expect(ownNumbers.data).toEqual(expectedRows);
    expect(ownNumbers.data.length).toBeGreaterThan(0);
  }
});

test('a manager sees the numbers of their current site; without a site it is 403', async () => {
  const manager = await world.person({ role: 'MANAGER', location: sites[1] as string });
  const visibleSite = async () =>
    (await manager.get('/api/recruitment/sites').expect(200)).body.data[0].location;
  expect(await visibleSite()).toBe(sites[1]);
  world.clock.set(new Date(NOW.getTime() + 60_000));
  await insertSurvey(world, { createdBy: manager.id, location: sites[2] as string });
  expect(await visibleSite()).toBe(sites[2]);
  const nowhere = await world.person({ role: 'MANAGER', location: null });
  for (const route of ROUTES) refused(await nowhere.get(`/api/recruitment/${route}`), 403);
});

const withoutCodes = (body: Body): Body =>
  JSON.parse(
    JSON.stringify(body, (key, value) =>
      key === 'referralCode' ? null : key === 'message' ? undefined : value,
    ),
  );

test('a grant to read the board covers all sites or one’s own; names need permission to read users', async () => {
  for (const route of ROUTES) {
    const url = `/api/recruitment/${route}`;
    refused(await (await grant(null)).get(url), 403);
    refused(await (await grant(['WAS_CREATED_TODAY'])).get(url), 403);
    const all = (await (await grant([])).get(url).expect(200)).body;
    const expectedBody = (await admin.get(url).expect(200)).body;
    if (route === 'interviewers') expect(all.data[0]).toEqual({ ...expectedBody.data[0], name: null });
    else expect({ ...withoutCodes(all), asOf: null }).toEqual({ ...withoutCodes(expectedBody), asOf: null });
    // Codes are for those who may read them.
    expect(JSON.stringify(all)).not.toMatch(/R000/);
    const some = (await (await grant(['HAS_SAME_LOCATION'])).get(url).expect(200)).body;
    for (const site of sites.filter((one) => one !== sites[1]))
      expect(JSON.stringify(some)).not.toContain(site);
  }
});

test('a grant to read the audit log returns its events', async () => {
  refused(await (await grant(null)).get('/api/audit'), 403);
  const reader = await grant([], 'AuditEvent');
  expect((await reader.get('/api/audit').expect(200)).body.data.length).toBeGreaterThan(0);
});
