/** Read tokens of programs: what each opens, what it is refused, and when it ends. */
import mongoose from 'mongoose';
import { apiRoutes } from '../../src/routes.ts';
import { TOKEN_SCOPE_API_PATHS, type TokenScope } from '../../src/study/tokens/schema.ts';
import { insertSurvey, smallQuestionnaire } from '../make.ts';
import { type Person, type Verbs, worldOfFile } from '../people.ts';

const DAY = 86_400_000;
const SCOPES = Object.keys(TOKEN_SCOPE_API_PATHS) as TokenScope[];
const world = worldOfFile();
let site: string;
let root: Person;
beforeAll(async () => {
  site = await world.place();
  root = await world.person({ role: 'SUPER_ADMIN' });
  await world.person({ role: 'SUPER_ADMIN' });
});
beforeEach(() => world.clock.set('2027-06-15T19:20:30.250Z'));

interface CreatedToken {
  id: string;
  token: string;
  program: Verbs;
}
async function createToken(scopes: TokenScope[], by = root, expiresOn = '2028-06-14'): Promise<CreatedToken> {
  const { body } = await by.post('/api/tokens', { name: 'R', scopes, expiresOn }).expect(201);
  return { ...body, program: world.bearer(body.token) };
}
const SUMMARY = '/api/recruitment/summary';

test('a token is shown once, and only its hash is stored', async () => {
  const { id, token } = await createToken(['RESULTS']);
  expect(token).toMatch(/^fst_[\w-]{43}$/);
  const { body } = await root.get('/api/tokens').expect(200);
  const listed = body.data.find((one: { id: string }) => one.id === id);
  expect(listed).toEqual({
    ...{ id, name: 'R', scopes: ['RESULTS'], expiresOn: '2028-06-14', lastUsedAt: null },
    ...{ createdBy: root.id, createdAt: '2027-06-15T19:20:30.250Z' },
  });
  const stored = await mongoose.connection.collection('readtokens').find().toArray();
  const events = await mongoose.connection.collection('auditevents').find().toArray();
  expect(JSON.stringify([stored, events])).not.toContain(token);
});

test('it lasts a year at most, and through its last day', async () => {
  const ask = (expiresOn: string) => root.post('/api/tokens', { name: 'R', scopes: ['RESULTS'], expiresOn });
  for (const day of ['2028-06-16', '2027-06-13', '2027-02-30']) {
    const { body } = await ask(day).expect(400);
    expect(body.errors[0].path).toBe('expiresOn');
  }
  const { program } = await createToken(['RECRUITMENT'], root, '2027-06-16');
  world.clock.advance(DAY);
  await program.get(SUMMARY).expect(200);
  world.clock.advance(2 * DAY);
  await program.get(SUMMARY).expect(401);
});

describe('a stolen read token', () => {
  const NAMES = apiRoutes
    .filter(({ access }) => access !== 'public')
    .map(({ method, path }) => `${method} ${path}`);
  const stolen = new Map<string, CreatedToken>();
  beforeAll(async () => {
    world.clock.set('2027-06-15T19:20:30.250Z');
    for (const scope of SCOPES) stolen.set(scope, await createToken([scope]));
  });
  /** Only super-admins may. */
  const SUPER_ADMINS = ['get /api/analysis/publication', 'get /api/exports/cards.csv'];
  const opens = (name: string, scope: TokenScope) =>
    name.startsWith(`get ${TOKEN_SCOPE_API_PATHS[scope]}`) && !SUPER_ADMINS.includes(name);

  test.each(NAMES)('is refused by %s unless it is a GET of its scope', async (name) => {
    const [method = 'get', path = ''] = name.split(' ');
    const url = path.replace(/:\w+/g, '0123456789abcdef01234567');
    for (const scope of SCOPES) {
      const { status } = await (stolen.get(scope) as CreatedToken).program[method as 'get'](url);
      if (opens(name, scope)) expect([401, 403]).not.toContain(status);
      else expect({ scope, status }).toEqual({ scope, status: 403 });
    }
  });
});

test('it is good for HEAD where it is good for GET', async () => {
  const { token } = await createToken(['RECRUITMENT']);
  const head = async (path: string) => {
    const request = { method: 'HEAD', headers: { Authorization: `Bearer ${token}` } };
    return (await fetch(world.url + path, request)).status;
  };
  expect(await head(SUMMARY)).toBe(200);
  expect(await head('/api/users')).toBe(403);
});

describe('it has the permissions of an admin', () => {
  test('it reads every interview with EXPORTS, and none of a day that is over without', async () => {
    await smallQuestionnaire(world);
    const long = new Date('2027-01-01T12:00:00Z');
    const author = await world.person({ location: site });
    const id = await insertSurvey(world, { createdBy: author.id, location: site, createdAt: long });
    const { program } = await createToken(['EXPORTS']);
    const { text } = await program.get('/api/exports/interviews.csv').expect(200);
    expect(text).toContain(id);
    const other = await createToken(['RESULTS', 'RECRUITMENT']);
    await other.program.get('/api/exports/interviews.csv').expect(403);
  });

  test('it can read results, but not those of a few days, which would undo the hiding of small cells', async () => {
    const { program } = await createToken(['RESULTS']);
    await program.get('/api/analysis/outcomes').expect(200);
    await program.get('/api/analysis/outcomes?from=2027-01-01').expect(403);
    await root.get('/api/analysis/outcomes?from=2027-01-01').expect(200);
  });
});

describe('it ends', () => {
  test('with DELETE, once', async () => {
    const { id, program } = await createToken(['RECRUITMENT']);
    await program.get(SUMMARY).expect(200);
    await root.delete(`/api/tokens/${id}`).expect(204);
    await program.get(SUMMARY).expect(401);
    await root.delete(`/api/tokens/${id}`).expect(404);
  });

  test.each([
    ['another role', { role: 'ADMIN' }, { role: 'SUPER_ADMIN' }],
    ['a lost approval', { approvalStatus: 'PENDING' }, { approvalStatus: 'APPROVED' }],
  ])('with %s of its creator, for good', async (_, change, back) => {
    const maker = await world.person({ role: 'SUPER_ADMIN' });
    const { program } = await createToken(['RECRUITMENT'], maker);
    await program.get(SUMMARY).expect(200);
    await root.patch(`/api/users/${maker.id}`, change).expect(200);
    await program.get(SUMMARY).expect(401);
    await root.patch(`/api/users/${maker.id}`, back).expect(200);
    await program.get(SUMMARY).expect(401);
  });

  test('with the deletion of its creator, even if only the record shows it', async () => {
    const maker = await world.person({ role: 'SUPER_ADMIN' });
    const [first, second] = [
      await createToken(['RECRUITMENT'], maker),
      await createToken(['RECRUITMENT'], root),
    ];
    await root.delete(`/api/users/${maker.id}`).expect(204);
    await first.program.get(SUMMARY).expect(401);
    const _id = new mongoose.Types.ObjectId(second.id);
    await mongoose.connection
      .collection('readtokens')
      .updateOne({ _id }, { $set: { createdBy: new mongoose.Types.ObjectId(maker.id) } });
    await second.program.get(SUMMARY).expect(401);
  });
});

test('its reads are in the history under its own name, and when it was last used to the hour', async () => {
  const { id, program } = await createToken(['EXPORTS', 'RECRUITMENT']);
  const author = await world.person({ location: site });
  await insertSurvey(world, { createdBy: author.id, location: site });
  await program.get('/api/exports/interviews.csv').expect(200);
  await program.get(SUMMARY).expect(200);
  await program.get(SUMMARY).expect(200);
  const { body } = await root.get(`/api/audit?by=${id}`).expect(200);
  const events = body.data.map(
    ({ subject, action, changes }: { subject: string; action: string; changes: { after: string }[] }) =>
      `${action} ${subject} ${changes[0]?.after}`,
  );
  expect(events.sort()).toEqual([
    'download Export interviews.csv',
    'read Export interviews.csv',
    `read ReadToken ${SUMMARY}`,
  ]);
  expect(body.data[0].names[id]).toMatchObject({ subject: 'ReadToken', name: 'R' });
  const { body: list } = await root.get('/api/tokens').expect(200);
  const { lastUsedAt } = list.data.find((one: { id: string }) => one.id === id);
  expect(lastUsedAt).toBe('2027-06-15T19:00:00.000Z');
});

test('there are at most 50, and expired ones don’t count', async () => {
  const count = async () =>
    await mongoose.connection
      .collection('readtokens')
      .countDocuments({ deletedAt: null, expiresAt: { $gt: world.clock.now() } });
  for (let valid = await count(); valid < 50; valid += 1) await createToken(['RESULTS']);
  const body = { name: 'one more', scopes: ['RESULTS'], expiresOn: '2028-06-14' };
  const { body: refusal } = await root.post('/api/tokens', body).expect(409);
  expect(refusal.code).toBe('INVALID_TRANSITION');
  world.clock.advance(366 * DAY);
  await createToken(['RESULTS'], root, '2028-07-01');
});
