import mongoose from 'mongoose';
import { type Cast, makeStudyOld, people, refused } from '../api/kit.ts';
import { type Body, insertSurvey, makeSeed, makeSurvey } from '../make.ts';
import { ROLES, startWorld, type World } from '../people.ts';
import { type Counting, plainCount } from './plain-count.ts';
import { chance, DAY, writeRandomStudy } from './random-study.ts';

const URL = '/api/recruitment/summary';
const ZONE = 'America/Los_Angeles';
/** Clocks in Los Angeles went forward on the 14th. */
const NOW = new Date('2027-03-22T19:00:00Z');

let world: World;
let cast: Omit<Cast, 'world'>;

const start = async () => {
  world = await startWorld();
  world.clock.set(NOW);
  cast = await people(world, await world.place());
  await makeStudyOld();
};
const stop = () => world.stop();
/** A separate study for each test. */
const apart = () => {
  beforeEach(start);
  afterEach(stop);
};
/** One for all tests of a part, which add no interviews. */
const together = () => {
  beforeAll(start);
  afterAll(stop);
};

/** Alerts by subject; at most 50 of each kind are listed. */
function about(board: Body) {
  const of = (kind: string, field: string) =>
    board.alerts
      .filter((one: Body) => one.kind === kind)
      .map((one: Body) => one[field])
      .sort();
  return {
    SEED_DIED: of('SEED_DIED', 'seed'),
    SITE_NOT_RETURNING: of('SITE_NOT_RETURNING', 'location'),
    CODE_PRESENTED_TWICE: of('CODE_PRESENTED_TWICE', 'survey'),
  };
}

async function compare(query: string, counting: Partial<Counting> = {}) {
  const { body } = await cast.admin.get(URL + query).expect(200);
  const { asOf, timeZone, alerts: _, alertsTotal, ...numbers } = body;
  const { alerts, allChains: _all, ...expected } = await plainCount({ now: NOW, zone: ZONE, ...counting });
  expect(numbers).toEqual(expected);
  expect([asOf, timeZone]).toEqual([(counting.now ?? NOW).toISOString(), ZONE]);
  const alertsByKind = about(body);
  for (const kind of Object.keys(alerts) as (keyof typeof alerts)[]) {
    expect(alertsByKind[kind]).toHaveLength(Math.min(50, alerts[kind].length));
    expect(alerts[kind]).toEqual(expect.arrayContaining(alertsByKind[kind]));
  }
  expect(alertsTotal).toBe(Object.values(alerts).flat().length);
  return { body, alerts };
}

describe('the board’s numbers equal counts of the raw records', () => {
  apart();

  test.each([
    [1, null],
    [2, 10],
    [3, 45],
  ])('random study %i, coupons valid for %s days', async (start, validDays) => {
    await writeRandomStudy(world, chance(start), { now: NOW, days: 60, surveys: 500, validDays });
    const { body, alerts } = await compare('');
    // With coupons that expire soon, it has the data of each alert.
    if (validDays === 10)
      for (const kind of Object.keys(alerts) as (keyof typeof alerts)[])
        expect([kind, alerts[kind].length > 0]).toEqual([kind, true]);
    expect(body.totals.surveys).toBeGreaterThan(400);
    expect(body.totals.walkIns).toBeGreaterThan(10);
    expect(body.waves.at(-1).wave).toBeNull();
    expect(body.totals.notTakingPart).toBeGreaterThan(10);
    for (const kind of ['rejected', 'toReview', 'hasIssues'] as const)
      expect([kind, body.totals[kind] > 10]).toEqual([kind, true]);

    const site = body.bySiteCoupons[1].location;
    await compare(`?location=${site}`, { location: site });
    const from = new Date(NOW.getTime() - 20 * DAY);
    const to = new Date(NOW.getTime() - 3 * DAY);
    await compare(`?from=${from.toISOString()}&to=${to.toISOString()}`, { from, to });
    await compare(`?from=${from.toISOString()}&location=${site}`, { from, location: site });
    // Days from the start of one to the end of the other, with one hour less between them.
    await compare('?from=2027-03-10&to=2027-03-15', {
      from: new Date('2027-03-10T08:00:00Z'),
      to: new Date('2027-03-16T06:59:59.999Z'),
    });
  });
});

describe('the board counts coupons written by the service:', () => {
  apart();

  const days = (n: number) => new Date(NOW.getTime() + n * DAY);
  const codeOf = async (code: string) =>
    await mongoose.connection.collection('referralcodes').findOne({ code }, { projection: { _id: 0 } });
  const asAdmin = (fields: Record<string, unknown>) => makeSurvey(world, cast.root, fields);
  /** The board at a time of this test. */
  const boardAt = async (at: Date, site: string) => {
    world.clock.set(at);
    const from = new Date(at.getTime() - 100 * DAY);
    return await compare(`?from=${from.toISOString()}&location=${site}`, { from, location: site, now: at });
  };

  test('returned, reserved and voided coupons', async () => {
    const location = await world.place();
    const { referralCode } = await makeSeed(world, cast.root, { location });
    const { codes: block } = (await cast.root.post('/api/referral-codes/blocks', { count: 2 }).expect(201))
      .body;
    const first = await asAdmin({ location, referralCode, issuedCodes: [block[0]] });
    const [, other, lost] = first.issuedCodes;
    world.clock.set(days(2.5));
    const second = await asAdmin({ location: await world.place(), referralCode: other });
    await asAdmin({ location, referralCode: block[0] });
    await cast.root.patch(`/api/referral-codes/${lost}`, { void: true, reason: 'wet' }).expect(200);
    const { body } = await boardAt(days(3), location);
    expect(body.coupons).toMatchObject({ returned: 3, void: 1, reserved: 1 });
    expect(body.daysToReturn).toEqual([{ days: 2, coupons: 2 }]);
    expect(body.bySiteCoupons).toContainEqual({ location, issued: 6, returned: 2 });
    expect(await codeOf(second.issuedCodes[0])).toMatchObject({
      chain: new mongoose.Types.ObjectId(first.seed),
      wave: 1,
      location: new mongoose.Types.ObjectId(second.location),
    });
  });

  test('a reserved coupon counts as handed out by its interview’s date, whichever arrives first', async () => {
    const location = await world.place();
    const post = cast.root.post('/api/referral-codes/blocks', { count: 2 });
    const { codes: block } = (await post.expect(201)).body;
    world.clock.set(days(4));
    // Both recruits arrived four days and one day ago, before the interview that handed out their coupons.
    for (const referralCode of block) await asAdmin({ location, referralCode });
    await asAdmin({ location, issuedCodes: [block[0]], completedAt: days(0).toISOString() });
    await asAdmin({ location, issuedCodes: [block[1]], completedAt: days(3).toISOString() });
    const { body } = await boardAt(days(5), location);
    expect(body.daysToReturn).toEqual([
      { days: 1, coupons: 1 },
      { days: 4, coupons: 1 },
    ]);
  });

  test('coupons of interviews whose chain becomes known later', async () => {
    const location = await world.place();
    const { referralCode } = await makeSeed(world, cast.root, { location });
    const { codes: block } = (await cast.root.post('/api/referral-codes/blocks', { count: 1 }).expect(201))
      .body;
    // Wave 2 arrived before wave 1, and wave 1 before its code was known.
    const two = await asAdmin({ location, referralCode: block[0] });
    const three = await asAdmin({ location, referralCode: two.issuedCodes[0] });
    const one = await asAdmin({
      location,
      referralCode: 'nonsense',
      onCodeProblem: 'FLAG',
      issuedCodes: [block[0]],
    });
    for (const { issuedCodes } of [one, two, three])
      expect(await codeOf(issuedCodes.at(-1))).not.toHaveProperty('chain');
    await cast.root.patch(`/api/surveys/${one.id}`, { referralCode }).expect(200);
    const seed = new mongoose.Types.ObjectId((await cast.root.get(`/api/surveys/${one.id}`)).body.seed);
    for (const [wave, { issuedCodes }] of [one, two, three].entries())
      for (const code of issuedCodes) expect(await codeOf(code)).toMatchObject({ chain: seed, wave });
    const { body } = await boardAt(days(1), location);
    expect(body.chains[0]).toMatchObject({
      seed: String(seed),
      surveys: 3,
      liveCoupons: 7,
      productive: true,
      state: 'ALIVE',
    });
  });
});

describe('a study without interviews', () => {
  together();

  test('has a board of zeros', async () => {
    const { body } = await cast.admin.get(URL).expect(200);
    expect(body).toMatchObject({
      totals: {
        surveys: 0,
        completed: 0,
        inProgress: 0,
        notTakingPart: 0,
        walkIns: 0,
        flagged: 0,
        toReview: 0,
        hasIssues: 0,
        target: null,
      },
      byDay: [],
      waves: [],
      chains: [],
      chainsTotal: 0,
      seeds: { planned: 0, walkIn: 0, used: 0, unused: 0, productive: 0, silent: 0 },
      alerts: [],
      alertsTotal: 0,
    });
  });

  test('managers and volunteers without a site get 403', async () => {
    for (const role of ROLES) {
      const answer = await (await world.person({ role, location: null })).get(URL);
      if (role === 'ADMIN' || role === 'SUPER_ADMIN') expect(answer.status).toBe(200);
      else refused(answer, 403);
    }
  });

  test('an invalid query is 400', async () => {
    for (const query of ['?location=x', '?from=yesterday', '?from=2027-02-30', '?to[$gt]=1', '?sites=all'])
      refused(await cast.admin.get(URL + query), 400, 'INVALID_QUERY');
  });

  test('the target is the study’s target sample size', async () => {
    await cast.root.patch('/api/study', { targetSampleSize: 400 }).expect(200);
    const { body } = await cast.root.get(URL).expect(200);
    expect(body.totals.target).toBe(400);
    expect(await mongoose.connection.collection('studies').countDocuments()).toBe(1);
  });
});

describe('a rejected interview', () => {
  apart();

  it('is not in the sample or the target total, but keeps its place, coupons and recruits', async () => {
    const location = await world.place();
    const seed = await makeSeed(world, cast.admin, { location });
    const first = await makeSurvey(world, cast.volunteer, { location, referralCode: seed.referralCode });
    const second = await makeSurvey(world, cast.volunteer, { location, referralCode: first.issuedCodes[0] });
    const figures = async () => ({
      board: (await cast.admin.get(URL).expect(200)).body,
      pace: (await cast.admin.get('/api/recruitment/pace').expect(200)).body,
    });
    const before = await figures();
    const review = { state: 'REJECTED', comment: 'Made up.' };
    await cast.admin.post(`/api/surveys/${first.id}/review`, review).expect(200);
    const after = await figures();
    expect(after.board).toEqual({
      ...before.board,
      asOf: expect.any(String),
      totals: { ...before.board.totals, rejected: 1, toReview: 1 },
    });
    expect(after.board.totals).toMatchObject({ surveys: 2, completed: 2 });
    expect([before.pace.total, after.pace.total]).toEqual([2, 1]);
    const { body } = await cast.admin.get(`/api/surveys/${second.id}`).expect(200);
    expect(body).toMatchObject({ recruiter: first.id, wave: 1 });
    await makeSurvey(world, cast.volunteer, { location, referralCode: first.issuedCodes[1] });
    await cast.admin.post(`/api/surveys/${first.id}/review`, { state: 'APPROVED' }).expect(200);
    expect((await figures()).pace.total).toBe(3);
  });

  it('is counted separately in the report and its interviewer’s row', async () => {
    const location = await world.place();
    const first = await walkIn(location);
    await walkIn(location);
    await makeSurvey(world, cast.volunteer, { location, takesPart: false });
    const review = { state: 'REJECTED', comment: 'Made up.' };
    await cast.admin.post(`/api/surveys/${first.id}/review`, review).expect(200);
    const { body } = await cast.admin.get('/api/recruitment/interviewers').expect(200);
    expect(body.data).toMatchObject([{ interviews: 1, today: 1, last7: 1, refusals: 1, rejected: 1 }]);
    const { items } = (await cast.admin.get('/api/analysis/report').expect(200)).body;
    const stages = items.find(({ name }: Body) => name === 'Numbers at each stage');
    expect(stages.value).toEqual({
      ...{ approached: 3, notTakingPart: 1, unfinished: 0, completed: 2 },
      ...{ rejected: 1, enrolled: 1 },
    });
    expect(stages.text).toContain(
      '1 finished interview was rejected in review, and 1 person is in the sample',
    );
  });

  const walkIn = (location: string) => makeSurvey(world, cast.volunteer, { location });
});

describe('each response', () => {
  apart();

  test('reflects an interview stored, deleted or restored before', async () => {
    const surveys = async (query = '') => (await cast.root.get(URL + query).expect(200)).body.totals.surveys;
    expect(await surveys()).toBe(0);
    const id = await insertSurvey(world, { createdBy: cast.volunteer.id, location: cast.site });
    for (const query of ['', `?location=${cast.site}`]) expect(await surveys(query)).toBe(1);
    await cast.admin.delete(`/api/surveys/${id}`).expect(204);
    expect(await surveys()).toBe(0);
    await mongoose.connection
      .collection('surveys')
      .updateOne({ _id: new mongoose.Types.ObjectId(id) }, { $set: { deletedAt: null } });
    expect(await surveys()).toBe(1);
  });

  test('counts interviews to review and sent back until they are decided', async () => {
    const location = await world.place();
    const one = await makeSurvey(world, cast.volunteer, { location });
    await makeSurvey(world, cast.volunteer, { location, status: 'IN_PROGRESS' });
    const counts = async () => {
      const { toReview, hasIssues } = (await cast.admin.get(URL).expect(200)).body.totals;
      return { toReview, hasIssues };
    };
    const decide = (state: string) =>
      cast.admin.post(`/api/surveys/${one.id}/review`, { state, comment: 'Look again.' }).expect(200);
    expect(await counts()).toEqual({ toReview: 1, hasIssues: 0 });
    await decide('HAS_ISSUES');
    expect(await counts()).toEqual({ toReview: 0, hasIssues: 1 });
    await decide('APPROVED');
    expect(await counts()).toEqual({ toReview: 0, hasIssues: 0 });
  });
});
