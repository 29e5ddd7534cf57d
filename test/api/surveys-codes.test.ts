/** The codes that a survey issues: how many, when, and how long they are valid. */
import {
  CODE,
  castOfFile,
  DAY,
  draft,
  flagsOf,
  HOUR,
  people,
  read,
  reasonOf,
  refused,
  reserve,
  seedCode,
  setStudy,
  stateOf,
  submit,
  unknownCode,
} from './kit.ts';

const cast = castOfFile();
afterEach(async () => {
  cast.world.clock.real();
  await setStudy(cast, { couponsPerSurvey: 3, couponValidDays: null, couponStartsAfterHours: 0 });
});

test('a person who does not take part gets no codes, in one step or two, and takesPart is stored', async () => {
  const survey = await submit(cast, { takesPart: false });
  expect(survey).toMatchObject({ takesPart: false, issuedCodes: [], status: 'COMPLETED' });
  const begun = await submit(cast, { takesPart: false, status: 'IN_PROGRESS' });
  const { body } = await cast.volunteer
    .patch(`/api/surveys/${begun.id}`, { status: 'COMPLETED' })
    .expect(200);
  expect(body).toMatchObject({ takesPart: false, issuedCodes: [] });
  const taking = await submit(cast, { takesPart: true });
  expect(taking.issuedCodes).toHaveLength(3);
  expect(taking).not.toHaveProperty('takesPart');
});

test('takesPart: true is the same request as omitting it', async () => {
  const body = draft(cast, { clientId: '0d5a7a0e-3a6b-4f6f-9d53-6b1b8f3a9c11' });
  await cast.volunteer.post('/api/surveys', body).expect(201);
  await cast.volunteer.post('/api/surveys', { ...body, takesPart: true }).expect(200);
  refused(await cast.volunteer.post('/api/surveys', { ...body, takesPart: false }), 409, 'EDIT_CONFLICT');
});

test.each([0, 1, 10])(
  'a completed survey issues the number of codes set in the study: %d',
  async (couponsPerSurvey) => {
    await setStudy(cast, { couponsPerSurvey });
    const survey = await submit(cast);
    expect(survey.issuedCodes).toHaveLength(couponsPerSurvey);
    expect(new Set(survey.issuedCodes).size).toBe(couponsPerSurvey);
    for (const code of survey.issuedCodes) {
      expect(code).toMatch(CODE);
      expect(await reasonOf(cast, code)).toBeNull();
    }
  },
);

test('codes are issued once: neither a second COMPLETED nor an edit issues more', async () => {
  const survey = await submit(cast, { status: 'IN_PROGRESS' });
  const url = `/api/surveys/${survey.id}`;
  const completion = await cast.volunteer.patch(url, { status: 'COMPLETED' }).expect(200);
  expect(completion.body.issuedCodes).toHaveLength(3);
  await setStudy(cast, { couponsPerSurvey: 8 });
  await cast.volunteer.patch(url, { status: 'COMPLETED' }).expect(200);
  await cast.volunteer.patch(url, { responses: { networkSize: 4 } }).expect(200);
  expect((await read(cast, survey.id)).issuedCodes).toEqual(completion.body.issuedCodes);
});

test('codes already handed out count: only the rest is issued', async () => {
  const [first] = await reserve(cast.volunteer, 1);
  const survey = await submit(cast, { issuedCodes: [first] });
  expect(survey.issuedCodes).toHaveLength(3);
  expect(survey.issuedCodes).toContain(first);
  expect(survey.flags).toEqual([]);
  expect(await stateOf(cast, String(first))).toMatchObject({ state: 'LIVE', survey: survey.id });
});

test('no code is issued if all were handed out', async () => {
  const codes = await reserve(cast.volunteer, 3);
  const survey = await submit(cast, { issuedCodes: codes });
  expect([...survey.issuedCodes].sort()).toEqual([...codes].sort());
});

test('codes handed out while in progress count at completion', async () => {
  const [first] = await reserve(cast.volunteer, 1);
  const survey = await submit(cast, { status: 'IN_PROGRESS', issuedCodes: [first] });
  expect(survey.issuedCodes).toEqual([first]);
  const completion = await cast.volunteer
    .patch(`/api/surveys/${survey.id}`, { status: 'COMPLETED' })
    .expect(200);
  expect(completion.body.issuedCodes).toHaveLength(3);
  expect(completion.body.issuedCodes).toContain(first);
});

test('issuedCodes accept any case and hyphens', async () => {
  const [code] = await reserve(cast.volunteer, 1);
  const sloppy = `${code?.slice(0, 4)}-${code?.slice(4)}`.toLowerCase();
  expect((await submit(cast, { issuedCodes: [sloppy] })).issuedCodes).toContain(code);
});

test('a code of a printed batch can be handed out by anyone', async () => {
  const { body } = await cast.manager.post('/api/referral-codes/batches', { count: 1, location: cast.site });
  const survey = await submit(cast, { issuedCodes: body.codes });
  expect(survey.issuedCodes).toContain(body.codes[0]);
  expect(await stateOf(cast, body.codes[0])).toMatchObject({
    state: 'LIVE',
    survey: survey.id,
    batch: body.id,
  });
});

async function refusedCodes(): Promise<Record<string, string[]>> {
  const other = await cast.world.person({ location: cast.site });
  const issued = await reserve(cast.volunteer, 1);
  await submit(cast, { issuedCodes: issued });
  return {
    'reserved by another': await reserve(other, 1),
    unknown: [unknownCode()],
    malformed: ['ABCDEFGD'],
    'of a seed': [await seedCode(cast)],
    'issued by another survey': issued,
    'beyond the number of the study': await reserve(cast.volunteer, 4),
  };
}

test('with REJECT a handed-out code that is not the caller’s, or exceeds the number, is 400 and nothing is stored', async () => {
  for (const [why, issuedCodes] of Object.entries(await refusedCodes())) {
    const referralCode = await seedCode(cast);
    const answer = await cast.volunteer.post('/api/surveys', draft(cast, { issuedCodes, referralCode }));
    expect([why, answer.status]).toEqual([why, 400]);
    expect([why, await reasonOf(cast, referralCode)]).toEqual([why, null]);
  }
});

test('with FLAG such a code is left out with ISSUED_CODE_REFUSED, and the survey is stored in its chain', async () => {
  for (const [why, issuedCodes] of Object.entries(await refusedCodes())) {
    const referralCode = await seedCode(cast);
    const survey = await submit(cast, { issuedCodes, referralCode, onCodeProblem: 'FLAG' });
    expect([why, survey.wave, flagsOf(survey)]).toEqual([why, 0, ['ISSUED_CODE_REFUSED']]);
    expect(issuedCodes).toContain(survey.flags[0].referralCode);
    expect(survey.issuedCodes).not.toContain(survey.flags[0].referralCode);
    expect(survey.issuedCodes).toHaveLength(3);
  }
});

test('a refused code is found by its flag however it was typed', async () => {
  const survey = await submit(cast, { issuedCodes: ['abcd-efgc'], onCodeProblem: 'FLAG' });
  expect(survey.flags).toMatchObject([{ code: 'ISSUED_CODE_REFUSED', referralCode: 'ABCDEFGC' }]);
  const { data } = (await cast.admin.get('/api/surveys?search=ABCD%20EFGC').expect(200)).body;
  expect(data.map(({ id }: { id: string }) => id)).toContain(survey.id);
});

test('a code that a flagged survey could not hand out still belongs to the survey that did', async () => {
  const issuedCodes = await reserve(cast.volunteer, 1);
  const first = await submit(cast, { issuedCodes });
  await submit(cast, { issuedCodes, onCodeProblem: 'FLAG' });
  expect(await stateOf(cast, String(issuedCodes[0]))).toMatchObject({ survey: first.id });
});

test('codes have no expiry without study limits; seed and reserved codes never have one', async () => {
  const survey = await submit(cast);
  expect(await stateOf(cast, survey.issuedCodes[0])).toMatchObject({ expiresAt: null });
  await setStudy(cast, { couponValidDays: 30, couponStartsAfterHours: 2 });
  const [reserved] = await reserve(cast.volunteer, 1);
  for (const code of [await seedCode(cast), String(reserved)]) {
    expect(await stateOf(cast, code)).toMatchObject({ validFrom: null, expiresAt: null });
    expect(await reasonOf(cast, code)).toBeNull();
  }
});

test('validFrom and expiresAt are fixed by the study settings when a survey issues or hands out the code', async () => {
  await setStudy(cast, { couponValidDays: 10, couponStartsAfterHours: 6 });
  const issuedCodes = await reserve(cast.volunteer, 1);
  const survey = await submit(cast, { issuedCodes });
  await setStudy(cast, { couponValidDays: 1, couponStartsAfterHours: 0 });
  const at = Date.parse(survey.createdAt);
  for (const code of survey.issuedCodes) {
    const item = await stateOf(cast, code);
    expect(Math.abs(Date.parse(item.validFrom) - (at + 6 * HOUR))).toBeLessThan(60_000);
    expect(Date.parse(item.expiresAt)).toBeGreaterThanOrEqual(at + 10 * DAY - 60_000);
    expect(Date.parse(item.expiresAt)).toBeLessThanOrEqual(at + 11 * DAY + 6 * HOUR);
  }
});

test('a code goes from NOT_YET to valid to EXPIRED over time', async () => {
  await setStudy(cast, { couponValidDays: 2, couponStartsAfterHours: 3 });
  const [code] = (await submit(cast)).issuedCodes;
  expect(await reasonOf(cast, code)).toBe('NOT_YET');
  cast.world.clock.advance(4 * HOUR);
  expect(await reasonOf(cast, code)).toBeNull();
  cast.world.clock.advance(4 * DAY);
  expect(await reasonOf(cast, code)).toBe('EXPIRED');
  expect(await stateOf(cast, code)).toMatchObject({ state: 'EXPIRED' });
  const later = await people(cast.world, cast.site);
  refused(
    await later.volunteer.post('/api/surveys', draft(cast, { referralCode: code })),
    409,
    'REFERRAL_CODE_EXPIRED',
  );
});
