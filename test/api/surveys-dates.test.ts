/**
 * A coupon's dates are compared with the start of the interview, however late it arrives; an implausible clock is
 * flagged; and a reviewer can accept a coupon despite its dates, with a reason.
 */
import mongoose from 'mongoose';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import {
  type Cast,
  castOfFile,
  DAY,
  flagsOf,
  HOUR,
  makeStudyOld,
  people,
  read,
  refused,
  refusedAt,
  reserve,
  seedCode,
  setStudy,
  submit,
} from './kit.ts';

const cast = castOfFile();
/** Sets the clock and returns people created on that day, because rights depend on the day. */
const at = async (when: Date | string | number): Promise<Cast> => {
  cast.world.clock.set(new Date(when));
  return { world: cast.world, ...(await people(cast.world, cast.site, new Date('2020-01-01'))) };
};
const MARCH = Date.parse('2027-03-01T18:00:00Z');
const day = (n: number) => new Date(MARCH + n * DAY);
const later = (from: Date, milliseconds: number) => new Date(from.getTime() + milliseconds);

beforeAll(() => makeStudyOld());
beforeEach(async () => {
  await at(MARCH);
  await setStudy(cast, { couponsPerSurvey: 3, couponValidDays: 7, couponStartsAfterHours: 2 });
});

/** A coupon handed out at `MARCH`: valid from two hours later, for seven days. */
async function coupon(): Promise<string> {
  cast.world.clock.set(new Date(MARCH));
  const { issuedCodes } = await submit(await at(MARCH));
  return issuedCodes[0];
}
const FROM = later(day(0), 2 * HOUR);
const UNTIL = later(FROM, 7 * DAY);

/** Sends an interview that began at `startedAt` and arrives at `arrival`; returns the response. */
async function send(arrival: Date, startedAt: Date | undefined, fields: Record<string, unknown>) {
  const { volunteer } = await at(arrival);
  const body = { location: cast.site, responses: { networkSize: 12 }, ...fields };
  return await volunteer.post('/api/surveys', startedAt ? { ...body, startedAt } : body);
}

describe('coupon dates', () => {
  test.each([
    ['while the coupon is valid, received at once', 3, day(3), 201],
    ['while the coupon is valid, received weeks later', 60, day(3), 201],
    ['at the coupon’s first moment', 60, FROM, 201],
    ['a millisecond before the coupon’s first moment', 60, later(FROM, -1), 'REFERRAL_CODE_NOT_YET'],
    ['in the coupon’s last millisecond', 60, later(UNTIL, -1), 201],
    ['at the coupon’s end', 60, UNTIL, 'REFERRAL_CODE_EXPIRED'],
    ['after the coupon’s end', 60, day(20), 'REFERRAL_CODE_EXPIRED'],
    ['in the future, received while the coupon is valid', 3, day(30), 201],
    ['in the future, received after the coupon’s end', 20, day(300), 'REFERRAL_CODE_EXPIRED'],
    ['without a time, received while the coupon is valid', 3, undefined, 201],
    ['without a time, received after the coupon’s end', 20, undefined, 'REFERRAL_CODE_EXPIRED'],
  ])('an interview that began %s', async (_title, arrival, startedAt, expected) => {
    const referralCode = await coupon();
    const answer = await send(day(arrival), startedAt, { referralCode });
    if (expected === 201) expect([answer.status, answer.body.referralCode]).toEqual([201, referralCode]);
    else refused(answer, 409, String(expected));
    if (expected === 201) return;
    const flaggedResponse = await send(day(arrival), startedAt, { referralCode, onCodeProblem: 'FLAG' });
    expect([flaggedResponse.status, flagsOf(flaggedResponse.body)]).toEqual([201, [expected]]);
  });

  test('completedAt without startedAt is also the start', async () => {
    const referralCode = await coupon();
    const answer = await send(day(60), undefined, { referralCode, completedAt: day(3) });
    expect([answer.status, answer.body.startedAt]).toEqual([201, day(3).toISOString()]);
  });

  test('a start before the coupon was handed out counts as the time it was handed out', async () => {
    const referralCode = await coupon();
    // No time is needed here before it is good.
    await mongoose.connection
      .collection('referralcodes')
      .updateOne({ code: referralCode }, { $set: { validFrom: day(0) } });
    const answer = await send(day(1), day(-5), { referralCode });
    expect([answer.status, answer.body.startedAt]).toEqual([201, day(-5).toISOString()]);
    expect(answer.body.referralCode).toBe(referralCode);
  });

  test('a reserved coupon is handed out when the interview ended, but not before it was created', async () => {
    const { volunteer } = await at(MARCH);
    const [code] = await reserve(volunteer, 1);
    cast.world.clock.set(day(10));
    const interview = { startedAt: day(-3), completedAt: later(day(-3), HOUR), issuedCodes: [code] };
    const { status } = await volunteer.post('/api/surveys', {
      location: cast.site,
      responses: { networkSize: 12 },
      ...interview,
    });
    expect(status).toBe(201);
    const stored = await mongoose.connection.collection('referralcodes').findOne({ code });
    expect(stored).toMatchObject({ handedOutAt: day(0), validFrom: FROM, expiresAt: UNTIL });
  });

  test('a seed’s code has no dates', async () => {
    const referralCode = await seedCode(await at(MARCH));
    expect((await send(day(400), day(1), { referralCode })).status).toBe(201);
  });

  test.each([
    // Clocks in Los Angeles go forward on 14 March 2027 and back on 7 November.
    ['forward', '2027-03-13T20:00:00Z'],
    ['back', '2027-11-06T20:00:00Z'],
  ])('a coupon day is 24 hours when clocks go %s', async (_way, begin) => {
    await at(begin);
    await setStudy(cast, { couponValidDays: 1, couponStartsAfterHours: 0 });
    const end = later(new Date(begin), DAY);
    for (const [startedAt, expected] of [
      [later(end, -1), 201],
      [end, 409],
    ] as const) {
      const { issuedCodes } = await submit(await at(begin));
      expect((await send(later(end, 40 * DAY), startedAt, { referralCode: issuedCodes[0] })).status).toBe(
        expected,
      );
    }
  });
});

describe('CLOCK_ODD', () => {
  const stored = async (startedAt: Date | undefined, completedAt?: Date, fields = {}) => {
    const { status, body } = await send(day(0), startedAt, {
      ...(completedAt ? { completedAt } : {}),
      ...fields,
    });
    expect(status).toBe(201);
    return body as Body;
  };
  const year = (more: number) => new Date(MARCH - 365 * DAY - more);

  test.each([
    ['exactly 365 days before it was received', year(0), undefined, []],
    ['a millisecond more', year(1), undefined, ['CLOCK_ODD']],
    ['in 1970', new Date(0), new Date(HOUR), ['CLOCK_ODD']],
    ['and ended in the same moment', day(-1), day(-1), []],
    ['a millisecond after it ended', day(-1), later(day(-1), -1), ['CLOCK_ODD']],
    ['in the future, and ended later', day(1), day(2), []],
  ])('an interview that began %s', async (_title, startedAt, completedAt, expectedFlags) => {
    const survey = await stored(startedAt, completedAt);
    expect(flagsOf(survey)).toEqual(expectedFlags);
    // Past times are kept as sent.
    if (startedAt <= day(0)) expect(survey.startedAt).toBe(startedAt.toISOString());
    if (completedAt && completedAt <= day(0)) expect(survey.completedAt).toBe(completedAt.toISOString());
  });

  test('is set along with a code flag, and for an interview in progress', async () => {
    const fields = { referralCode: 'ABCDEFGD', onCodeProblem: 'FLAG' };
    expect(flagsOf(await stored(year(1), undefined, fields))).toEqual([
      'CLOCK_ODD',
      'REFERRAL_CODE_MALFORMED',
    ]);
    expect(flagsOf(await stored(year(1), undefined, { status: 'IN_PROGRESS' }))).toEqual(['CLOCK_ODD']);
  });

  test('can be filtered by, and cleared by people who may update the survey', async () => {
    const crew = await at(day(0));
    const survey = await submit(crew, { startedAt: year(1) });
    const { body } = await crew.admin.get('/api/surveys?flag=CLOCK_ODD&limit=200').expect(200);
    expect(body.data.map((one: Body) => one.id)).toContain(survey.id);
    const other = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
    refused(await other.patch(`/api/surveys/${survey.id}`, { clearFlags: ['CLOCK_ODD'] }), 403);
    const cleared = await crew.volunteer
      .patch(`/api/surveys/${survey.id}`, { clearFlags: ['CLOCK_ODD'], reason: 'The phone was new.' })
      .expect(200);
    expect(cleared.body).toMatchObject({ flags: [], startedAt: year(1).toISOString() });
  });

  test('leaves coupons valid from the time received, so that no one is turned away', async () => {
    const { volunteer } = await at(MARCH);
    const [code] = await reserve(volunteer, 1);
    cast.world.clock.set(day(1));
    const times = { startedAt: new Date(0), completedAt: new Date(HOUR) };
    await volunteer
      .post('/api/surveys', {
        location: cast.site,
        responses: { networkSize: 1 },
        issuedCodes: [code],
        ...times,
      })
      .expect(201);
    expect((await send(day(2), undefined, { referralCode: code })).status).toBe(201);
  });
});

describe('a reason', () => {
  const history = async (crew: Cast, id: string) =>
    (await crew.root.get(`/api/surveys/${id}/history`).expect(200)).body as Body[];

  test('is stored with the change and shown in the history', async () => {
    const crew = await at(MARCH);
    const { id } = await submit(crew);
    await crew.volunteer.patch(`/api/surveys/${id}`, { responses: { networkSize: 3 } }).expect(200);
    const reason = 'She had counted herself.';
    const change = { responses: { networkSize: 2 }, reason: `  ${reason} ` };
    const { body } = await crew.volunteer.patch(`/api/surveys/${id}`, change).expect(200);
    expect(body).not.toHaveProperty('reason');
    expect((await history(crew, id)).map((one) => one.reason)).toEqual([undefined, reason]);
  });

  test('needs a change and has 1 to 500 characters', async () => {
    const { volunteer, ...crew } = await at(MARCH);
    const { id } = await submit({ volunteer, ...crew });
    const patch = (body: object) => volunteer.patch(`/api/surveys/${id}`, body);
    refused(await patch({ reason: 'So.' }), 400, 'VALIDATION_ERROR');
    for (const reason of ['', '   ', 'x'.repeat(501), null, 5])
      refusedAt(await patch({ responses: { networkSize: 3 }, reason }), 'reason');
    await patch({ responses: { networkSize: 3 }, reason: 'x'.repeat(500) }).expect(200);
  });

  describe('allows a coupon despite its dates', () => {
    /** Stored on day 20 without its coupon, which had expired by then. */
    async function flagged(startedAt = day(19), by?: (crew: Cast) => Person) {
      const referralCode = await coupon();
      const crew = await at(day(20));
      const body = { referralCode, startedAt, onCodeProblem: 'FLAG' };
      const survey = await submit(crew, body, by?.(crew) ?? crew.volunteer);
      expect(survey.referralCode).toBeNull();
      return { crew, survey, referralCode, url: `/api/surveys/${survey.id}` };
    }
    const reason = 'She was there in time; we had closed early.';

    test.each(['root', 'admin', 'manager'] as const)(
      'from people who may review the survey: %s',
      async (who) => {
        const { crew, url, survey, referralCode } = await flagged();
        refused(await crew[who].patch(url, { referralCode }), 409, 'REFERRAL_CODE_EXPIRED');
        const { body } = await crew[who].patch(url, { referralCode, reason }).expect(200);
        expect(body).toMatchObject({ referralCode, flags: [], wave: 1 });
        expect(body.recruiter).toEqual(expect.any(String));
        expect((await history(crew, survey.id)).at(-1)).toMatchObject({ reason, by: crew[who].id });
      },
    );

    test('also if it is not valid yet', async () => {
      const { crew, url, referralCode } = await flagged(day(0));
      refused(await crew.manager.patch(url, { referralCode }), 409, 'REFERRAL_CODE_NOT_YET');
      await crew.manager.patch(url, { referralCode, reason }).expect(200);
    });

    test('but not from the interviewer, whether volunteer, manager or admin', async () => {
      for (const who of ['volunteer', 'manager', 'admin'] as const) {
        const { crew, url, referralCode } = await flagged(day(19), (one) => one[who]);
        refused(await crew[who].patch(url, { referralCode, reason }), 409, 'REFERRAL_CODE_EXPIRED');
      }
      const { crew, url, referralCode } = await flagged(day(19), (one) => one.root);
      await crew.root.patch(url, { referralCode, reason }).expect(200);
    });

    test('from a volunteer with a review grant, for surveys of others', async () => {
      const { crew, url, referralCode } = await flagged();
      const conditions: string[] = [];
      const permissions = ['review', 'update'].map((action) => ({ action, subject: 'Survey', conditions }));
      const helper = await cast.world.person({ role: 'VOLUNTEER', permissions });
      await crew.root.patch(`/api/users/${helper.id}`, { permissions }).expect(200);
      await helper.patch(url, { referralCode, reason }).expect(200);
    });

    test('but not a malformed, unknown or used one, and only for one of two simultaneous surveys', async () => {
      const { crew, url, referralCode } = await flagged();
      const other = await flagged();
      const patch = (code: string) => crew.admin.patch(url, { referralCode: code, reason });
      refused(await patch('ABCDEFGD'), 400, 'REFERRAL_CODE_MALFORMED');
      refused(await patch('0000000' + '0'), 404);
      const both = await Promise.all(
        [url, other.url].map((one) => crew.root.patch(one, { referralCode, reason })),
      );
      expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
      const loser = both[0]?.status === 200 ? other.url : url;
      refused(await crew.root.patch(loser, { referralCode, reason }), 409, 'REFERRAL_CODE_USED');
    });
  });

  test('is not needed if the coupon was valid when the interview began', async () => {
    const referralCode = await coupon();
    const crew = await at(day(20));
    const flaggedSurvey = await submit(crew, {
      startedAt: day(3),
      referralCode: 'ABCDEFGD',
      onCodeProblem: 'FLAG',
    });
    const { body } = await crew.volunteer
      .patch(`/api/surveys/${flaggedSurvey.id}`, { referralCode })
      .expect(200);
    expect(body).toMatchObject({ referralCode, flags: [] });
    expect((await read(crew, flaggedSurvey.id)).wave).toBe(1);
  });
});
