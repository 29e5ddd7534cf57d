/** An interview's site can be corrected, with a reason; money and figures follow, and nobody's current location. */
import type { Body } from '../make.ts';
import {
  castOfFile,
  collection,
  DAY,
  makeStudyOld,
  NOBODY,
  oid,
  read,
  refused,
  refusedAt,
  setStudy,
  submit,
} from './kit.ts';

const cast = castOfFile();
const reason = 'The wrong site was chosen.';
let there: string;
beforeAll(async () => {
  await makeStudyOld();
  there = await cast.world.place();
  const incentives = { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null };
  await setStudy(cast, { incentives });
});
const move = (survey: Body, by: typeof cast.root, location = there) =>
  by.patch(`/api/surveys/${survey.id}`, { location, reason });
const totalAt = async (location: string): Promise<number> =>
  (await cast.root.get(`/api/recruitment/summary?location=${location}`).expect(200)).body.totals.completed;

test('an admin corrects the site of today’s interview: incentives, coupons and figures follow, and the history shows it', async () => {
  const survey = await submit(cast);
  const [countHere, gained] = [await totalAt(cast.site), await totalAt(there)];
  const { body } = await move(survey, cast.admin).expect(200);
  expect(body).toMatchObject({ location: there, version: survey.version + 1 });
  expect([await totalAt(cast.site), await totalAt(there)]).toEqual([countHere - 1, gained + 1]);
  const own = { survey: oid(survey.id) };
  expect(await collection('incentives').findOne(own)).toMatchObject({ site: oid(there) });
  expect(await collection('referralcodes').findOne(own)).toMatchObject({ location: oid(there) });
  expect(await collection('seeds').findOne(own)).toMatchObject({ location: oid(there) });
  const { body: history } = await cast.root.get(`/api/surveys/${survey.id}/history`).expect(200);
  expect(history.at(-1)).toMatchObject({
    reason,
    by: cast.admin.id,
    changes: expect.arrayContaining([{ path: 'location', before: cast.site, after: there }]),
  });
  expect(JSON.stringify(history)).not.toContain('sentFrom');
  // What was paid stays where it was paid.
  const paid = await submit(cast, { incentive: { method: 'CASH' } });
  await move(paid, cast.admin).expect(200);
  expect(await collection('incentives').findOne({ survey: oid(paid.id) })).toMatchObject({
    ...{ location: oid(cast.site), site: oid(there) },
  });
});

test('it changes nobody’s current location, even after a second correction', async () => {
  const person = await cast.world.person({ location: null });
  const survey = await submit(cast, {}, person);
  const siteOf = async () => (await person.get('/api/auth/session').expect(200)).body.currentLocation;
  expect(await siteOf()).toBe(cast.site);
  await move(survey, cast.root).expect(200);
  expect(await siteOf()).toBe(cast.site);
  await move(survey, cast.root, await cast.world.place()).expect(200);
  expect(await siteOf()).toBe(cast.site);
});

test('only people who may update or review it at both sites may: neither the interviewer nor a manager of one site', async () => {
  const survey = await submit(cast);
  for (const by of [cast.volunteer, cast.manager]) refused(await move(survey, by), 403);
  const manager = await cast.world.person({ role: 'MANAGER', location: there });
  refused(await move(survey, manager), 403);
  expect((await read(cast, survey.id)).location).toBe(cast.site);
  const here = ['HAS_SAME_LOCATION'];
  const reviewer = async (conditions: string[]) =>
    await cast.world.person({
      location: cast.site,
      permissions: [{ action: 'review', subject: 'Survey', conditions }],
    });
  refused(await move(survey, await reviewer(here)), 403);
  await move(survey, await reviewer([])).expect(200);
});

test('on later days super-admins and reviewers may, admins may not', async () => {
  const survey = await submit(cast);
  const createdAt = new Date(Date.now() - 3 * DAY);
  await collection('surveys').updateOne({ _id: oid(survey.id) }, { $set: { createdAt } });
  refused(await move(survey, cast.admin), 403);
  const permissions = [{ action: 'review', subject: 'Survey', conditions: [] }];
  const reviewer = await cast.world.person({ permissions });
  await move(survey, reviewer).expect(200);
  await move(survey, cast.root, cast.site).expect(200);
});

test('needs a reason and an existing site', async () => {
  const survey = await submit(cast);
  const url = `/api/surveys/${survey.id}`;
  refusedAt(await cast.admin.patch(url, { location: there }), 'reason');
  for (const location of [NOBODY, 'x', null, { $ne: null }])
    refusedAt(await cast.admin.patch(url, { location, reason }), 'location');
});
