/** Input of hostile or broken callers is rejected clearly, never with a 500. */
import { makeSeed } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';

let site: string;
let vera: Person;
const world = worldOfFile();
beforeAll(async () => {
  site = await world.place();
  vera = await world.person({ location: site });
});

const begun = (responses: object) => ({ location: site, status: 'IN_PROGRESS', responses });

test.each([
  ['inside an answer', { answer: { _bsontype: 'ObjectId' } }],
  ['among the answers', { _bsontype: 'Long' }],
])('a _bsontype key is rejected %s', async (_, responses) => {
  const { body } = await vera.post('/api/surveys', begun(responses)).expect(400);
  expect(body.code).toBe('VALIDATION_ERROR');
  expect(body.errors[0].path).toMatch(/_bsontype$/);
});

test('a null character after a second question mark in the query is rejected', async () => {
  const ada = await world.person({ role: 'ADMIN' });
  const { body } = await ada.get('/api/users?search=a?%00b').expect(400);
  expect(body.code).toBe('INVALID_QUERY');
});

test('an interview with too many values is rejected', async () => {
  const { body } = await vera.post('/api/surveys', begun({ many: Array(400_000).fill(1) })).expect(400);
  expect(body.errors[0].message).toMatch(/values/);
});

test.each(['Survey', 'ReferralCode', 'User', 'Seed', 'Questionnaire'])(
  'a grant on %s with a condition that does not apply to it lists without an error',
  async (subject) => {
    const path = {
      Survey: 'surveys',
      ReferralCode: 'referral-codes',
      User: 'users',
      Seed: 'seeds',
      Questionnaire: 'questionnaires',
    }[subject];
    const everyCondition = ['IS_SELF', 'IS_CREATED_BY_SELF', 'HAS_SAME_LOCATION', 'HAS_VOLUNTEER_ROLE'];
    for (const condition of everyCondition) {
      const permissions = ['read', 'list'].map((action) => ({ action, subject, conditions: [condition] }));
      const granted = await world.person({ location: site, permissions });
      await granted.get(`/api/${path}?total=true`).expect(200);
    }
  },
);

test.each(['IS_CREATED_BY_SELF', 'HAS_VOLUNTEER_ROLE'])(
  'a grant on codes with a condition that does not apply to them (%s) hides the codes of seeds without an error',
  async (condition) => {
    const { id } = await makeSeed(world, vera, { location: site });
    const permissions = [{ action: 'read', subject: 'ReferralCode', conditions: [condition] }];
    const granted = await world.person({ location: await world.place(), permissions });
    expect((await granted.get(`/api/seeds/${id}`).expect(200)).body.referralCode).toBeNull();
    await granted.get('/api/seeds').expect(200);
  },
);

test.each([
  ['a file that does not exist', '/assets/gone-since-the-update.js', {}, 404],
  ['a path outside the folder', '/assets/..%2f..%2fpackage.json', {}, 404],
  ['a name longer than any file has', `/assets/${'a'.repeat(5000)}`, {}, 404],
  ['a range beyond the end', '/documentation/swagger-ui.css', { Range: 'bytes=99999999-' }, 416],
  ['a precondition that fails', '/documentation/swagger-ui.css', { 'If-Match': '"x"' }, 412],
])('for static files, %s is rejected without a 500', async (_, path, headers, status) => {
  const request = world.anonymous.get(path);
  for (const [name, value] of Object.entries(headers)) void request.set(name, value);
  const { body } = await request.expect(status);
  expect(Object.keys(body)).toEqual(['message']);
});
