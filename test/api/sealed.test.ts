/** Answers that were sealed on the phone: they count like others, and replies to them reveal nothing. */
import { randomUUID } from 'node:crypto';
import { generateX25519Identity, identityToRecipient } from 'age-encryption';
import mongoose from 'mongoose';
import { SurveyResubmissionModel } from '../../src/interviews/surveys/submit/second-copies.ts';
import { AuditEventModel } from '../../src/platform/audit/model.ts';
import { MINIMAL_RESPONSES } from '../../src/questionnaires/shipped/default-questionnaire.ts';
import { type Person, testConfig, worldOfFile } from '../people.ts';
import { seal, sealBody } from '../seal.ts';

const RECEIPT = ['clientId', 'createdAt', 'flags', 'id', 'issuedCodes', 'status', 'version'];

const world = worldOfFile();
let site: string;
let ana: Person;
beforeAll(async () => {
  site = await world.place();
  ana = await world.person({ role: 'VOLUNTEER', location: site });
  // On a busy machine the validator's process may start too slowly, which is 503.
  for (let tries = 0; tries < 5; tries += 1)
    if ((await ana.post('/api/surveys', interview())).status === 201) break;
});

const interview = (extra: object = {}) => ({
  clientId: randomUUID(),
  location: site,
  responses: { ...MINIMAL_RESPONSES },
  onCodeProblem: 'FLAG',
  ...extra,
});
const sealed = async (extra: object = {}) => await sealBody(interview(extra), ana.id);

test('everyone can read the key, but only its public part', async () => {
  const open = (await world.anonymous.get('/api/study/public').expect(200)).body;
  const study = (await ana.get('/api/study').expect(200)).body;
  expect(study.fieldKey).toEqual({
    id: expect.stringMatching(/^[0-9a-f]{16}$/),
    recipient: await identityToRecipient(testConfig().fieldKey),
  });
  expect(open.fieldKey).toEqual(study.fieldKey);
  expect(JSON.stringify([open, study])).not.toContain('SECRET');
});

test('a sealed interview is stored like one in plaintext, and its reply is a receipt', async () => {
  const coordinates = { latitude: 47.6, longitude: -122.3, accuracy: 20 };
  const plain = interview({ coordinates, note: 'interrupted' });
  const { body } = await ana.post('/api/surveys', await sealBody(plain, ana.id)).expect(201);
  expect(Object.keys(body).sort()).toEqual(RECEIPT);
  const stored = (await ana.get(`/api/surveys/${body.id}`).expect(200)).body;
  const { onCodeProblem: _, ...fields } = plain;
  expect(stored).toMatchObject({ ...fields, status: 'COMPLETED' });
});

test('a sealed interview keeps when it began and ended', async () => {
  const at = { startedAt: '2026-01-05T10:00:00.000Z', completedAt: '2026-01-05T10:40:00.000Z' };
  const { id } = (await ana.post('/api/surveys', await sealed(at)).expect(201)).body;
  expect((await ana.get(`/api/surveys/${id}`).expect(200)).body).toMatchObject(at);
});

test('the same interview again gets 200, sealed or in plaintext', async () => {
  const plain = interview({ note: 'interrupted' });
  const { body: first } = await ana.post('/api/surveys', plain).expect(201);
  // Each sealing differs.
  for (const _ of [1, 2]) {
    const { body } = await ana.post('/api/surveys', await sealBody(plain, ana.id)).expect(200);
    expect(Object.keys(body).sort()).toEqual(RECEIPT);
    expect(body.id).toBe(first.id);
  }
  expect((await ana.post('/api/surveys', plain).expect(200)).body.responses).toEqual(plain.responses);
});

test('other content under the same clientId is kept as a second copy, opened', async () => {
  const plain = interview();
  const { body: first } = await ana.post('/api/surveys', await sealBody(plain, ana.id)).expect(201);
  const other = { ...plain, responses: { ...plain.responses, networkSize: 31 } };
  const { body } = await ana.post('/api/surveys', await sealBody(other, ana.id)).expect(409);
  expect(body).toMatchObject({ code: 'EDIT_CONFLICT', reason: 'COPY_KEPT' });
  const copies = await SurveyResubmissionModel.find({}).lean();
  expect(copies.filter(({ survey }) => String(survey) === first.id)).toMatchObject([
    { copy: { clientId: plain.clientId, responses: { networkSize: 31 } } },
  ]);
});

test('the reference of an incentive is stored from the sealed part', async () => {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  await root.patch('/api/study', {
    incentives: { currency: 'USD', interview: '20.00', recruit: null, recruitLimit: null },
  });
  const plain = interview({ incentive: { method: 'GIFT_CARD', reference: 'card 4711' } });
  const body = await sealBody(plain, ana.id);
  expect(body.incentive).toEqual({ method: 'GIFT_CARD' });
  const { id } = (await ana.post('/api/surveys', body).expect(201)).body;
  const { data } = (await root.get(`/api/incentives?survey=${id}`).expect(200)).body;
  expect(data).toMatchObject([{ state: 'PAID', method: 'GIFT_CARD', reference: 'card 4711' }]);
});

describe('is refused with the path `sealed`:', () => {
  const refused = async (body: object, path = 'sealed') => {
    const reply = await ana.post('/api/surveys', body);
    expect([reply.status, reply.body.errors]).toEqual([400, [expect.objectContaining({ path })]]);
  };

  test('content sealed for another interview or by another person', async () => {
    await refused({ ...(await sealed()), clientId: randomUUID() });
    await refused(await sealBody(interview(), (await world.person()).id));
    const { clientId } = interview();
    const { responses } = interview();
    for (const content of [{ clientId, responses }, { owner: ana.id, responses }, [], 'x', '{"a":', null])
      await refused({ clientId, location: site, sealed: await seal(content) });
  });

  test('damaged content', async () => {
    const body = await sealed();
    const text = String(body.sealed);
    for (const bad of [text.slice(0, -40), text.slice(0, 200), `${text}AAAA`, 'nonsense', text.slice(4)])
      await refused({ ...body, sealed: bad });
    const bytes = Buffer.from(text, 'base64');
    bytes[bytes.length - 100] = (bytes[bytes.length - 100] ?? 0) ^ 1;
    await refused({ ...body, sealed: bytes.toString('base64') });
  });

  test('fields in plaintext beside it, and a missing clientId', async () => {
    const body = await sealed();
    await refused({ ...body, responses: {} }, 'responses');
    await refused({ ...body, note: 'x' }, 'note');
    await refused({ ...body, coordinates: { latitude: 1, longitude: 1 } }, 'coordinates');
    await refused({ ...body, incentive: { method: 'CASH', reference: 'x' } }, 'incentive.reference');
    await refused({ ...body, clientId: undefined }, 'clientId');
    await refused({ ...interview(), responses: undefined }, 'responses');
  });
});

test('an unknown key is 503, so that the phone keeps the interview', async () => {
  const recipient = await identityToRecipient(await generateX25519Identity());
  const { body } = await ana.post('/api/surveys', await sealBody(interview(), ana.id, recipient)).expect(503);
  expect(body).toMatchObject({ code: 'UNAVAILABLE', reason: 'FIELD_KEY_UNKNOWN' });
});

test('content sealed for a previous key can still be opened', async () => {
  const former = await generateX25519Identity();
  const { config } = world.deps;
  const body = await sealBody(interview(), ana.id, await identityToRecipient(former));
  await ana.post('/api/surveys', body).expect(503);
  config.fieldKeysPrevious = [former];
  try {
    await ana.post('/api/surveys', body).expect(201);
  } finally {
    config.fieldKeysPrevious = [];
  }
});

test('errors have their path, but no values', async () => {
  const responses = { ...MINIMAL_RESPONSES, networkSize: 'about 4711' };
  const { body } = await ana.post('/api/surveys', await sealed({ responses })).expect(400);
  expect(body.errors).toMatchObject([{ path: 'responses.networkSize' }]);
  expect(JSON.stringify(body)).not.toContain('4711');
  const other = { ...MINIMAL_RESPONSES, secretQuestion: 1 };
  const again = await ana.post('/api/surveys', await sealed({ responses: other })).expect(400);
  expect(again.body.errors).toMatchObject([{ path: 'responses.secretQuestion' }]);
});

test('limits apply to the opened content', async () => {
  const large = { ...MINIMAL_RESPONSES, comment: 'x'.repeat(1024 * 1024) };
  await ana.post('/api/surveys', interview({ responses: large })).expect(413);
  await ana.post('/api/surveys', await sealed({ responses: large })).expect(413);
  const almost = { ...MINIMAL_RESPONSES, comment: 'x'.repeat(1024 * 1024 - 4096) };
  // Large enough for a limit of its own, and refused for its answers.
  const reply = await ana.post('/api/surveys', await sealed({ responses: almost })).expect(400);
  expect(reply.body.errors).toMatchObject([{ path: 'responses.comment' }]);
  const values = { ...MINIMAL_RESPONSES, comment: Array.from({ length: 60_000 }, () => 0) };
  await ana.post('/api/surveys', await sealed({ responses: values })).expect(400);
});

describe('an import', () => {
  const importBy = async (surveys: object[], owner: string) => {
    const root = await world.person({ role: 'SUPER_ADMIN' });
    return (await root.post('/api/surveys/import', { owner, surveys }).expect(200)).body.data;
  };

  test('stores sealed interviews beside others, and opens only those of their owner', async () => {
    const other = await world.person({ role: 'VOLUNTEER', location: site });
    const foreign = await sealBody(interview(), other.id);
    const data = await importBy([await sealed(), interview(), foreign], ana.id);
    expect(data.map((one: { status: number }) => one.status)).toEqual([201, 201, 400]);
    expect(data[2].errors).toMatchObject([{ path: 'sealed', code: 'NOT_SEALED' }]);
  });

  test('continues after an interview sealed for an unknown key, and reveals no values', async () => {
    const recipient = await identityToRecipient(await generateX25519Identity());
    const lost = await sealBody(interview(), ana.id, recipient);
    const wrong = await sealed({ responses: { ...MINIMAL_RESPONSES, networkSize: 'about 4711' } });
    const data = await importBy([lost, wrong, await sealed()], ana.id);
    expect(data).toMatchObject([
      { status: 503, reason: 'FIELD_KEY_UNKNOWN' },
      { status: 400, errors: [{ path: 'responses.networkSize' }] },
      { status: 201 },
    ]);
    expect(JSON.stringify(data)).not.toContain('4711');
  });
});

describe('unseal', () => {
  const content = async (person: Person, extra: object = {}) => {
    const clientId = randomUUID();
    const fields = { responses: { networkSize: 3 }, note: 'half way', farewell: 'Thank you.' };
    return { clientId, sealed: await seal({ clientId, owner: person.id, ...fields, ...extra }) };
  };
  const setSession = async (person: Person, fields: object) =>
    await mongoose.connection
      .collection('users')
      .updateOne({ _id: new mongoose.Types.ObjectId(person.id) }, { $set: fields });
  const refused = async (person: Person) => {
    const { body } = await person.post('/api/surveys/unseal', await content(person)).expect(403);
    expect(body.reason).toBe('FRESH_SIGN_IN');
  };

  test('opens a draft for its owner, and the history says so without values', async () => {
    const { body } = await ana.post('/api/surveys/unseal', await content(ana)).expect(200);
    expect(body).toEqual({ responses: { networkSize: 3 }, note: 'half way', farewell: 'Thank you.' });
    const event = await AuditEventModel.findOne({ action: 'unseal' }).lean();
    expect(event).toMatchObject({ subject: 'User', changes: [] });
    expect([String(event?.by), String(event?.record)]).toEqual([ana.id, ana.id]);
  });

  test('refuses everybody else, and another clientId', async () => {
    const root = await world.person({ role: 'SUPER_ADMIN' });
    await root.post('/api/surveys/unseal', await content(ana)).expect(400);
    await ana.post('/api/surveys/unseal', { ...(await content(ana)), clientId: randomUUID() }).expect(400);
  });

  test('needs a session younger than 10 minutes', async () => {
    const person = await world.person();
    const ago = (seconds: number) => new Date(Date.now() - seconds * 1000);
    await setSession(person, { 'sessions.0.createdAt': ago(601) });
    await refused(person);
    await setSession(person, { 'sessions.0.createdAt': ago(590) });
    await person.post('/api/surveys/unseal', await content(person)).expect(200);
  });

  test('with a PIN, needs a passkey or a colleague’s code', async () => {
    const root = await world.person({ role: 'SUPER_ADMIN' });
    const person = await world.person();
    await root.patch('/api/study', { deviceLock: 'PIN', lockAfterMinutes: 5 }).expect(200);
    try {
      await setSession(person, { 'sessions.0.method': 'message' });
      await refused(person);
      for (const method of ['passkey', 'colleague']) {
        await setSession(person, { 'sessions.0.method': method });
        await person.post('/api/surveys/unseal', await content(person)).expect(200);
      }
    } finally {
      await root.patch('/api/study', { deviceLock: 'OFF', lockAfterMinutes: 10 }).expect(200);
    }
  });
});
