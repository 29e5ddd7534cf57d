/** The main job, from the first sign-up to the third wave, over HTTP. Each test continues from the one before. */
import { ANSWERS, type Body, smallQuestionnaire } from './make.ts';
import { type Person, type Verbs, worldOfFile } from './people.ts';

interface Worker extends Verbs {
  id: string;
  phone: string;
}

let root: Person;
const workers: Record<string, Worker> = {};
let shelter: string;
let clinic: string;
const surveys: Record<string, Body> = {};

const as = (name: string): Worker => {
  const worker = workers[name];
  if (!worker) throw new Error(`${name} has not signed up`);
  return worker;
};

const world = worldOfFile();
beforeAll(async () => {
  world.clock.set('2027-06-15T16:00:00Z'); // nine in the morning in Los Angeles
  root = await world.person({ role: 'SUPER_ADMIN', firstName: 'Rosa' });
  await smallQuestionnaire(world);
});

async function signUp(name: string, more: object): Promise<void> {
  const phone = world.newPhone();
  await world.anonymous.post('/api/auth/send-otp-signup', { phone }).expect(200);
  const code = world.otps.get(phone);
  const signUpBody = { phone, code, firstName: name, lastName: 'Field', ...more };
  const { body } = await world.anonymous.post('/api/auth/verify-otp-signup', signUpBody).expect(201);
  expect(body.user.approvalStatus).toBe('PENDING');
  workers[name] = { ...world.bearer(body.token), id: body.user.id, phone };
}

async function logIn(name: string): Promise<void> {
  const { phone, id } = as(name);
  await world.anonymous.post('/api/auth/send-otp-login', { phone }).expect(200);
  const { body } = await world.anonymous
    .post('/api/auth/verify-otp-login', { phone, code: world.otps.get(phone) })
    .expect(200);
  workers[name] = { ...world.bearer(body.token), id, phone };
}

/** Ten minutes later `name` does an interview. */
async function interview(name: string, location: string, referralCode?: string): Promise<Body> {
  world.clock.advance(10 * 60_000);
  const survey = { location, responses: ANSWERS, ...(referralCode ? { referralCode } : {}) };
  return (await as(name).post('/api/surveys', survey).expect(201)).body;
}

const listOf = async (who: Verbs) =>
  (await who.get('/api/surveys').expect(200)).body.data.map((survey: { id: string }) => survey.id);

test('the super admin creates the sites, which people see when they sign up', async () => {
  const place = async (name: string, type: string) =>
    (await root.post('/api/locations', { name, type }).expect(201)).body.id;
  [shelter, clinic] = [await place('Harbor shelter', 'SHELTER'), await place('Hill clinic', 'CLINIC')];
  const { body } = await world.anonymous.get('/api/locations').expect(200);
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(['Harbor shelter', 'Hill clinic']);
});

test('four people sign up by phone and one-time code, and are pending', async () => {
  await signUp('Ana', { role: 'ADMIN' });
  await signUp('Mo', { role: 'MANAGER', location: shelter });
  await signUp('Vera', { location: shelter });
  await signUp('Vic', { location: shelter });
  for (const name of ['Ana', 'Mo', 'Vera', 'Vic']) {
    await as(name).get('/api/surveys').expect(403);
    const { body } = await as(name).get('/api/auth/session').expect(200);
    expect(body.user).toMatchObject({ firstName: name, approvalStatus: 'PENDING' });
  }
});

test('the super admin approves the admin, who approves the manager, who approves the volunteers', async () => {
  const approve = (who: Verbs, name: string) =>
    who.patch(`/api/users/${as(name).id}`, { approvalStatus: 'APPROVED' });
  await approve(as('Mo'), 'Vera').expect(403);
  await approve(root, 'Ana').expect(200);
  await approve(as('Ana'), 'Mo').expect(200);
  for (const name of ['Vera', 'Vic']) {
    const { body } = await approve(as('Mo'), name).expect(200);
    expect(body).toMatchObject({ approvalStatus: 'APPROVED', approvedBy: as('Mo').id });
  }
  await approve(as('Vera'), 'Vic').expect(403);
  for (const name of ['Ana', 'Mo', 'Vera', 'Vic']) await as(name).get('/api/surveys').expect(200);
});

test('a seed is created, and its coupon is valid', async () => {
  const { body: seed } = await as('Vera')
    .post('/api/seeds', { location: shelter, note: 'knows many' })
    .expect(201);
  expect(seed).toMatchObject({ kind: 'PLANNED', location: shelter, survey: null, createdBy: as('Vera').id });
  const { body } = await as('Vic').get(`/api/validate-referral-code/${seed.referralCode}`).expect(200);
  expect(body).toMatchObject({ code: seed.referralCode, isValid: true, reason: null });
  surveys.seed = seed;
});

test('the first interview uses the seed’s coupon: wave 0, with three coupons to hand out', async () => {
  const first = await interview('Vera', shelter, surveys.seed.referralCode);
  expect(first).toMatchObject({
    seed: surveys.seed.id,
    recruiter: null,
    wave: 0,
    networkSize: 12,
    flags: [],
  });
  expect(new Set(first.issuedCodes).size).toBe(3);
  surveys.first = first;
  expect((await as('Vera').get(`/api/seeds/${surveys.seed.id}`).expect(200)).body.survey).toBe(first.id);
});

test('the first recruit, with the coupon typed in lower case, is wave 1, the next wave 2', async () => {
  const [code] = surveys.first.issuedCodes;
  const typed = `${code.slice(0, 4)}-${code.slice(4)}`.toLowerCase();
  const second = await interview('Vic', shelter, typed);
  expect(second).toMatchObject({
    referralCode: code,
    seed: surveys.seed.id,
    recruiter: surveys.first.id,
    wave: 1,
  });
  const third = await interview('Vera', shelter, second.issuedCodes[2]);
  expect(third).toMatchObject({ seed: surveys.seed.id, recruiter: second.id, wave: 2 });
  Object.assign(surveys, { second, third });
});

test('used and invented coupons are rejected', async () => {
  const [code] = surveys.first.issuedCodes;
  const again = { location: shelter, responses: ANSWERS, referralCode: code };
  const { body } = await as('Vic').post('/api/surveys', again).expect(409);
  expect(body.code).toBe('REFERRAL_CODE_USED');
  const { body: check } = await as('Vic').get(`/api/validate-referral-code/${code}`).expect(200);
  expect(check).toMatchObject({ isValid: false, reason: 'USED' });
  await as('Vic')
    .post('/api/surveys', { ...again, referralCode: '00000000' })
    .expect(404);
});

test('a person without a coupon starts a chain as a walk-in seed', async () => {
  const walkIn = await interview('Vic', shelter);
  expect(walkIn).toMatchObject({ recruiter: null, wave: 0 });
  expect(walkIn.seed).not.toBe(surveys.seed.id);
  const { body } = await as('Vic').get(`/api/seeds/${walkIn.seed}`).expect(200);
  expect(body).toMatchObject({ kind: 'WALK_IN', survey: walkIn.id, location: shelter });
  surveys.walkIn = walkIn;
});

test('volunteers see their own surveys of today at their site, the manager the site’s, the admin all', async () => {
  surveys.elsewhere = (
    await root.post('/api/surveys', { location: clinic, responses: ANSWERS }).expect(201)
  ).body;
  const id = (name: string) => surveys[name].id;
  expect((await listOf(as('Vera'))).sort()).toEqual([id('first'), id('third')].sort());
  expect((await listOf(as('Vic'))).sort()).toEqual([id('second'), id('walkIn')].sort());
  const site = [id('first'), id('second'), id('third'), id('walkIn')];
  expect((await listOf(as('Mo'))).sort()).toEqual([...site].sort());
  expect((await listOf(as('Ana'))).sort()).toEqual([...site, id('elsewhere')].sort());
  await as('Vera')
    .get(`/api/surveys/${id('second')}`)
    .expect(403);
});

test('a volunteer corrects an answer, and the change is recorded with its author', async () => {
  const url = `/api/surveys/${surveys.third.id}`;
  const { body } = await as('Vera')
    .patch(url, { responses: { ...ANSWERS, networkSize: 20 } })
    .expect(200);
  expect(body).toMatchObject({ networkSize: 20, version: surveys.third.version + 1 });
  const { body: history } = await as('Vera').get(`${url}/history`).expect(200);
  const changes = history.flatMap((entry: { by: string; changes: object[] }) =>
    entry.by === as('Vera').id ? entry.changes : [],
  );
  expect(changes).toContainEqual({ path: 'responses.networkSize', before: 12, after: 20 });
});

test('a volunteer who moves to the clinic sees the clinic’s surveys and no longer the shelter’s', async () => {
  const moved = await interview('Vic', clinic, surveys.first.issuedCodes[1]);
  expect(moved).toMatchObject({ wave: 1, recruiter: surveys.first.id });
  expect(await listOf(as('Vic'))).toEqual([moved.id]);
});

test('the next day only the super admin sees the surveys', async () => {
  world.clock.set('2027-06-16T07:00:00Z'); // midnight
  for (const name of ['Ana', 'Mo', 'Vera', 'Vic']) {
    await logIn(name);
    expect(await listOf(as(name))).toEqual([]);
  }
  await as('Vera').get(`/api/surveys/${surveys.first.id}`).expect(403);
  expect(await listOf(root)).toHaveLength(6);
});

test('the next day yesterday’s coupon is still valid', async () => {
  const today = await interview('Vera', shelter, surveys.third.issuedCodes[0]);
  expect(today).toMatchObject({ wave: 3, recruiter: surveys.third.id, seed: surveys.seed.id });
  expect(await listOf(as('Vera'))).toEqual([today.id]);
  expect(await listOf(as('Mo'))).toEqual([today.id]);
});

test('a person who loses approval has no access until approved again', async () => {
  await as('Ana')
    .patch(`/api/users/${as('Vic').id}`, { approvalStatus: 'PENDING' })
    .expect(200);
  await as('Vic').get('/api/seeds').expect(403);
  await as('Ana')
    .patch(`/api/users/${as('Vic').id}`, { approvalStatus: 'APPROVED' })
    .expect(200);
  await as('Vic').get('/api/seeds').expect(200);
});
