/** Common behaviour of all routes: order of checks, unknown paths and methods, ids, headers. */
import type { Response } from 'supertest';
import { makeSeed } from '../make.ts';
import type { Test } from '../people.ts';
import { castOfFile, NOBODY, refused, refusedAt, submit, tally, times } from './kit.ts';

const cast = castOfFile();

describe('errors are checked in this order:', () => {
  test('an unknown path is 404 as JSON, before the token is checked', async () => {
    for (const path of ['/api/nothing', '/api/surveys/a/b/c', '/api/users/x/y'])
      for (const caller of [cast.world.anonymous, cast.volunteer]) {
        const answer = await caller.get(path);
        refused(answer, 404);
        expect(answer.headers['content-type']).toMatch(/^application\/json/);
      }
    refused(await cast.world.anonymous.post('/api/nothing', { a: 1 }), 404);
  });

  test.each([
    ['put', '/api/surveys', 'GET, HEAD, POST'],
    ['delete', '/api/surveys', 'GET, HEAD, POST'],
    ['post', `/api/surveys/${NOBODY}`, 'DELETE, GET, HEAD, PATCH'],
    ['get', '/api/auth/send-otp-login', 'POST'],
    ['patch', '/api/locations', 'GET, HEAD, POST'],
    ['delete', '/api/study', 'GET, HEAD, PATCH'],
    ['post', '/api/validate-referral-code/ABCDEFGC', 'GET, HEAD'],
    ['delete', '/api/health/live', 'GET, HEAD'],
  ] as const)(
    'a known path with another method is 405 with Allow, before the token: %s %s',
    async (method, path, allow) => {
      for (const caller of [cast.world.anonymous, cast.root]) {
        const answer = await caller[method](path);
        refused(answer, 405);
        expect(
          String(answer.headers.allow)
            .split(/, */)
            .sort()
            .filter((name) => name !== 'OPTIONS')
            .join(', '),
        ).toBe(allow);
      }
    },
  );

  test('401 comes before the body is validated', async () => {
    refused(await raw(cast.world.anonymous.post('/api/surveys'), '{"broken'), 401);
    refused(await cast.world.anonymous.post('/api/locations', { nonsense: 1 }), 401);
    refused(await cast.world.anonymous.get(`/api/surveys/${NOBODY}?limit=x`), 401);
  });

  test('403 for an unapproved person comes before the body and the record', async () => {
    for (const approvalStatus of ['PENDING', 'REJECTED'] as const) {
      const person = await cast.world.person({ role: 'SUPER_ADMIN', approvalStatus });
      refused(await raw(person.post('/api/surveys'), '{"broken'), 403);
      refused(await person.get(`/api/surveys/${NOBODY}`), 403);
      refused(await person.get('/api/surveys?bogus=1'), 403);
    }
  });

  test('400 for the body comes before 404 for the record', async () => {
    for (const path of [`/api/surveys/${NOBODY}`, `/api/locations/${NOBODY}`, `/api/users/${NOBODY}`])
      refused(await cast.root.patch(path, { nonsense: 1 }), 400, 'VALIDATION_ERROR');
    refused(await cast.root.get(`/api/surveys/${NOBODY}?bogus=1`), 400, 'INVALID_QUERY');
  });

  test('400 for the body comes before 403 for permissions', async () => {
    refused(await cast.volunteer.post('/api/locations', { nonsense: 1 }), 400, 'VALIDATION_ERROR');
    refused(await cast.volunteer.post('/api/locations', { name: 'A place', type: 'OTHER' }), 403);
  });

  test('404 for the record comes before 403 for permissions', async () => {
    refused(await cast.volunteer.delete(`/api/surveys/${NOBODY}`), 404);
    refused(await cast.volunteer.delete(`/api/locations/${NOBODY}`), 404);
    refused(await cast.volunteer.delete(`/api/surveys/${(await submit(cast)).id}`), 403);
  });

  test('403 for permissions comes before 409 for the state', async () => {
    const survey = await submit(cast);
    refused(await cast.volunteer.delete(`/api/seeds/${survey.seed}`), 403);
    const stranger = await cast.world.person({ location: cast.site });
    refused(await stranger.patch(`/api/surveys/${survey.id}`, { status: 'IN_PROGRESS' }), 403);
    refused(
      await stranger
        .patch(`/api/surveys/${survey.id}`, { responses: { networkSize: 1 } })
        .set('If-Match', '"99"'),
      403,
    );
  });
});

const raw = (test: Test, body: string, type = 'application/json') =>
  test.set('Content-Type', type).send(body);

test.each([
  'xyz',
  NOBODY,
  'abcdefghijkl',
  '0123456789ABCDEF0123456',
  '%00',
  '%F0%9F%98%80',
  '-1',
  '[object Object]',
  '__proto__',
  'constructor',
])('an id that is malformed or unknown is 404: %s', async (id) => {
  for (const resource of ['surveys', 'seeds', 'users', 'locations', 'questionnaires'])
    refused(await cast.root.get(`/api/${resource}/${encodeURI(decodeURIComponent(id))}`), 404);
});

test.each([
  '/api/surveys/%zz',
  '/api/validate-referral-code/%E0%A4%A',
  '/api/users/%',
  '/api/surveys?limit=%zz',
  '/api/locations?cursor=%',
])('broken percent-encoding is 400: %s', async (path) => {
  expect((await cast.root.get(path)).status).toBe(400);
});

test('a query that can’t be decoded is 400 only after checks of path, method and token', async () => {
  refused(await cast.root.get('/api/nothing?x=%zz'), 404);
  refused(await cast.root.put('/api/study?x=%zz'), 405);
  refused(await cast.world.anonymous.get('/api/users?x=%zz'), 401);
  refused(await cast.root.get('/api/users?x=%zz'), 400, 'INVALID_QUERY');
});

test('HEAD returns the same as GET without a body', async () => {
  for (const path of ['/api/locations', '/api/surveys', '/api/study', `/api/surveys/${NOBODY}`]) {
    const head = await fetch(cast.world.url + path, {
      method: 'HEAD',
      headers: { Authorization: `Bearer ${cast.root.token}` },
    });
    expect([path, head.status, await head.text()]).toEqual([path, (await cast.root.get(path)).status, '']);
  }
});

test('ignores a trailing slash', async () => {
  await cast.root.get('/api/surveys/').expect(200);
  const { id } = await makeSeed(cast.world, cast.volunteer, { location: cast.site });
  await cast.root.get(`/api/seeds/${id}/`).expect(200);
  refused(await cast.root.put('/api/surveys/'), 405);
  await cast.admin.delete(`/api/seeds/${id}/`).expect(204);
});

describe('tokens:', () => {
  const withHeader = (value: string) => cast.world.anonymous.get('/api/study').set('Authorization', value);

  test('the scheme name is case-insensitive', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      await withHeader(`${scheme} ${cast.root.token}`).expect(200);
  });

  test('a bare, empty or altered token or another scheme is 401', async () => {
    const { token } = cast.root;
    for (const value of [
      token,
      `Basic ${token}`,
      'Bearer',
      'Bearer ',
      `Bearer ${token.slice(0, -3)}abc`,
      `Bearer ${token} x`,
    ])
      refused(await withHeader(value), 401);
  });

  test('a token without a signature, or signed by another algorithm, is 401', async () => {
    const [, payload] = cast.root.token.split('.');
    const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
    refused(await withHeader(`Bearer ${header}.${payload}.`), 401);
  });
});

const EVERYWHERE: [name: string, make: () => PromiseLike<Response>][] = [
  ['200', () => cast.root.get('/api/study')],
  ['the public list', () => cast.world.anonymous.get('/api/locations')],
  [
    '204',
    async () =>
      cast.admin.delete(`/api/seeds/${(await makeSeed(cast.world, cast.admin, { location: cast.site })).id}`),
  ],
  ['400', () => raw(cast.root.post('/api/surveys'), '{"broken')],
  ['401', () => cast.world.anonymous.get('/api/study')],
  ['403', () => cast.volunteer.get('/api/users')],
  ['404', () => cast.root.get('/api/nothing')],
  ['405', () => cast.root.put('/api/study')],
  ['413', () => raw(cast.root.post('/api/surveys'), `{"a":"${'x'.repeat(1_100_000)}"}`)],
  ['415', () => raw(cast.root.post('/api/surveys'), 'a=1', 'text/plain')],
  ['400 for a broken path', () => cast.root.get('/api/surveys/%zz')],
  ['a page of the documentation', () => cast.world.anonymous.get('/documentation/')],
  ['the OpenAPI document', () => cast.world.anonymous.get('/documentation/openapi.json')],
  ['health', () => cast.world.anonymous.get('/api/health/live')],
];

describe.each(EVERYWHERE)('headers of %s', (name, make) => {
  test('include nosniff, frame, referrer and content policies and the request id', async () => {
    const { headers } = await make();
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(`${headers['x-frame-options']} ${headers['content-security-policy']}`).toMatch(
      /DENY|SAMEORIGIN|frame-ancestors '(none|self)'/i,
    );
    expect(headers['referrer-policy']).toMatch(/\S/);
    expect(headers['content-security-policy']).toMatch(/default-src/);
    expect(headers['content-security-policy']).toContain("font-src 'self';");
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(headers['x-powered-by']).toBeUndefined();
  });

  test('forbid caching under /api, except for the public list of locations', async () => {
    const { headers } = await make();
    if (name === 'the public list') expect(headers['cache-control'] ?? '').not.toContain('no-store');
    else if (!/documentation|OpenAPI/.test(name)) expect(headers['cache-control']).toContain('no-store');
  });
});

test.each(['abc', 'A_b-9', 'x'.repeat(64)])('a valid X-Request-Id is kept: %s', async (id) => {
  for (const path of ['/api/study', '/api/nothing', '/api/locations']) {
    const { headers } = await cast.root.get(path).set('X-Request-Id', id);
    expect(headers['x-request-id']).toBe(id);
  }
});

test.each(['a b', 'x'.repeat(65), 'a/b', '<script>', 'a,b', 'é'])(
  'an invalid X-Request-Id is replaced: %s',
  async (id) => {
    const { headers } = await cast.root.get('/api/study').set('X-Request-Id', id);
    expect(headers['x-request-id']).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    expect(headers['x-request-id']).not.toBe(id);
  },
);

test('every request has its own id', async () => {
  const answers = await Promise.all(times(20, () => cast.root.get('/api/study').then((answer) => answer)));
  expect(tally(answers)).toEqual({ 200: 20 });
  expect(new Set(answers.map(({ headers }) => headers['x-request-id'])).size).toBe(20);
});

test('a validation error has its path, at every depth', async () => {
  refusedAt(
    await cast.volunteer.post('/api/surveys', {
      location: cast.site,
      responses: { networkSize: 1 },
      coordinates: { latitude: 1, longitude: 2, secret: { deep: 1 } },
    }),
    'coordinates.secret',
  );
});
