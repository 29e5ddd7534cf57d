/** Queries accept only listed parameters with plain strings; anything else is 400 INVALID_QUERY. */
import { castOfFile, NOBODY, refused } from './kit.ts';

const cast = castOfFile();

const LISTS: [path: string, filters: string[]][] = [
  ['/api/surveys', ['location', 'seed', 'recruiter', 'status', 'createdBy', 'from', 'to']],
  ['/api/users', ['location', 'status', 'role', 'search']],
  ['/api/seeds', []],
  ['/api/locations', []],
  ['/api/questionnaires', []],
  ['/api/referral-codes', ['state', 'seed', 'survey', 'batch']],
];

describe.each(LISTS)('GET %s', (path, filters) => {
  test.each([
    '0',
    '-1',
    '201',
    '1.5',
    'abc',
    '',
    '1e2',
    '0x10',
    '5;drop',
    '99999999999999999999',
    'NaN',
    'Infinity',
  ])('limit=%s is 400', async (limit) => {
    refused(await cast.root.get(`${path}?limit=${encodeURIComponent(limit)}`), 400, 'INVALID_QUERY');
  });

  test.each(['1', '200'])('limit=%s is accepted', async (limit) => {
    await cast.root.get(`${path}?limit=${limit}`).expect(200);
  });

  test.each([
    'x',
    '',
    'e30',
    'bnVsbA',
    '{}',
    'eyJhIjp7IiRuZSI6MX19',
    '../../etc',
    'W10',
    'eyJpZCI6eyIkbmUiOm51bGx9fQ',
  ])('a broken cursor is 400: %s', async (cursor) => {
    refused(await cast.root.get(`${path}?cursor=${encodeURIComponent(cursor)}`), 400, 'INVALID_QUERY');
  });

  test.each([
    'bogus=1',
    'limit[$ne]=1',
    'limit[]=1',
    'limit=1&limit=2',
    'sort=createdAt&sort=-createdAt',
    'sort=__proto__',
    'sort=phone',
    'sort=',
    'total=1',
    'total=',
    '__proto__=1',
    '__proto__[a]=1',
    'constructor=1',
    'constructor[prototype][a]=1',
    '$where=1',
    'deletedAt=null',
    '_id=1',
    '=1',
  ])('?%s is 400', async (query) => {
    refused(await cast.root.get(`${path}?${query}`), 400, 'INVALID_QUERY');
  });

  test('filters accept only plain strings', async () => {
    for (const name of filters)
      for (const query of [
        `${name}[$ne]=x`,
        `${name}[]=${NOBODY}`,
        `${name}=${NOBODY}&${name}=${NOBODY}`,
        // An empty search matches everyone; no other filter can be empty.
        ...(name === 'search' ? [] : [`${name}=`]),
        `${name}[a][b]=1`,
      ]) {
        const answer = await cast.root.get(`${path}?${query}`);
        expect([query, answer.status, answer.body.code]).toEqual([query, 400, 'INVALID_QUERY']);
      }
  });

  test('a filter with odd text is never a 500', async () => {
    for (const name of filters)
      for (const value of [
        '%00',
        '%F0%9F%98%80',
        '%5B%24ne%5D',
        '.*',
        '(',
        'x'.repeat(5000),
        '%7B%22%24ne%22%3A1%7D',
        '-1',
        'null',
      ]) {
        const { status } = await cast.root.get(`${path}?${name}=${value}`);
        expect([name, value, [200, 400].includes(status) || status]).toEqual([name, value, true]);
      }
  });

  test('only total=true adds the total', async () => {
    const base = await cast.root.get(path).expect(200);
    expect(base.body).not.toHaveProperty('total');
    const { body } = await cast.root.get(`${path}?total=true&limit=1`).expect(200);
    expect(body.total).toBeGreaterThanOrEqual(body.data.length);
  });
});

test.each([
  '/api/study',
  '/api/questionnaires/active',
  '/api/auth/session',
  '/api/validate-referral-code/ABCDEFGC',
])('a route without parameters rejects any: %s', async (path) => {
  refused(await cast.root.get(`${path}?a=1`), 400, 'INVALID_QUERY');
});

test.each([
  '/api/surveys?',
  '/api/audit?',
  '/api/exports/interviews.csv?',
  '/api/exports/rds.csv?',
  '/api/recruitment/summary?',
  '/api/analysis/outcomes?',
  '/api/analysis/outcomes?counted=false&',
  '/api/analysis/estimates?outcome=location&',
  '/api/analysis/compare?outcome=location&by=location&',
  '/api/analysis/answers?question=location&',
])('an end date before the start date is 400: %s', async (path) => {
  const { body } = await cast.root.get(`${path}from=2027-03-02&to=2027-03-01`).expect(400);
  expect(body).toMatchObject({ code: 'INVALID_QUERY', errors: [{ path: 'to', code: 'DAYS_REVERSED' }] });
  await cast.root.get(`${path}from=2027-03-02&to=2027-03-02`).expect(200);
});

test('to before from is 400; to equal to from is 200', async () => {
  const [at, before] = ['2027-03-02T10:00:00Z', '2027-03-02T09:59:59Z'];
  await cast.root.get(`/api/surveys?from=${at}&to=${before}`).expect(400);
  await cast.root.get(`/api/surveys?from=${at}&to=${at}`).expect(200);
  await cast.root.get(`/api/surveys?from=${at}&to=2027-03-01`).expect(400);
});

test('the user search is plain text, not a pattern', async () => {
  await cast.world.person({ firstName: 'Zoë', lastName: 'Quartz' });
  for (const search of ['.*', 'Q.artz', '^', 'Quartz|x', '(((((a+)+)+)+)+$'])
    expect(
      (await cast.root.get(`/api/users?search=${encodeURIComponent(search)}`).expect(200)).body.data,
    ).toEqual([]);
  expect((await cast.root.get('/api/users?search=quar%20zo').expect(200)).body.data).toHaveLength(1);
});

test('a cursor with extra characters is 400', async () => {
  for (const _ of [1, 2]) await cast.world.person();
  const { nextCursor } = (await cast.root.get('/api/users?limit=1').expect(200)).body;
  await cast.root.get(`/api/users?cursor=${nextCursor}`).expect(200);
  for (const cursor of [`${nextCursor}!!`, `!${nextCursor}`])
    refused(await cast.root.get(`/api/users?cursor=${cursor}`), 400, 'INVALID_QUERY');
});

test('the cursor of another list returns no data', async () => {
  for (const _ of [1, 2]) await cast.world.person();
  const { body } = await cast.root.get('/api/users?limit=1').expect(200);
  const answer = await cast.volunteer.get(`/api/surveys?cursor=${encodeURIComponent(body.nextCursor)}`);
  expect([200, 400]).toContain(answer.status);
  expect(answer.body.data ?? []).toEqual([]);
});
