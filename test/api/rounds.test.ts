/** Rounds: opening, closing and reopening them, and what belongs to which. */
import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { ANSWERS, type Body, makeSeed, makeSurvey, smallQuestionnaire } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

const world = worldOfFile();
const HOUR = 3_600_000;
let root: Person;
let ana: Person;
let site: string;

const rounds = () => mongoose.connection.collection('rounds');
const surveyOf = (id: string) => root.get(`/api/surveys/${id}`);
const flagsOf = (survey: Body) => survey.flags.map(({ code }: { code: string }) => code);

beforeAll(async () => {
  world.clock.set('2026-11-02T18:00:00Z');
  site = await world.place();
  root = await world.person({ role: 'SUPER_ADMIN', location: site, createdAt: new Date('2025-01-01') });
  ana = await world.person({ role: 'MANAGER', location: site, createdAt: new Date('2025-01-01') });
  await smallQuestionnaire(world);
  await mongoose.connection
    .collection('studies')
    .updateOne({}, { $set: { createdAt: new Date('2025-01-01') } });
});

let day = 2;
/** Each test on its own day, with only round 1, open since before. */
beforeEach(async () => {
  world.clock.set(new Date(Date.UTC(2026, 10, ++day, 18)));
  await rounds().deleteMany({ _id: { $ne: FIRST_ROUND_ID } });
  await rounds().updateOne(
    { _id: FIRST_ROUND_ID },
    {
      $set: {
        state: 'OPEN',
        closedAt: null,
        closedBy: null,
        settings: null,
        openedAt: new Date('2026-01-01'),
      },
    },
  );
});

const close = async (id = String(FIRST_ROUND_ID)) =>
  (await root.post(`/api/rounds/${id}/close`).expect(200)).body;
const open = async (body: object = {}) =>
  (await root.post('/api/rounds', { name: 'Winter 2028', startsOn: '2028-01-20', ...body }).expect(201)).body;
/** As a phone sends it that was offline. */
const late = async (fields: object, person = ana) => {
  const body = { location: site, responses: ANSWERS, onCodeProblem: 'FLAG', ...fields };
  return (await person.post('/api/surveys', body).expect(201)).body;
};
const before = (hours: number) => new Date(+world.clock.now() - hours * HOUR).toISOString();

test('a new database has an open round, whose sizes are those of the study', async () => {
  await root.patch('/api/study', { targetSampleSize: 250, endsOn: '2026-12-31' }).expect(200);
  const { body } = await ana.get('/api/rounds').expect(200);
  expect(body.data).toHaveLength(1);
  expect(body.data[0]).toMatchObject({
    state: 'OPEN',
    targetSampleSize: 250,
    endsOn: '2026-12-31',
    settings: null,
  });
  await root.patch('/api/study', { targetSampleSize: 260 }).expect(200);
  const { body: one } = await ana.get(`/api/rounds/${FIRST_ROUND_ID}`).expect(200);
  expect(one.targetSampleSize).toBe(260);
});

test('a closed round keeps its sizes and all settings, and the next one has its own', async () => {
  await root.patch('/api/study', { targetSampleSize: 250, populationSize: 9000 }).expect(200);
  const closed = await close();
  expect(closed.round).toMatchObject({ state: 'CLOSED', targetSampleSize: 250, closedBy: root.id });
  expect(closed.round.settings).toMatchObject({ couponsPerSurvey: 3, populationSize: 9000 });
  const opened = await open({ endsOn: '2028-03-31', targetSampleSize: 400 });
  expect(opened).toMatchObject({ targetSampleSize: 400, populationSize: null, state: 'OPEN' });
  const { body: study } = await root.get('/api/study').expect(200);
  expect(study).toMatchObject({ targetSampleSize: 400, populationSize: null, endsOn: '2028-03-31' });
  const { body: old } = await ana.get(`/api/rounds/${FIRST_ROUND_ID}`).expect(200);
  expect(old).toMatchObject({ targetSampleSize: 250, populationSize: 9000 });
});

test('interviews that arrive while a round is being closed are held in it', async () => {
  const { connection } = mongoose;
  const aborted = async () =>
    Number((await connection.db?.admin().serverStatus())?.transactions.totalAborted);
  const session = await connection.startSession();
  session.startTransaction();
  const locks = connection.collection<{ _id: string; count: number }>('locks');
  await locks.updateOne({ _id: 'rounds' }, { $inc: { count: 1 } }, { session, upsert: true });
  const before = await aborted();
  const closing = close();
  while ((await aborted()) === before) await new Promise(setImmediate);
  world.clock.advance(HOUR);
  const survey = await makeSurvey(world, ana, { location: site });
  expect(survey.flags).toEqual([]);
  await session.commitTransaction();
  await session.endSession();
  const { round } = await closing;
  expect(Date.parse(round.closedAt)).toBeGreaterThanOrEqual(Date.parse(survey.heldAt));
});

test('only one round is open, and only the latest can be reopened', async () => {
  const second = { name: 'Second', startsOn: '2028-01-20' };
  const { body } = await root.post('/api/rounds', second).expect(409);
  expect(body).toMatchObject({ code: 'INVALID_TRANSITION', reason: 'ROUND_OPEN' });
  await close();
  expect((await root.post(`/api/rounds/${FIRST_ROUND_ID}/close`).expect(409)).body.reason).toBe(
    'ROUND_IS_CLOSED',
  );
  const back = await root.post(`/api/rounds/${FIRST_ROUND_ID}/reopen`).expect(200);
  expect(back.body).toMatchObject({ state: 'OPEN', closedAt: null, settings: null });
  expect((await root.post(`/api/rounds/${FIRST_ROUND_ID}/reopen`).expect(409)).body.reason).toBe(
    'ROUND_IS_OPEN',
  );
  await close();
  world.clock.advance(HOUR);
  await open();
  expect((await root.post(`/api/rounds/${FIRST_ROUND_ID}/reopen`).expect(409)).body.reason).toBe(
    'LATER_ROUND',
  );
});

test('without an open round there are no seeds, batches or walk-ins', async () => {
  await close();
  world.clock.advance(HOUR);
  const refused = { code: 'NO_ROUND' };
  expect((await root.post('/api/seeds', { location: site }).expect(409)).body).toMatchObject(refused);
  const batch = { count: 3, location: site };
  expect((await root.post('/api/referral-codes/batches', batch).expect(409)).body).toMatchObject(refused);
  const survey = { location: site, responses: ANSWERS };
  expect((await ana.post('/api/surveys', survey).expect(409)).body).toMatchObject(refused);
});

test('an interview held while no round was open is stored in the last one and counts once a reviewer says so', async () => {
  await close();
  world.clock.advance(HOUR);
  const stored = await late({});
  expect(stored).toMatchObject({ round: String(FIRST_ROUND_ID), issuedCodes: [] });
  expect(flagsOf(stored)).toEqual(['NO_ROUND']);
  await ana.patch(`/api/surveys/${stored.id}`, { clearFlags: ['NO_ROUND'] }).expect(403);
  const { body } = await root.patch(`/api/surveys/${stored.id}`, { clearFlags: ['NO_ROUND'] }).expect(200);
  expect(body.flags).toEqual([]);
});

test('coupons and unused seeds of a closed round are expired for interviews held afterwards', async () => {
  const { issuedCodes } = await makeSurvey(world, ana, { location: site });
  const seed = await makeSeed(world, root, { location: site });
  world.clock.advance(HOUR);
  const { couponsOut } = await close();
  expect(couponsOut).toBeGreaterThanOrEqual(4);
  world.clock.advance(2 * HOUR);
  const opened = await open();
  for (const code of [issuedCodes[0], seed.referralCode]) {
    const { body: verdict } = await ana.get(`/api/validate-referral-code/${code}`).expect(200);
    expect(verdict).toMatchObject({ isValid: false, reason: 'EXPIRED' });
    const survey = { location: site, responses: ANSWERS, referralCode: code };
    expect((await ana.post('/api/surveys', survey).expect(409)).body.code).toBe('REFERRAL_CODE_EXPIRED');
  }
  const { body: listed } = await root.get('/api/referral-codes?state=EXPIRED&limit=200').expect(200);
  expect(listed.data.map(({ code }: Body) => code)).toEqual(expect.arrayContaining(issuedCodes));
  const { body: live } = await root.get(`/api/referral-codes?state=LIVE&round=${FIRST_ROUND_ID}`).expect(200);
  expect(live.data).toEqual([]);
  const flagged = await late({ referralCode: issuedCodes[0] });
  expect(flagged).toMatchObject({ round: opened.id, referralCode: null });
  expect(flagsOf(flagged)).toEqual(['REFERRAL_CODE_EXPIRED']);
  // Not even a reviewer lets it through.
  const change = { referralCode: issuedCodes[0], reason: 'all the same' };
  await root.patch(`/api/surveys/${flagged.id}`, change).expect(409);
});

test('an interview held before the round was closed arrives later and counts in it, and so does its chain', async () => {
  const first = await makeSurvey(world, ana, { location: site });
  world.clock.advance(3 * HOUR);
  await close();
  world.clock.advance(2 * HOUR);
  await open();
  const second = await late({
    referralCode: first.issuedCodes[0],
    startedAt: before(4),
    completedAt: before(4),
  });
  expect(second).toMatchObject({ round: String(FIRST_ROUND_ID), seed: first.seed, wave: 1, flags: [] });
  // Its coupons are out of date for today, and good for yesterday.
  const today = await late({ referralCode: second.issuedCodes[0] });
  expect(flagsOf(today)).toEqual(['REFERRAL_CODE_EXPIRED']);
  const walkIn = await late({ startedAt: before(3), completedAt: before(3) });
  expect(walkIn).toMatchObject({ round: String(FIRST_ROUND_ID), flags: [] });
});

test('codes that a phone had in stock belong to the round in which they are handed out', async () => {
  const { body: block } = await ana.post('/api/referral-codes/blocks', { count: 4 }).expect(201);
  await close();
  world.clock.advance(HOUR);
  const { id } = await open();
  const survey = await late({ issuedCodes: block.codes.slice(0, 3) });
  expect(survey).toMatchObject({ round: id, flags: [] });
  const { body } = await root.get(`/api/referral-codes?round=${id}`).expect(200);
  expect(body.data.map(({ code }: Body) => code)).toEqual(expect.arrayContaining(block.codes.slice(0, 3)));
  const { body: codeList } = await root.get(`/api/referral-codes?code=${block.codes[3]}`).expect(200);
  expect(codeList.data[0]).toMatchObject({ state: 'RESERVED', round: null });
});

test('when a recruiter arrives late, the recruit and the chain below join the round of the recruiter, uncounted if it was closed', async () => {
  const { body: block } = await ana.post('/api/referral-codes/blocks', { count: 3 }).expect(201);
  world.clock.advance(3 * HOUR);
  await close();
  world.clock.advance(HOUR);
  const { id } = await open();
  world.clock.advance(HOUR);
  const recruit = await late({ referralCode: block.codes[0] });
  expect(recruit).toMatchObject({ round: id, recruiter: null });
  expect(flagsOf(recruit)).toEqual(['RECRUITER_PENDING']);
  const below = await late({ referralCode: recruit.issuedCodes[0] });
  expect(below).toMatchObject({ round: id, recruiter: recruit.id });
  const recruiter = await late({ issuedCodes: block.codes, startedAt: before(4), completedAt: before(4) });
  expect(recruiter.round).toBe(String(FIRST_ROUND_ID));
  for (const [one, wave] of [
    [recruit, 1],
    [below, 2],
  ] as const) {
    const { body } = await surveyOf(one.id).expect(200);
    expect(body).toMatchObject({ round: recruiter.round, seed: recruiter.seed, wave });
    expect(flagsOf(body)).toEqual(['NO_ROUND']);
  }
  const codes = await root.get(`/api/referral-codes?survey=${below.id}`).expect(200);
  for (const { round } of codes.body.data) expect(round).toBe(recruiter.round);
});

test('a survey that gets its code later joins the round of the code, with everything below', async () => {
  const lost = await late({ referralCode: 'ABCD-EFGH' });
  const below = await late({ referralCode: lost.issuedCodes[0] });
  world.clock.advance(HOUR);
  await close();
  world.clock.advance(HOUR);
  const { id } = await open();
  const { referralCode } = await makeSeed(world, root, { location: site });
  const change = { referralCode, reason: 'found in the box' };
  const { body } = await root.patch(`/api/surveys/${lost.id}`, change).expect(200);
  expect(body).toMatchObject({ round: id, wave: 0 });
  const { body: recruit } = await surveyOf(below.id).expect(200);
  expect(recruit).toMatchObject({ round: id, wave: 1 });
});

test('a survey that loses its code to another belongs to the round by its date again', async () => {
  const first = await makeSurvey(world, ana, { location: site });
  const code = first.issuedCodes[0];
  const giver = await late({ referralCode: code });
  const below = await late({ referralCode: giver.issuedCodes[0] });
  const taker = await late({ referralCode: code });
  const response = await root.post(`/api/surveys/${taker.id}/take-code`, {
    from: giver.id,
    reason: 'copied',
  });
  expect(response.status).toBe(200);
  expect(response.body).toMatchObject({ round: first.round, recruiter: first.id });
  const { body } = await surveyOf(below.id).expect(200);
  expect(body).toMatchObject({ round: first.round, seed: null });
});

test('in a closed round only reviewers change interviews, apart from what late phones send', async () => {
  const vera = await world.person({ role: 'VOLUNTEER', location: site, createdAt: new Date('2025-01-01') });
  const survey = await makeSurvey(world, vera, { location: site });
  const started = await makeSurvey(world, vera, { location: site, status: 'IN_PROGRESS' });
  const { body: block } = await vera.post('/api/referral-codes/blocks', { count: 1 }).expect(201);
  await close();
  world.clock.advance(HOUR);
  const change = { responses: { ...ANSWERS, comment: 'more' } };
  const { body } = await vera.patch(`/api/surveys/${survey.id}`, change).expect(409);
  expect(body.code).toBe('ROUND_CLOSED');
  await ana.patch(`/api/surveys/${survey.id}`, change).expect(200);
  await vera
    .patch(`/api/surveys/${started.id}`, { status: 'COMPLETED', issuedCodes: block.codes })
    .expect(200);
});

test('incentives owed in a closed round can still be paid', async () => {
  await root.patch('/api/study', { incentives: { currency: 'USD', interview: '20.00' } }).expect(200);
  const survey = await makeSurvey(world, ana, { location: site });
  const { due } = await close();
  expect(due).toEqual({ count: 1, total: '20.00' });
  const { body } = await root.get(`/api/incentives?survey=${survey.id}&round=${survey.round}`).expect(200);
  expect(body.data[0].round).toBe(survey.round);
  await root
    .post(`/api/incentives/${body.data[0].id}/pay`, { method: 'CASH', clientId: randomUUID() })
    .expect(200);
});

test('opening a round can reset volunteers, except those whose phones have unsent interviews', async () => {
  const options = { role: 'VOLUNTEER', location: site, createdAt: new Date('2025-01-01') } as const;
  const [vera, otto] = [await world.person(options), await world.person({ ...options, firstName: 'Otto' })];
  const report = {
    ...{ device: '0d4f9a52-7c1e-4b6a-9f0e-2b7c5d1a8e33', appVersion: '1', drafts: 0, unsent: 2, refused: 1 },
    ...{ oldestUnsentAt: before(1), codesLeft: 0, persisted: true },
  };
  const reported = await otto.post('/api/devices/report', report);
  expect(reported.status).toBeLessThan(300);
  const { devices } = await close();
  expect(devices).toEqual([expect.objectContaining({ user: otto.id, unsent: 2 })]);
  const { volunteers } = await open({ resetVolunteers: true });
  expect(volunteers.unsent).toEqual([expect.objectContaining({ id: otto.id, firstName: 'Otto', unsent: 3 })]);
  expect(volunteers.reset).toBeGreaterThan(0);
  expect((await root.get(`/api/users/${vera.id}`).expect(200)).body.approvalStatus).toBe('PENDING');
  expect((await root.get(`/api/users/${otto.id}`).expect(200)).body.approvalStatus).toBe('APPROVED');
});

test('a closed round has no forecast', async () => {
  const forecast = async () => (await root.get('/api/recruitment/forecast').expect(200)).body;
  expect(await forecast()).toMatchObject({ days: null, noForecast: 'TOO_FEW_RETURNS' });
  await close();
  expect(await forecast()).toMatchObject({ days: null, noForecast: 'NO_OPEN_ROUND' });
});

test('a closed round has neither a pace nor a pace needed', async () => {
  await root.patch('/api/study', { targetSampleSize: 1_000, endsOn: '2027-06-30' }).expect(200);
  await makeSurvey(world, ana, { location: site });
  const { id } = (await close()).round;
  for (const path of ['/api/recruitment/pace', `/api/recruitment/pace?round=${id}`]) {
    const { body } = await root.get(path).expect(200);
    expect(body).toMatchObject({ target: 1_000, advice: 'ROUND_CLOSED', noForecast: 'NO_OPEN_ROUND' });
    expect(body).toMatchObject({ pace: null, daysLeft: null, neededPerDay: null, forecast: null });
  }
  await open();
  expect((await root.get('/api/recruitment/pace').expect(200)).body.advice).toBe('NO_TARGET');
});
