/** Malformed and hostile bodies are rejected with a 4xx, and the service continues. */
import { gzipSync } from 'node:zlib';
import { ANSWERS } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, draft, NOBODY, read, refused, submit } from './kit.ts';

const cast = castOfFile();
afterEach(async () => {
  await cast.root.get('/api/study').expect(200);
  expect(({} as Record<string, unknown>).polluted).toBeUndefined();
});

const send = (
  person: Person,
  path: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
) =>
  fetch(cast.world.url + path, {
    method: 'POST',
    headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json', ...headers },
    body,
    signal: AbortSignal.timeout(10_000), // an answer that never comes fails its own test, not the file
  });
const outcome = async (answer: Response): Promise<unknown[]> => {
  const { code } = (await answer.json()) as { code?: string };
  return [answer.status, code];
};

/** Each route with a body, and a valid body. */
const ROUTES: [path: string, body: () => Record<string, unknown>][] = [
  [
    '/api/surveys',
    () => ({
      ...draft(cast),
      clientId: '5f0c3c3e-6f0a-4f5e-9d4b-2f2f2f2f2f2f',
      status: 'COMPLETED',
      referralCode: 'ABCDEFGC',
      questionnaire: NOBODY,
      startedAt: '2026-01-01T00:00:00Z',
      issuedCodes: [],
      coordinates: { latitude: 1, longitude: 1 },
      onCodeProblem: 'FLAG',
    }),
  ],
  ['/api/seeds', () => ({ location: cast.site, note: 'x' })],
  [
    '/api/locations',
    () => ({ name: 'Operators', type: 'OTHER', address: 'x', coordinates: { latitude: 1, longitude: 1 } }),
  ],
  [
    '/api/users',
    () => ({
      phone: '+12065550199',
      firstName: 'A',
      lastName: 'B',
      role: 'VOLUNTEER',
      email: 'a@example.org',
      location: cast.site,
      approvalStatus: 'PENDING',
    }),
  ],
  ['/api/questionnaires', () => ({ name: 'Operators', definition: {}, networkSizeQuestion: 'x' })],
  ['/api/referral-codes/blocks', () => ({ count: 1 })],
  ['/api/referral-codes/batches', () => ({ count: 1, location: cast.site, note: 'x' })],
  ['/api/auth/send-otp-signup', () => ({ phone: '+12065550198' })],
  ['/api/auth/send-otp-login', () => ({ phone: '+12065550198' })],
  ['/api/auth/verify-otp-login', () => ({ phone: '+12065550198', code: '123456' })],
  [
    '/api/auth/verify-otp-signup',
    () => ({ phone: '+12065550198', code: '123456', firstName: 'A', lastName: 'B' }),
  ],
];

describe.each(ROUTES)('POST %s', (path, valid) => {
  test.each(['', '{', '{"a":}', "{'a':1}", '{"a":1}}', 'undefined', '[1,', '\u0000', 'nul'])(
    'malformed JSON is 400 MALFORMED_JSON: %j',
    async (body) => {
      const [status, code] = await outcome(await send(cast.root, path, body));
      expect(status).toBe(400);
      expect(body === '' ? ['MALFORMED_JSON', 'VALIDATION_ERROR'] : ['MALFORMED_JSON']).toContain(code);
    },
  );

  test.each(['[]', '[{}]', '"text"', '42', 'null', 'true', '{}'])(
    'a body that is not an object with the fields is 400: %s',
    async (body) => {
      const [status, code] = await outcome(await send(cast.root, path, body));
      expect(status).toBe(400);
      expect(['MALFORMED_JSON', 'VALIDATION_ERROR']).toContain(code);
    },
  );

  test('an operator object in any text field is 400', async () => {
    for (const field of Object.keys(valid())) {
      if (field === 'responses' || field === 'definition') continue;
      for (const value of [
        { $ne: null },
        { $gt: '' },
        { $where: 'sleep(1000)' },
        [[{ $ne: 1 }]],
        { toString: 1 },
      ]) {
        const answer = await cast.root.post(path, { ...valid(), [field]: value });
        expect([field, value, answer.status, answer.body.code]).toEqual([
          field,
          value,
          400,
          'VALIDATION_ERROR',
        ]);
      }
    }
  });

  test('an unknown field is 400, including __proto__, constructor, operators and dotted names', async () => {
    const inner = JSON.stringify(valid()).slice(1);
    for (const key of ['unknown', '__proto__', 'constructor', 'prototype', '$set', 'a.b', '_id', '']) {
      const body = `{${JSON.stringify(key)}:{"polluted":true},${inner}`;
      expect([key, ...(await outcome(await send(cast.root, path, body)))]).toEqual([
        key,
        400,
        'VALIDATION_ERROR',
      ]);
    }
  });

  test('100,000 levels of nesting are 400', async () => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      expect((await send(cast.root, path, deep)).status).toBe(400);
      expect((await send(cast.root, path, `{"location":${deep}}`)).status).toBe(400);
    }
  });
});

test('a body that is not UTF-8 is 400 MALFORMED_JSON', async () => {
  for (const bytes of [
    [0xff, 0xfe],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
  ]) {
    const body = new Uint8Array([...Buffer.from('{"name":"'), ...bytes, ...Buffer.from('","type":"OTHER"}')]);
    expect(await outcome(await send(cast.admin, '/api/locations', body))).toEqual([400, 'MALFORMED_JSON']);
  }
});

test.each([
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/xml',
  'nonsense',
])('a body of another type is 415: %s', async (type) => {
  const answer = await send(cast.root, '/api/surveys', JSON.stringify(draft(cast)), { 'Content-Type': type });
  expect(await outcome(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('a body in another encoding is rejected', async () => {
  for (const charset of ['latin1', 'utf-16', 'nonsense']) {
    const type = `application/json; charset=${charset}`;
    const answer = await send(cast.root, '/api/surveys', JSON.stringify(draft(cast)), {
      'Content-Type': type,
    });
    expect([400, 415]).toContain(answer.status);
  }
});

test('a body without a content type is 415', async () => {
  const answer = await fetch(`${cast.world.url}/api/surveys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${cast.root.token}` },
    body: new Uint8Array(Buffer.from(JSON.stringify(draft(cast)))),
  });
  expect(await outcome(answer)).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON; charset="UTF-8"'])(
  '%s is accepted',
  async (type) => {
    expect(
      (await send(cast.root, '/api/surveys', JSON.stringify(draft(cast)), { 'Content-Type': type })).status,
    ).toBe(201);
  },
);

test('a missing body is 400', async () => {
  const answer = await fetch(`${cast.world.url}/api/surveys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${cast.root.token}` },
  });
  expect((await outcome(answer))[0]).toBe(400);
});

test('a body over 1 MiB is 413 TOO_LARGE, plain, chunked or compressed; one just below is accepted', async () => {
  const size = 1024 * 1024;
  const padded = (bytes: number) => {
    const start = JSON.stringify({ ...draft(cast), zzz: '' }).slice(0, -2);
    return `${start}${'x'.repeat(bytes - start.length - 2)}"}`;
  };
  expect(await outcome(await send(cast.root, '/api/surveys', padded(size + 1)))).toEqual([413, 'TOO_LARGE']);
  expect(await outcome(await send(cast.root, '/api/surveys', padded(size)))).toEqual([
    400,
    'VALIDATION_ERROR',
  ]);
  const packed = new Uint8Array(gzipSync(padded(20 * size)));
  const answer = await send(cast.root, '/api/surveys', packed, { 'Content-Encoding': 'gzip' });
  expect([413, 415]).toContain(answer.status);
});

describe('edge cases of numbers and texts', () => {
  const survey = (part: string) => `{"location":"${cast.site}",${part}}`;

  test.each(['1e999', '-1e999', 'NaN', '"12"', '12.000001e400'])(
    'an invalid number is 400: %s',
    async (number) => {
      for (const part of [
        `"responses":{"networkSize":${number}}`,
        `"responses":{"networkSize":1},"coordinates":{"latitude":${number},"longitude":0}`,
      ])
        if (!(number === '"12"' && part.includes('"networkSize":"12"')))
          expect((await send(cast.root, '/api/surveys', survey(part))).status).toBe(400);
      expect((await send(cast.root, '/api/referral-codes/blocks', `{"count":${number}}`)).status).toBe(400);
    },
  );

  test.each([
    '\\u0000',
    'a\\u0000b',
    '\\ud800',
    '\\udc00\\ud800',
    '\\uffff',
    '\\u202e',
    '$where',
    'a.b',
    '<script>',
  ])('a text such as %s is stored as text or 400, never a 500', async (text) => {
    const body = survey(`"responses":{"networkSize":1,"comment":"${text}"}`);
    const answer = await send(cast.root, '/api/surveys', body);
    expect([201, 400]).toContain(answer.status);
    if (answer.status === 201) {
      const createdSurvey = (await answer.json()) as { id: string };
      expect((await read(cast, createdSurvey.id)).responses.networkSize).toBe(1);
    }
    const place = await send(cast.root, '/api/locations', `{"name":"Edge ${text}","type":"OTHER"}`);
    expect([201, 400]).toContain(place.status);
  });

  test.each([
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    '$set',
    '$where',
    'a.b',
    '',
    'a\\u0000b',
    '.',
    '$',
  ])('responses under the key %j are rejected at completion, and harmless in progress', async (key) => {
    const responses = `{"networkSize":1,"${key}":{"polluted":true}}`;
    expect((await send(cast.root, '/api/surveys', survey(`"responses":${responses}`))).status).toBe(400);
    const open = await send(
      cast.root,
      '/api/surveys',
      survey(`"status":"IN_PROGRESS","responses":${responses}`),
    );
    expect([201, 400]).toContain(open.status);
    if (open.status === 201) {
      const createdSurvey = (await open.json()) as { id: string };
      const url = `/api/surveys/${createdSurvey.id}`;
      expect((await read(cast, createdSurvey.id)).responses.networkSize).toBe(1);
      await cast.root.patch(url, { responses: { networkSize: 2 } }).expect(200);
      await cast.root.get(`${url}/history`).expect(200);
    }
  });

  test('answers nested 100,000 levels deep are 400, also in progress', async () => {
    for (const status of ['COMPLETED', 'IN_PROGRESS']) {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const body = survey(`"status":"${status}","responses":{"comment":${deep}}`);
      expect((await send(cast.root, '/api/surveys', body)).status).toBe(400);
    }
  });

  test('40,000 unknown keys are rejected within 5 seconds', async () => {
    const keys = Array.from({ length: 40_000 }, (_, index) => `"k${index}":1`).join(',');
    const started = Date.now();
    expect((await send(cast.root, '/api/surveys', survey(`"responses":{${keys}}`))).status).toBe(400);
    expect(Date.now() - started).toBeLessThan(5_000);
  });
});

test('a PATCH rejects operators in any field', async () => {
  const { id } = await submit(cast);
  for (const field of ['status', 'coordinates', 'referralCode', 'clearFlags', 'responses'])
    for (const value of [{ $ne: null }, { $set: { status: 'IN_PROGRESS' } }]) {
      const answer = await cast.root.patch(`/api/surveys/${id}`, { [field]: value });
      refused(answer, 400, 'VALIDATION_ERROR');
    }
  expect((await read(cast, id)).responses).toEqual(ANSWERS);
});
