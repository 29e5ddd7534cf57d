/** An interviewer cannot guess identity answers: no response, history or query shows whether there is a match. */
import mongoose from 'mongoose';
import type { Body } from '../make.ts';
import { castOfFile, collection, oid, refused, uuid } from './kit.ts';

const cast = castOfFile();
const NAMES = ['nameStart', 'surnameStart', 'day', 'month', 'year'];
let asking: string;

beforeAll(async () => {
  const body = {
    name: `Clues ${uuid()}`,
    networkSizeQuestion: 'size',
    identityQuestions: NAMES,
    takesPartIf: '{size} > 0',
    definition: {
      elements: [
        { type: 'text', name: 'size', inputType: 'number', isRequired: true },
        ...NAMES.map((name) => ({ type: 'text', name })),
      ],
    },
  };
  asking = (await cast.admin.post('/api/questionnaires', body).expect(201)).body.id;
});

let someone = 1930;
const clues = () => {
  someone += 1;
  return { nameStart: 'Zo', surnameStart: `N${someone}`, day: '7', month: '3', year: String(someone) };
};
const bodyOf = (responses: object, fields: object = {}) => ({
  location: cast.site,
  questionnaire: asking,
  responses: { size: 5, ...responses },
  ...fields,
});
const send = async (responses: object, fields: object = {}): Promise<Body> =>
  (await cast.volunteer.post('/api/surveys', bodyOf(responses, fields)).expect(201)).body;
const patch = (id: string, responses: object, fields: object = {}) =>
  cast.volunteer.patch(`/api/surveys/${id}`, { responses: { size: 5, ...responses }, ...fields });
const history = async (id: string, by = cast.volunteer): Promise<Body[]> =>
  (await by.get(`/api/surveys/${id}/history`).expect(200)).body;
const repeatOf = async (id: string) => (await collection('surveys').findOne({ _id: oid(id) }))?.repeat;

/** Removes ids, codes and times, which differ between any two interviews. */
const plain = (value: unknown): string =>
  JSON.stringify(value)
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UUID')
    .replace(/[0-9a-f]{24}/g, 'ID')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replace(/"[0-9A-Z]{4}-?[0-9A-Z]{4}"/g, 'CODE');

/** What the database did for `work`, in order. */
async function profileQueries(work: () => Promise<unknown>): Promise<string[]> {
  const { db } = mongoose.connection;
  if (!db) throw new Error('not connected');
  const from = new Date();
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  const ours = { ts: { $gte: from }, ns: /\.(surveys|identities|auditevents|locks|referralcodes)$/ };
  const operations = await db
    .collection('system.profile')
    .find(ours as never)
    .sort({ $natural: 1 })
    .toArray();
  return operations.map(({ op, ns }) => `${op} ${ns.split('.')[1]}`);
}

/** Everything that the interviewer can see of a guess. */
async function guess(id: string, change: Parameters<typeof patch>[1], fields: object) {
  let reply: { status: number; headers: Record<string, unknown>; text: string } | undefined;
  const queries = await profileQueries(async () => {
    reply = (await patch(id, change, { reason: 'Typed wrong.', ...fields })) as never;
  });
  const { status, headers, text } = reply ?? { status: 0, headers: {}, text: '{}' };
  const { date, etag, 'x-request-id': requestId, ...others } = headers;
  const survey = (await cast.volunteer.get(`/api/surveys/${id}`).expect(200)).body;
  const observation = {
    status,
    headers: Object.keys(others).sort(),
    length: headers['content-length'],
    survey,
  };
  return { seen: plain({ ...observation, reply: JSON.parse(text), history: await history(id) }), queries };
}

test.each([
  ['all alike', {}],
  ['one slip', { day: '30' }],
  ['one refused', { day: 'refused' }],
])('a guess (%s) looks the same with and without a match', async (_title, slip) => {
  const ownClues = clues();
  await send(ownClues);
  const [hit, miss] = [await send(clues()), await send(clues())];
  const match = await guess(hit.id, { ...ownClues, ...slip }, {});
  const none = await guess(miss.id, { ...clues(), ...slip }, {});
  expect([await repeatOf(hit.id), await repeatOf(miss.id)]).toEqual([expect.anything(), undefined]);
  expect(match.seen).toBe(none.seen);
  expect(match.seen).toContain('Typed wrong.');
  expect(match.queries).toEqual(none.queries);
  expect(match.queries).toContain('query identities');
});

test('completing an interview or newly taking part looks the same with and without a match', async () => {
  const ownClues = clues();
  await send(ownClues);
  for (const start of [{ status: 'IN_PROGRESS' }, {}]) {
    const size = 'status' in start ? 5 : 0;
    const [hit, miss] = [await send({ ...ownClues, size }, start), await send({ ...clues(), size }, start)];
    const change = 'status' in start ? { status: 'COMPLETED' } : {};
    const [match, none] = [await guess(hit.id, {}, change), await guess(miss.id, {}, change)];
    expect([await repeatOf(hit.id), await repeatOf(miss.id)]).toEqual([expect.anything(), undefined]);
    expect(match.seen).toBe(none.seen);
    expect(match.queries).toEqual(none.queries);
  }
});

test('a match with another person than before looks as if nothing changed', async () => {
  const [one, other] = [clues(), clues()];
  await send(one);
  await send(other);
  const [hit, miss] = [await send(one), await send(one)];
  const [match, none] = [await guess(hit.id, other, {}), await guess(miss.id, clues(), {})];
  expect(await repeatOf(hit.id)).not.toEqual(await repeatOf(miss.id));
  expect(match.seen).toBe(none.seen);
});

test('the reason for clearing a possible repeat is shown only to reviewers, also if it is found again', async () => {
  const [one, other] = [clues(), clues()];
  await send(one);
  await send(other);
  const { id } = await send(one);
  const body = { clearFlags: ['POSSIBLE_REPEAT'], responses: { size: 5, ...other }, reason: 'Two cousins.' };
  await cast.admin.patch(`/api/surveys/${id}`, body).expect(200);
  expect(await repeatOf(id)).toMatchObject({ strength: 'EXACT' });
  expect(JSON.stringify(await history(id))).not.toContain('cousins');
  const [event] = await history(id, cast.admin);
  expect(event?.reason).toBe('Two cousins.');
  const flags = event?.changes.filter(({ path }: Body) => path === 'flags');
  expect(flags).toMatchObject([{ before: [{ strength: 'EXACT' }], after: [{ strength: 'EXACT' }] }]);
});

test('identity answers of a completed interview can be changed three times, with or without a match', async () => {
  const ownClues = clues();
  await send(ownClues);
  const refusals = [];
  for (const last of [ownClues, clues()]) {
    const { id } = await send(clues());
    for (let time = 0; time < 3; time += 1) await patch(id, clues()).expect(200);
    const before = await history(id);
    const answer = await patch(id, { ...last, size: 9 });
    refused(answer, 409, 'INVALID_TRANSITION');
    refusals.push(answer.text.replace(/"id":"[^"]*"/, ''));
    expect(await history(id)).toEqual(before);
    expect(await repeatOf(id)).toBeUndefined();
    // All other answers can still be corrected.
    await patch(id, { size: 9 }).expect(200);
  }
  expect(plain(refusals[0])).toBe(plain(refusals[1]));
  expect(refusals[0]).toContain('3 times');
});

test('changes of identity answers before completion, first answers and replays do not count toward the limit', async () => {
  const { id } = await send(clues(), { status: 'IN_PROGRESS' });
  for (let time = 0; time < 6; time += 1) await patch(id, clues()).expect(200);
  await patch(id, clues(), { status: 'COMPLETED' }).expect(200);
  for (let time = 0; time < 3; time += 1) await patch(id, clues()).expect(200);
  refused(await patch(id, clues()), 409, 'INVALID_TRANSITION');
  // The first identity answers of an interview do not count as a change.
  const bare = await send({});
  await patch(bare.id, clues()).expect(200);
  for (let time = 0; time < 3; time += 1) await patch(bare.id, clues()).expect(200);
  refused(await patch(bare.id, clues()), 409, 'INVALID_TRANSITION');
  const clientId = uuid();
  for (let time = 0; time < 5; time += 1) {
    const answer = await cast.volunteer.post('/api/surveys', bodyOf(clues(), { clientId }));
    expect(answer.status).toBe(time === 0 ? 201 : 200);
  }
});
