/** Somebody has sealed interviews from a phone or a rescue file, and tries to read, move or change them, or to keep the service busy. */
import { randomUUID } from 'node:crypto';
import { Encrypter, generateX25519Identity, identityToRecipient, Stanza } from 'age-encryption';
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { SurveyModel } from '../../src/interviews/surveys/model.ts';
import { fieldPublicKeyOf } from '../../src/study/settings/field-keys.ts';
import { ANSWERS, smallQuestionnaire } from '../make.ts';
import { type Person, worldOfFile } from '../people.ts';
import { seal, sealBody } from '../seal.ts';

const PLANTED = 'planted-answer-4711';
const RECEIPT = ['clientId', 'createdAt', 'flags', 'id', 'issuedCodes', 'status', 'version'];

const world = worldOfFile();
let site: string;
let owner: Person;
let thief: Person;
let root: Person;
beforeAll(async () => {
  await smallQuestionnaire(world);
  site = await world.place();
  owner = await world.person({ role: 'VOLUNTEER', location: site });
  thief = await world.person({ role: 'VOLUNTEER', location: site });
  root = await world.person({ role: 'SUPER_ADMIN', location: site });
});

const interview = (extra: object = {}) => ({
  clientId: randomUUID(),
  location: site,
  responses: { ...ANSWERS, comment: PLANTED },
  note: PLANTED,
  onCodeProblem: 'FLAG',
  ...extra,
});
const row = async () => await sealBody(interview(), owner.id);

test('nobody else can send a row, under its own id or another, or have it opened', async () => {
  const body = await row();
  const { clientId, sealed } = body;
  for (const by of [thief, root]) {
    await by.post('/api/surveys', body).expect(400);
    await by.post('/api/surveys', { ...body, clientId: randomUUID() }).expect(400);
    const opened = await by.post('/api/surveys/unseal', { clientId, sealed }).expect(400);
    expect(JSON.stringify(opened.body)).not.toContain(PLANTED);
  }
  const { body: imported } = await root.post('/api/surveys/import', { owner: thief.id, surveys: [body] });
  expect(imported.data).toMatchObject([{ status: 400, errors: [{ path: 'sealed' }] }]);
  expect(await SurveyModel.countDocuments({ createdBy: thief.id })).toBe(0);
});

test('a replay by its owner’s send token is a receipt, whatever has become of the interview', async () => {
  const body = await row();
  const { body: signIn } = await owner.post('/api/auth/send-token').expect(201);
  const sender = world.bearer(signIn.token);
  const first = await sender.post('/api/surveys', body).expect(201);
  const replays = [
    await sender.post('/api/surveys', body).expect(200),
    await owner.post('/api/surveys', body).expect(200),
  ];
  for (const reply of [first, ...replays]) {
    expect(Object.keys(reply.body).sort()).toEqual(RECEIPT);
    expect(reply.text).not.toContain(PLANTED);
  }
  await sender.post('/api/surveys/unseal', { clientId: body.clientId, sealed: body.sealed }).expect(403);
});

test('no error contains a value, not even for invalid answers', async () => {
  const wrong = interview({ responses: { networkSize: PLANTED, [PLANTED.slice(0, 7)]: PLANTED } });
  const { text } = await owner.post('/api/surveys', await sealBody(wrong, owner.id)).expect(400);
  expect(text).not.toContain(PLANTED);
  const long = interview({ note: PLANTED.repeat(100) });
  const other = await owner.post('/api/surveys', await sealBody(long, owner.id)).expect(400);
  expect(other.body.errors).toMatchObject([{ path: 'note' }]);
  expect(other.text).not.toContain(PLANTED);
});

test('sealed content can’t set what belongs in plaintext', async () => {
  const clientId = randomUUID();
  const elsewhere = await world.place();
  const sealed = await seal({
    ...{ clientId, owner: owner.id, responses: ANSWERS, location: elsewhere, status: 'IN_PROGRESS' },
    ...{
      createdBy: thief.id,
      issuedCodes: ['ABCDEFGC'],
      __proto__: { isAdmin: true },
      incentive: { method: 'CASH' },
    },
  });
  await owner.post('/api/surveys', { clientId, location: site, sealed }).expect(201);
  expect(await SurveyModel.findOne({ clientId }).lean()).toMatchObject({ status: 'COMPLETED' });
  expect(String((await SurveyModel.findOne({ clientId }).lean())?.location)).toBe(site);
});

test('crafted files are refused at once', async () => {
  const { recipient } = fieldPublicKeyOf(world.deps.config);
  const crafted = async (stanzas: Stanza[], recipients: string[] = []) => {
    const encrypter = new Encrypter();
    if (stanzas.length > 0) encrypter.addRecipient({ wrapFileKey: () => stanzas });
    for (const one of recipients) encrypter.addRecipient(one);
    return Buffer.from(await encrypter.encrypt('{}')).toString('base64');
  };
  const share = Buffer.alloc(32, 9).toString('base64').slice(0, -1);
  const stanzas = Array.from({ length: 5_000 }, () => new Stanza(['X25519', share], new Uint8Array(32)));
  const scrypt = new Stanza(['scrypt', 'c2FsdHNhbHRzYWx0c2FsdA', '30'], new Uint8Array(32));
  const files = [
    await crafted(stanzas),
    await crafted([scrypt]),
    await crafted([scrypt], [recipient]),
    await crafted([new Stanza(['x', 'y'.repeat(900_000)], new Uint8Array(32))], [recipient]),
    Buffer.from('age-encryption.org/v1\n'.padEnd(1_000_000, '-> x\n')).toString('base64'),
    (await crafted([], [recipient])).slice(0, 200),
    'A'.repeat(1_500_000),
  ];
  const begin = process.cpuUsage();
  for (const sealed of files)
    await owner.post('/api/surveys', { clientId: randomUUID(), location: site, sealed }).expect(400);
  const { user, system } = process.cpuUsage(begin);
  expect((user + system) / 1000).toBeLessThan(3_000);
});

test('of two processes, one with the new key, each opens what was sealed for the other', async () => {
  const former = world.deps.config.fieldKey;
  const fieldKey = await generateX25519Identity();
  const rotated = { ...world.deps.config, fieldKey, fieldKeysPrevious: [former] };
  const late = { ...world.deps.config, fieldKeysPrevious: [fieldKey] };
  const token = (await owner.post('/api/auth/send-token').expect(201)).body.token;
  const one = createApp({ ...world.deps, config: rotated });
  const other = createApp({ ...world.deps, config: late });
  for (const recipient of [
    await identityToRecipient(fieldKey),
    fieldPublicKeyOf({ fieldKey: former, fieldKeysPrevious: [] }).recipient,
  ]) {
    const body = await sealBody(interview(), owner.id, recipient);
    const replies = await Promise.all(
      [one, other, one, other].map(async (app) =>
        supertest(app).post('/api/surveys').set('Authorization', `Bearer ${token}`).send(body),
      ),
    );
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 201]);
    expect(await SurveyModel.countDocuments({ clientId: String(body.clientId) })).toBe(1);
  }
});
