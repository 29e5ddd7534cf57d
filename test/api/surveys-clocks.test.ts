/** Phones whose clocks are slow: an interview can't begin before its coupon, questionnaire, interviewer or study existed. */
import { randomUUID } from 'node:crypto';
import { type Body, smallQuestionnaire } from '../make.ts';
import {
  castOfFile,
  collection,
  DAY,
  draft,
  flagsOf,
  HOUR,
  makeStudyOld,
  oid,
  people,
  read,
  reserve,
  seedCode,
  setStudy,
  submit,
} from './kit.ts';

const cast = castOfFile();
const NOW = Date.parse('2027-08-11T18:00:00Z');
const ago = (milliseconds: number) => new Date(NOW - milliseconds);
const MINUTES = 60_000;
const NEW = { currency: 'USD', interview: '30.00', recruit: '15.00', recruitLimit: null };

/** A study of a hundred days ago whose amounts are of yesterday. */
beforeAll(async () => {
  cast.world.clock.set(ago(DAY));
  Object.assign(cast, await people(cast.world, cast.site));
  await smallQuestionnaire(cast.world);
  await makeStudyOld(ago(100 * DAY));
  await setStudy(cast, { incentives: NEW, couponStartsAfterHours: 0 });
  cast.world.clock.set(ago(0));
});
beforeEach(() => cast.world.clock.set(ago(0)));

const times = (startedAt: Date) => ({
  startedAt,
  completedAt: new Date(Math.min(startedAt.getTime() + 30 * MINUTES, NOW)),
});
const owed = async (id: string): Promise<string[]> =>
  (await cast.root.get(`/api/incentives?survey=${id}`).expect(200)).body.data
    .map(({ kind, amount }: Body) => `${kind} ${amount}`)
    .sort();
const couponOf = async (of: string) => await collection('referralcodes').findOne({ code: of });
const counted = async (id: string) => await collection('surveys').findOne({ _id: oid(id) });

/** Counted and paid by arrival. */
async function expectOdd(survey: Body): Promise<void> {
  expect(flagsOf(survey)).toContain('CLOCK_ODD');
  expect(survey.heldAt).toBe(survey.createdAt);
  expect(await owed(survey.id)).toEqual(expect.arrayContaining(['INTERVIEW 30.00']));
}

async function expectRight(survey: Body): Promise<void> {
  expect(flagsOf(survey)).not.toContain('CLOCK_ODD');
  expect(survey.heldAt).toBe(survey.startedAt);
}

describe('an interview with a coupon that was handed out a moment ago', () => {
  const recruitAt = async (startedAt: Date, fields: object = {}) => {
    const recruiter = await submit(cast);
    const [referralCode] = recruiter.issuedCodes;
    return { recruiter, recruit: await submit(cast, { referralCode, ...times(startedAt), ...fields }) };
  };

  test.each([25, 200])('by a clock that is %i days slow is counted and paid by arrival', async (days) => {
    const { recruiter, recruit } = await recruitAt(ago(days * DAY));
    await expectOdd(recruit);
    expect(await owed(recruiter.id)).toEqual(['INTERVIEW 30.00', 'RECRUIT 15.00']);
    const code = await couponOf(recruit.referralCode);
    expect(code).toMatchObject({ returnedAt: ago(0), daysOut: 0 });
    // The coupons that it handed out are valid from its arrival.
    expect(await couponOf(recruit.issuedCodes[0])).toMatchObject({ handedOutAt: ago(0) });
  });

  test('is on time up to six hours before, and not a millisecond more', async () => {
    await expectRight((await recruitAt(ago(6 * HOUR))).recruit);
    await expectOdd((await recruitAt(ago(6 * HOUR + 1))).recruit);
  });

  test('keeps its coupon although coupons are not valid at once', async () => {
    await setStudy(cast, { couponStartsAfterHours: 2, couponValidDays: 7 });
    const recruiter = await submit(cast);
    await setStudy(cast, { couponStartsAfterHours: 0, couponValidDays: null });
    cast.world.clock.set(new Date(NOW + 3 * HOUR));
    const referralCode = recruiter.issuedCodes[0];
    const recruit = await submit(cast, { referralCode, ...times(ago(25 * DAY)) });
    expect(recruit).toMatchObject({ referralCode, recruiter: recruiter.id });
    expect(flagsOf(recruit)).toEqual(['CLOCK_ODD']);
  });

  test('is checked even if the coupon is refused as used', async () => {
    const { recruit } = await recruitAt(ago(0));
    const second = await submit(cast, {
      referralCode: recruit.referralCode,
      onCodeProblem: 'FLAG',
      ...times(ago(25 * DAY)),
    });
    expect(flagsOf(second)).toEqual(['CLOCK_ODD', 'REFERRAL_CODE_USED']);
    await expectOdd(second);
  });

  test('is corrected with its incentives and coupons if it gets the coupon later', async () => {
    const [code] = await reserve(cast.volunteer, 1);
    const recruiter = await submit(cast);
    const survey = await submit(cast, {
      ...times(ago(25 * DAY)),
      issuedCodes: [code],
      referralCode: 'ABCDEFGD',
      onCodeProblem: 'FLAG',
    });
    expect(flagsOf(survey)).not.toContain('CLOCK_ODD');
    expect(await owed(survey.id)).toEqual([]);
    const [referralCode] = recruiter.issuedCodes;
    const { body } = await cast.root.patch(`/api/surveys/${survey.id}`, { referralCode }).expect(200);
    await expectOdd(body);
    expect(await owed(recruiter.id)).toContain('RECRUIT 15.00');
    expect(await couponOf(referralCode)).toMatchObject({ returnedAt: ago(0), daysOut: 0 });
    expect(await couponOf(code ?? '')).toMatchObject({ handedOutAt: ago(0) });
    // Clearing the flag does not turn the clock back.
    await cast.root.patch(`/api/surveys/${survey.id}`, { clearFlags: ['CLOCK_ODD'] }).expect(200);
    expect(await read(cast, survey.id)).toMatchObject({ flags: [], heldAt: body.createdAt });
  });

  test('is corrected if it takes over the coupon', async () => {
    const { recruit: giver } = await recruitAt(ago(0));
    const survey = await submit(cast, times(ago(25 * DAY)));
    const _id = oid(survey.id);
    const flags = [{ code: 'REFERRAL_CODE_USED', referralCode: giver.referralCode, at: ago(0) }];
    const none = { referralCode: null, seed: null, recruiter: null, wave: null };
    await collection('surveys').updateOne({ _id }, { $set: { ...none, flags } });
    const url = `/api/surveys/${survey.id}/take-code`;
    const { body } = await cast.root.post(url, { from: giver.id, reason: 'Copied.' }).expect(200);
    await expectOdd(body);
    expect(await couponOf(giver.referralCode)).toMatchObject({ returnedAt: ago(0) });
  });
});

describe('a coupon that was redeemed before its recruiter’s interview arrived', () => {
  /** The code was reserved 40 days ago, and is handed out an hour ago. */
  async function pending(startedAt: Date, recruiterTimes: object = {}) {
    const [code = ''] = await reserve(cast.volunteer, 1);
    await collection('referralcodes').updateOne({ code }, { $set: { createdAt: ago(40 * DAY) } });
    const recruit = await submit(cast, { referralCode: code, ...times(startedAt) });
    expect(flagsOf(recruit)).toEqual(['RECRUITER_PENDING']);
    const interviewTimes = { startedAt: ago(2 * HOUR), completedAt: ago(HOUR), ...recruiterTimes };
    const recruiter = await submit(cast, { issuedCodes: [code], ...interviewTimes });
    return { code, recruiter, recruit: await read(cast, recruit.id) };
  }

  test('shows a slow clock once it has arrived, and both are paid', async () => {
    const { code, recruiter, recruit } = await pending(ago(25 * DAY));
    await expectOdd(recruit);
    expect(recruit.recruiter).toBe(recruiter.id);
    expect(await owed(recruiter.id)).toEqual(['INTERVIEW 30.00', 'RECRUIT 15.00']);
    expect(await couponOf(code)).toMatchObject({ returnedAt: ago(0), daysOut: 0 });
    const { body } = await cast.root.get(`/api/surveys/${recruit.id}/history`).expect(200);
    expect(body.flatMap(({ changes }: Body) => changes.map(({ path }: Body) => path))).toContain('heldAt');
  });

  test('shows nothing if the recruit’s clock was right, whatever the recruiter’s', async () => {
    await expectRight((await pending(ago(20 * MINUTES))).recruit);
    const slow = { startedAt: ago(400 * DAY), completedAt: ago(399 * DAY) };
    await expectRight((await pending(ago(12 * HOUR), slow)).recruit);
  });
});

describe('an interview that began', () => {
  const later = async (name: string, by: object, createdAt: Date) =>
    await collection(name).updateOne(by, { $set: { createdAt } });

  test('before its interviewer’s account was created is counted by arrival, also if imported for a deleted one', async () => {
    const person = await cast.world.person({ role: 'VOLUNTEER', createdAt: ago(5 * DAY) });
    await expectRight(await submit(cast, times(ago(4 * DAY)), person));
    await expectOdd(await submit(cast, times(ago(6 * DAY)), person));
    await cast.root.delete(`/api/users/${person.id}`).expect(204);
    const surveys = [draft(cast, { clientId: randomUUID(), ...times(ago(6 * DAY)) })];
    const { body } = await cast.admin.post('/api/surveys/import', { owner: person.id, surveys }).expect(200);
    await expectOdd(await read(cast, body.data[0].id));
  });

  test('before its questionnaire version was posted is counted by arrival', async () => {
    const id = await smallQuestionnaire(cast.world);
    const { body } = await cast.root.get(`/api/questionnaires/${id}`).expect(200);
    const { name, definition, networkSizeQuestion } = body;
    const version = await cast.root
      .post('/api/questionnaires', { name, definition, networkSizeQuestion })
      .expect(201);
    const questionnaire = version.body.id;
    await expectOdd(await submit(cast, { questionnaire, ...times(ago(2 * DAY)) }));
    await expectRight(await submit(cast, { questionnaire, ...times(ago(2 * HOUR)) }));
    await expectRight(await submit(cast, times(ago(2 * DAY))));
  });

  test('before the study was created is counted by arrival', async () => {
    await later('studies', {}, ago(10 * DAY));
    await expectRight(await submit(cast, times(ago(9 * DAY))));
    await expectOdd(await submit(cast, times(ago(11 * DAY))));
    await later('studies', {}, ago(100 * DAY));
  });

  test('before a seed’s coupon, a printed or a reserved one existed is counted by arrival', async () => {
    const batch = await cast.admin
      .post('/api/referral-codes/batches', { count: 1, location: cast.site })
      .expect(201);
    const codes = [await seedCode(cast), batch.body.codes[0], ...(await reserve(cast.volunteer, 1))];
    for (const referralCode of codes)
      await expectOdd(await submit(cast, { referralCode, ...times(ago(2 * DAY)) }));
  });

  test('days ago with nothing to contradict it keeps its time', async () => {
    const survey = await submit(cast, times(ago(20 * DAY)));
    await expectRight(survey);
    expect((await counted(survey.id))?.heldAt).toEqual(ago(20 * DAY));
  });
});

test('the board counts an interview with a slow clock on the day it arrived, and one with a fast clock no later', async () => {
  const completed = async (): Promise<number> =>
    (await cast.root.get('/api/recruitment/summary?from=2027-08-11&to=2027-08-11').expect(200)).body.totals
      .completed;
  const before = await completed();
  const referralCode = await seedCode(cast);
  await submit(cast, { referralCode, ...times(ago(200 * DAY)) });
  await submit(cast, { startedAt: new Date(NOW + 5 * DAY), completedAt: new Date(NOW + 6 * DAY) });
  expect((await completed()) - before).toBe(2);
});
