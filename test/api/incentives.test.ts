/** Which incentives are owed to whom, as interviews and the tree change. */
import { ANSWERS, type Body } from '../make.ts';
import { owedTo, pay, recruit, setIncentives, statesOf, USD } from './incentive-kit.ts';
import {
  castOfFile,
  collection,
  DAY,
  draft,
  flagsOf,
  HOUR,
  oid,
  refused,
  refusedAt,
  reserve,
  stateOf,
  submit,
  times,
  unknownCode,
  uuid,
} from './kit.ts';

const cast = castOfFile();
afterEach(() => cast.world.clock.real());

describe('while the study has no incentives', () => {
  test('nothing is owed or stored, and the summary is empty', async () => {
    const survey = await submit(cast);
    await recruit(cast, survey);
    expect(await owedTo(cast, survey.id)).toEqual([]);
    expect(await collection('locks').countDocuments({ _id: /^incentives/ as never })).toBe(0);
    const { body } = await cast.root.get('/api/incentives/summary').expect(200);
    expect(body).toEqual({
      currency: null,
      due: { count: 0, total: null },
      paid: { count: 0, total: null },
      withdrawn: { count: 0, total: null },
      byLocation: [],
      byPerson: [],
      byDay: [],
      byMethod: [],
    });
    const claim = await cast.volunteer.get(`/api/incentives/claim/${survey.referralCode}`).expect(200);
    expect(claim.body).toEqual({ code: survey.referralCode, due: [], paidCount: 0, paidTotal: null });
  });

  test('the currency can be changed, and omitted fields are null', async () => {
    expect((await cast.volunteer.get('/api/study')).body.incentives).toEqual({
      currency: null,
      interview: null,
      recruit: null,
      recruitLimit: null,
    });
    for (const currency of ['EUR', 'JPY', 'USD']) {
      const { body } = await cast.admin.patch('/api/study', { incentives: { currency } }).expect(200);
      expect(body.incentives).toEqual({ currency, interview: null, recruit: null, recruitLimit: null });
    }
    await setIncentives(cast, {});
  });

  test.each([
    [{ currency: 'XYZ' }, 'incentives.currency'],
    [{ interview: '20.00' }, 'incentives.interview'],
    [{ currency: 'USD', recruit: '20' }, 'incentives.recruit'],
    [{ currency: 'USD', interview: 20 }, 'incentives.interview'],
    [{ currency: 'USD', recruitLimit: 11 }, 'incentives.recruitLimit'],
    [{ currency: 'USD', bonus: '1.00' }, 'incentives.bonus'],
  ])('%j is rejected', async (incentives, path) => {
    refusedAt(await cast.root.patch('/api/study', { incentives }), path);
  });
});

describe('with incentives', () => {
  beforeAll(() => setIncentives(cast, USD));

  test('a counted interview is owed one incentive, and so is its recruiter', async () => {
    const first = await submit(cast);
    const second = await recruit(cast, first);
    const [own, ofRecruit] = await owedTo(cast, first.id);
    expect(own).toEqual({
      id: expect.any(String),
      ...{ survey: first.id, kind: 'INTERVIEW', recruit: null, amount: '20.00', currency: 'USD' },
      ...{ state: 'DUE', method: null, reference: null, paidBy: null, paidAt: null, recordedAt: null },
      ...{ location: null, reason: null, createdAt: expect.any(String), updatedAt: expect.any(String) },
      ...{ claimNumber: first.referralCode, coupon: null, interviewer: first.createdBy },
      round: expect.any(String),
    });
    expect(ofRecruit).toMatchObject({ kind: 'RECRUIT', recruit: second.id, amount: '10.00', state: 'DUE' });
    expect(await statesOf(cast, second.id)).toEqual(['INTERVIEW DUE']);
  });

  test('with a clock ahead at the start only, incentives use the time received', async () => {
    const yesterday = new Date(Date.now() - DAY).toISOString();
    const tomorrow = new Date(Date.now() + DAY).toISOString();
    const survey = await submit(cast, {
      ...{ startedAt: tomorrow, completedAt: yesterday },
      incentive: { method: 'CASH' },
    });
    expect(survey.flags).toMatchObject([{ code: 'CLOCK_ODD' }]);
    const [own] = await owedTo(cast, survey.id);
    expect(own).toMatchObject({ kind: 'INTERVIEW', state: 'PAID', paidAt: survey.createdAt });
  });

  test('the currency cannot be changed once an incentive is stored', async () => {
    await submit(cast);
    for (const incentives of [{ ...USD, currency: 'EUR' }, {}])
      refused(await cast.root.patch('/api/study', { incentives }), 409, 'INVALID_TRANSITION');
    await setIncentives(cast, { currency: 'USD' });
    await setIncentives(cast, USD);
  });

  test('a person who does not take part or has not finished is owed nothing, until this changes', async () => {
    const recruiter = await submit(cast);
    const unfinished = await recruit(cast, recruiter, 0, { status: 'IN_PROGRESS' });
    const declining = await recruit(cast, recruiter, 1, { takesPart: false });
    expect(await statesOf(cast, recruiter.id)).toEqual(['INTERVIEW DUE']);
    await cast.volunteer.patch(`/api/surveys/${unfinished.id}`, { status: 'COMPLETED' }).expect(200);
    await cast.volunteer.patch(`/api/surveys/${declining.id}`, { takesPart: true }).expect(200);
    expect(await statesOf(cast, recruiter.id)).toEqual(['INTERVIEW DUE', 'RECRUIT DUE', 'RECRUIT DUE']);
    for (const { id } of [unfinished, declining]) expect(await statesOf(cast, id)).toEqual(['INTERVIEW DUE']);
    await cast.volunteer.patch(`/api/surveys/${declining.id}`, { takesPart: false }).expect(200);
    expect(await statesOf(cast, recruiter.id)).toEqual(['INTERVIEW DUE', 'RECRUIT DUE', 'RECRUIT WITHDRAWN']);
    expect(await statesOf(cast, declining.id)).toEqual(['INTERVIEW WITHDRAWN']);
  });

  test('deleting an interview withdraws what is due, not what was paid; restoring makes it due again', async () => {
    const recruiter = await submit(cast);
    const [one, other] = [await recruit(cast, recruiter, 0), await recruit(cast, recruiter, 1)];
    const paid = (await owedTo(cast, recruiter.id)).find((incentive) => incentive.recruit === one.id);
    await pay(cast.admin, paid.id).expect(200);
    for (const { id } of [one, other]) await cast.root.delete(`/api/surveys/${id}`).expect(204);
    expect(await statesOf(cast, recruiter.id)).toEqual([
      'INTERVIEW DUE',
      'RECRUIT PAID',
      'RECRUIT WITHDRAWN',
    ]);
    await cast.root.delete(`/api/surveys/${recruiter.id}`).expect(204);
    for (const { id } of [one, other]) await cast.root.post(`/api/surveys/${id}/restore`).expect(200);
    // A recruiter whose own interview does not count is still owed for recruits.
    expect(await statesOf(cast, recruiter.id)).toEqual([
      'INTERVIEW WITHDRAWN',
      'RECRUIT DUE',
      'RECRUIT PAID',
    ]);
    await cast.root.post(`/api/surveys/${recruiter.id}/restore`).expect(200);
    expect(await statesOf(cast, recruiter.id)).toEqual(['INTERVIEW DUE', 'RECRUIT DUE', 'RECRUIT PAID']);
  });

  test('a rejected interview is owed nothing, nor is its recruiter, until it is approved', async () => {
    await setIncentives(cast, USD);
    const recruiter = await submit(cast);
    const { id } = await recruit(cast, recruiter);
    const states = async () => [await statesOf(cast, id), await statesOf(cast, recruiter.id)];
    const before = await states();
    const review = (body: Body) => cast.manager.post(`/api/surveys/${id}/review`, body).expect(200);
    await review({ state: 'REJECTED', comment: 'Made up.' });
    expect(await states()).not.toEqual(before);
    expect((await owedTo(cast, id)).map(({ state }) => state)).toEqual(['WITHDRAWN']);
    await review({ state: 'APPROVED' });
    expect(await states()).toEqual(before);
  });

  test('recruits interviewed before their recruiter are owed when the recruiter’s interview arrives', async () => {
    const codes = await reserve(cast.volunteer, 2);
    const early = await submit(cast, { referralCode: codes[0] });
    const recruiter = await submit(cast, { issuedCodes: codes });
    expect((await owedTo(cast, recruiter.id)).map((one) => one.recruit)).toEqual(
      expect.arrayContaining([null, early.id]),
    );
  });

  test('a recruit linked later, by an added coupon or a corrected code, is owed', async () => {
    const [code] = await reserve(cast.volunteer, 1);
    const early = await submit(cast, { referralCode: code });
    const recruiter = await submit(cast);
    await cast.volunteer.patch(`/api/surveys/${recruiter.id}`, { issuedCodes: [code] }).expect(200);
    const flagged = await submit(cast, { referralCode: unknownCode(), onCodeProblem: 'FLAG' });
    const set = { referralCode: recruiter.issuedCodes[0] };
    await cast.volunteer.patch(`/api/surveys/${flagged.id}`, set).expect(200);
    expect((await owedTo(cast, recruiter.id)).map((one) => one.recruit).sort()).toEqual(
      [early.id, flagged.id, null].sort(),
    );
  });

  test('without a limit each of ten simultaneous recruits is owed once', async () => {
    await cast.root.patch('/api/study', { couponsPerSurvey: 10 }).expect(200);
    const recruiter = await submit(cast);
    const recruits = await Promise.all(times(10, (at) => recruit(cast, recruiter, at)));
    expect((await owedTo(cast, recruiter.id)).map((one) => one.recruit).sort()).toEqual(
      [...recruits.map(({ id }) => id), null].sort(),
    );
    await cast.root.patch('/api/study', { couponsPerSurvey: 3 }).expect(200);
  });

  test('no more simultaneous recruits are owed than the limit', async () => {
    await setIncentives(cast, { ...USD, recruitLimit: 1 });
    await cast.root.patch('/api/study', { couponsPerSurvey: 10 }).expect(200);
    const recruiter = await submit(cast);
    await Promise.all(times(10, (at) => recruit(cast, recruiter, at)));
    expect(await statesOf(cast, recruiter.id)).toEqual(['INTERVIEW DUE', 'RECRUIT DUE']);
    await cast.root.patch('/api/study', { couponsPerSurvey: 3 }).expect(200);
    await setIncentives(cast, USD);
  });

  test('the RECRUIT incentive moves with a reassigned code, keeping id, amount and state, and back', async () => {
    const recruiter = await submit(cast);
    const first = await recruit(cast, recruiter);
    const second = await recruit(cast, recruiter, 0, { onCodeProblem: 'FLAG' });
    expect(second.recruiter).toBeNull();
    const [, due] = await owedTo(cast, recruiter.id);
    await pay(cast.admin, due.id).expect(200);
    for (const [to, from] of [
      [second, first],
      [first, second],
    ] as [Body, Body][]) {
      const body = { from: from.id, reason: 'The coupon was copied.' };
      await cast.volunteer.post(`/api/surveys/${to.id}/take-code`, body).expect(200);
      const [, moved, ...more] = await owedTo(cast, recruiter.id);
      expect(moved).toMatchObject({ id: due.id, recruit: to.id, amount: '10.00', state: 'PAID' });
      expect(more).toEqual([]);
    }
  });

  test('amounts follow the settings in force when the interview was completed', async () => {
    const completedAt = new Date();
    const startedAt = new Date(completedAt.getTime() - 60_000);
    const recruiter = await submit(cast);
    await setIncentives(cast, { ...USD, interview: '25.00', recruit: null });
    const late = await recruit(cast, recruiter, 0, { startedAt, completedAt });
    const now = await recruit(cast, recruiter, 1);
    expect(await owedTo(cast, late.id)).toMatchObject([{ amount: '20.00' }]);
    expect(await owedTo(cast, now.id)).toMatchObject([{ amount: '25.00' }]);
    expect((await owedTo(cast, recruiter.id)).map((one) => one.recruit)).toEqual([null, late.id]);
    // With a clock a year behind, the time received is used.
    const odd = {
      startedAt: new Date(Date.now() - 400 * DAY),
      completedAt: new Date(Date.now() - 399 * DAY),
    };
    const survey = await submit(cast, odd);
    expect(flagsOf(survey)).toEqual(['CLOCK_ODD']);
    expect(await owedTo(cast, survey.id)).toMatchObject([{ amount: '25.00' }]);
    await setIncentives(cast, USD);
  });

  test('each change is in the audit trail', async () => {
    const survey = await submit(cast);
    const [own] = await owedTo(cast, survey.id);
    await cast.root.delete(`/api/surveys/${survey.id}`).expect(204);
    const { body } = await cast.admin.get(`/api/audit?record=${own.id}`).expect(200);
    expect(body.data).toMatchObject([
      {
        subject: 'Incentive',
        action: 'update',
        by: cast.root.id,
        changes: [{ path: 'state', after: 'WITHDRAWN' }],
      },
      { subject: 'Incentive', action: 'create', by: cast.volunteer.id, location: cast.site },
    ]);
  });
});

describe('an incentive paid at the interview', () => {
  const incentive = { method: 'GIFT_CARD', reference: 'card 4711' };
  beforeAll(() => setIncentives(cast, USD));

  test('is recorded as paid by the sender at the end and site of the interview, however late it arrives', async () => {
    const [startedAt, completedAt] = [new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR)];
    cast.world.clock.set(new Date(Date.now() + 2 * DAY));
    const body = draft(cast, { incentive, startedAt, completedAt, clientId: uuid() });
    const { body: survey } = await cast.volunteer.post('/api/surveys', body).expect(201);
    await cast.volunteer.post('/api/surveys', body).expect(200);
    expect(await owedTo(cast, survey.id)).toMatchObject([
      {
        ...{ kind: 'INTERVIEW', state: 'PAID', ...incentive, paidBy: cast.volunteer.id, location: cast.site },
        ...{ paidAt: completedAt.toISOString(), recordedAt: survey.createdAt },
      },
    ]);
    expect(flagsOf(survey)).toEqual([]);
  });

  test('can be sent with the change that completes the interview, but with no other', async () => {
    const { id } = await submit(cast, { status: 'IN_PROGRESS' });
    const url = `/api/surveys/${id}`;
    refusedAt(await cast.volunteer.patch(url, { incentive }), 'incentive');
    const { body } = await cast.volunteer.patch(url, { status: 'COMPLETED', incentive }).expect(200);
    expect(await owedTo(cast, id)).toMatchObject([{ state: 'PAID', ...incentive, paidAt: body.completedAt }]);
    refusedAt(await cast.volunteer.patch(url, { status: 'COMPLETED', incentive }), 'incentive');
    const begun = draft(cast, { status: 'IN_PROGRESS', incentive });
    refusedAt(await cast.volunteer.post('/api/surveys', begun), 'incentive');
  });

  test('flags the survey if none was due, and is recorded as paid if there is an amount', async () => {
    const survey = await submit(cast, { incentive, takesPart: false });
    expect(survey.flags).toMatchObject([{ code: 'INCENTIVE_NOT_DUE', ...incentive }]);
    expect(await statesOf(cast, survey.id)).toEqual(['INTERVIEW PAID']);
    await setIncentives(cast, { ...USD, interview: null });
    const unpaid = await submit(cast, { incentive });
    expect(flagsOf(unpaid)).toEqual(['INCENTIVE_NOT_DUE']);
    expect(await statesOf(cast, unpaid.id)).toEqual([]);
    await setIncentives(cast, USD);
  });

  test('has a flag that only reviewers can dismiss, and its reference is in no audit event', async () => {
    const { id } = await submit(cast, { incentive, takesPart: false });
    const clearing = { clearFlags: ['INCENTIVE_NOT_DUE'] };
    refused(await cast.volunteer.patch(`/api/surveys/${id}`, clearing), 403);
    await cast.manager.patch(`/api/surveys/${id}`, clearing).expect(200);
    const begun = await submit(cast, { status: 'IN_PROGRESS', takesPart: false });
    await cast.volunteer.patch(`/api/surveys/${begun.id}`, { status: 'COMPLETED', incentive }).expect(200);
    const events = await collection('auditevents').find({}).toArray();
    expect(JSON.stringify(events)).toContain('INCENTIVE_NOT_DUE');
    expect(JSON.stringify(events)).not.toContain(incentive.reference);
  });

  test('is paid by whoever imports it', async () => {
    const clientId = uuid();
    const body = { owner: cast.volunteer.id, surveys: [{ ...draft(cast, { incentive }), clientId }] };
    const { body: answer } = await cast.admin.post('/api/surveys/import', body).expect(200);
    expect(await owedTo(cast, answer.data[0].id)).toMatchObject([{ state: 'PAID', paidBy: cast.admin.id }]);
  });
});

describe('the code of a walk-in', () => {
  test('is the reserved code that the phone sent', async () => {
    const [code, other] = await reserve(cast.volunteer, 2);
    const survey = await submit(cast, { walkInCode: code, issuedCodes: [other] });
    expect(survey).toMatchObject({ referralCode: code, recruiter: null, wave: 0, flags: [] });
    expect(survey.issuedCodes).toHaveLength(3);
    expect(survey.issuedCodes).toContain(other);
    expect(await collection('seeds').findOne({ _id: oid(survey.seed) })).toMatchObject({
      kind: 'WALK_IN',
      referralCode: code,
      survey: oid(survey.id),
    });
    expect(await stateOf(cast, code as string)).toMatchObject({ state: 'USED', redeemedBy: survey.id });
    refused(
      await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: code })),
      409,
      'REFERRAL_CODE_USED',
    );
  });

  test('can be used by only one of several simultaneous interviews', async () => {
    const [walkInCode] = await reserve(cast.volunteer, 1);
    const answers = await Promise.all(
      times(5, () => cast.volunteer.post('/api/surveys', draft(cast, { walkInCode }))),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400, 400, 400, 400]);
  });

  test('that is not the caller’s is rejected, or flagged and replaced', async () => {
    const [theirs] = await reserve(cast.manager, 1);
    const [used] = await reserve(cast.volunteer, 1);
    await submit(cast, { issuedCodes: [used] });
    const { issuedCodes } = await submit(cast);
    for (const walkInCode of [theirs, used, issuedCodes[0], unknownCode(), 'nonsense', '']) {
      refusedAt(await cast.volunteer.post('/api/surveys', draft(cast, { walkInCode })), 'walkInCode');
      const survey = await submit(cast, { walkInCode, onCodeProblem: 'FLAG' });
      expect(survey.flags).toMatchObject([{ code: 'ISSUED_CODE_REFUSED', referralCode: walkInCode }]);
      expect(survey).toMatchObject({ wave: 0, referralCode: expect.stringMatching(/^.{8}$/) });
    }
  });

  test('together with a coupon is rejected', async () => {
    const [walkInCode] = await reserve(cast.volunteer, 1);
    const both = draft(cast, { walkInCode, referralCode: unknownCode(), onCodeProblem: 'FLAG' });
    refusedAt(await cast.volunteer.post('/api/surveys', both), 'walkInCode');
    await submit(cast, { walkInCode, referralCode: null, responses: ANSWERS });
  });

  test('can’t also be handed out in the same interview', async () => {
    const [code] = await reserve(cast.volunteer, 1);
    refusedAt(
      await cast.volunteer.post('/api/surveys', draft(cast, { walkInCode: code, issuedCodes: [code] })),
      'issuedCodes.0',
    );
  });
});
