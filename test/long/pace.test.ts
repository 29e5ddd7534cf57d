import { type Cast, makeStudyOld, people, refused } from '../api/kit.ts';
import { type Body, makeSurvey } from '../make.ts';
import { startWorld, type World } from '../people.ts';
import { plainInterviewers, plainPace, plainRecords, plainSites } from '../recruitment/plain-pace.ts';
import { chance, writeRandomStudy } from '../recruitment/random-study.ts';

const ZONE = 'America/Los_Angeles';
/** Clocks in Los Angeles went forward on the 14th. */
const NOW = new Date('2027-03-22T19:00:00Z');

let world: World;
let cast: Omit<Cast, 'world'>;

beforeEach(async () => {
  world = await startWorld();
  world.clock.set(NOW);
  cast = await people(world, await world.place());
  await makeStudyOld();
});
afterEach(() => world.stop());

const ask = async (path: string): Promise<Body> =>
  (await cast.admin.get(`/api/recruitment/${path}`).expect(200)).body;

/** Rounded to whole interviews, and t to a thousandth: a difference of one at most. */
function near(actual: Body, expected: Body) {
  for (const key of ['expected', 'low', 'high'])
    expect([key, Math.abs(actual[key] - expected[key]) <= 1]).toEqual([key, true]);
}

async function comparePace(
  query: string,
  request: { target: number | null; endsOn: string | null; site?: string },
) {
  const actual = await ask(`pace${query}`);
  const { forecast, coupons, pace, ...expected } = plainPace(await plainRecords(NOW, ZONE), NOW, request);
  expect(actual).toMatchObject(expected);
  expect(actual).toMatchObject({ day: '2027-03-22', timeZone: ZONE, location: request.site ?? null });
  expect(actual.pace.days).toBe(pace?.days);
  expect(actual.pace.perDay).toBeCloseTo(pace?.perDay ?? 0);
  const { returnRate, recruitsEach, ...counts } = coupons;
  expect(actual.coupons).toMatchObject(counts);
  if (returnRate !== null) expect(actual.coupons.returnRate).toBeCloseTo(returnRate);
  if (recruitsEach !== null) expect(actual.coupons.recruitsEach).toBeCloseTo(recruitsEach);
  const { days, perDay, dispersion, atEnd, targetMet } = actual.forecast;
  expect(days).toBe(forecast.days);
  expect([perDay, dispersion]).toEqual([
    expect.closeTo(forecast.perDay),
    expect.closeTo(forecast.dispersion),
  ]);
  if (forecast.atEnd) near(atEnd, forecast.atEnd);
  expect(targetMet).toEqual(forecast.targetMet);
  return actual;
}

test.each([
  [1, null],
  [2, 10],
  [3, 45],
])('pace, sites and interviewers of random study %i equal an independent count', async (start, validDays) => {
  await writeRandomStudy(world, chance(start), { now: NOW, days: 60, surveys: 500, validDays });
  await cast.admin.patch('/api/study', { targetSampleSize: 600, endsOn: '2027-04-20' }).expect(200);
  const pace = await comparePace('', { target: 600, endsOn: '2027-04-20' });
  expect(pace.forecast.days).toBe(28);
  expect(pace.forecast.path[0].day).toBe('2027-03-22');
  expect(pace.forecast.path.at(-1)).toMatchObject({ day: '2027-04-20', ...pace.forecast.atEnd });
  expect(pace.coupons.settled).toBeGreaterThan(10);

  const records = await plainRecords(NOW, ZONE);
  const { body: sites } = await cast.admin.get('/api/locations').expect(200);
  const expectedSites = plainSites(
    records,
    sites.data.map((one: Body) => one.id),
  );
  const rows = (await ask('sites')).data;
  expect(rows).toHaveLength(5);
  for (const [at, row] of rows.entries()) {
    const { usual, behind, share, ...counts } = expectedSites[at] as (typeof expectedSites)[number];
    expect(row).toMatchObject(counts);
    expect([row.usual, row.behind, row.share]).toEqual(
      [usual, behind, share].map((one) => expect.closeTo(one)),
    );
  }
  expect(rows[0].behind).toBeGreaterThan(0);

  const interviewers = (await ask('interviewers')).data;
  expect(interviewers.map(({ name: _, ...row }: Body) => row)).toEqual(plainInterviewers(records));
  expect(interviewers.map(({ name }: Body) => name)).toEqual(
    interviewers.map(() => expect.stringMatching(/\w+ \w+/)),
  );

  const site = rows[1].location;
  await comparePace(`?location=${site}`, { target: null, endsOn: '2027-04-20', site });
  expect((await ask(`sites?location=${site}`)).data).toEqual([rows[1]]);
  expect((await ask(`interviewers?location=${site}`)).data.map(({ name: _, ...row }: Body) => row)).toEqual(
    plainInterviewers(records, site),
  );
});

describe('daily figures', () => {
  const insertInterview = async (startedAt: string, fields: object = {}) =>
    await makeSurvey(world, cast.root, { location: cast.site, startedAt, completedAt: startedAt, ...fields });

  test('days are in the study’s time zone; interviews with a wrong clock count on arrival', async () => {
    // 23:30 and 00:30 around the start of the 14th, which skips an hour, and 23:30 on it.
    for (const at of ['2027-03-14T07:30:00Z', '2027-03-14T08:30:00Z', '2027-03-15T06:30:00Z'])
      await insertInterview(at);
    await insertInterview('2019-01-01T12:00:00Z');
    expect((await ask('pace')).byDay).toEqual([
      { day: '2027-03-13', surveys: 1 },
      { day: '2027-03-14', surveys: 2 },
      { day: '2027-03-22', surveys: 1 },
    ]);
    expect((await ask('sites')).data.find((one: Body) => one.location === cast.site)).toMatchObject({
      today: 1,
      last7: 1,
      before7: 3,
    });
  });

  test('the share of skipped questions includes only questions asked of everyone', async () => {
    await insertInterview('2027-03-20T18:00:00Z', { responses: { networkSize: 3 } });
    await insertInterview('2027-03-20T19:00:00Z');
    // The remark is a text that not everyone is asked, so it has no condition.
    expect((await ask('interviewers')).data).toEqual([
      expect.objectContaining({ id: cast.root.id, interviews: 2, asked: 4, skipped: 1, skippedShare: 0.25 }),
    ]);
  });
});

test('without an end date the target is due on the last day of the interview period', async () => {
  const set = (body: object) => cast.admin.patch('/api/study', body).expect(200);
  await set({ targetSampleSize: 600, endsOn: null, dueTo: '2027-04-20' });
  expect(await ask('pace')).toMatchObject({ endsOn: '2027-04-20', daysLeft: 30 });
  await set({ endsOn: '2027-03-31' });
  expect(await ask('pace')).toMatchObject({ endsOn: '2027-03-31', daysLeft: 10 });
  await set({ endsOn: null, dueTo: null });
  expect(await ask('pace')).toMatchObject({ endsOn: null, daysLeft: null });
});

test('an invalid query is 400', async () => {
  for (const path of ['pace?location=x', 'sites?cursor=e30', 'interviewers?sort=name', 'sites?limit=0'])
    refused(await cast.admin.get(`/api/recruitment/${path}`), 400, 'INVALID_QUERY');
  const { body } = await cast.admin.get('/api/recruitment/sites?limit=1&total=true').expect(200);
  expect([body.data.length, body.total, body.nextCursor]).toEqual([1, 1, null]);
});
