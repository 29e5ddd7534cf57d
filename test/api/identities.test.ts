/** Repeat participants: identity answers are hashed with a key and never stored; few people see matches. */
import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import { normalizeIdentityAnswer } from '../../src/questionnaires/definition/identity-answers.ts';
import type { Body } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, collection, DAY, oid, refused, refusedAt, uuid } from './kit.ts';

const cast = castOfFile();
const NAMES = ['nameStart', 'surnameStart', 'day', 'month', 'year'];
let asking: string;

beforeAll(async () => {
  const body = {
    name: `Clues ${uuid()}`,
    networkSizeQuestion: 'size',
    identityQuestions: NAMES,
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
/** Identity answers that no other test uses. */
const clues = (change: Record<string, unknown> = {}): Record<string, unknown> => {
  someone += 1;
  return {
    nameStart: 'Zo',
    surnameStart: `N${someone}`,
    day: '7',
    month: '3',
    year: String(someone),
    ...change,
  };
};
const bodyOf = (responses: object, fields: object = {}) => ({
  location: cast.site,
  questionnaire: asking,
  responses: { size: 5, ...responses },
  ...fields,
});
const send = async (responses: object, fields: object = {}, by: Person = cast.volunteer): Promise<Body> => {
  const answer = await by.post('/api/surveys', bodyOf(responses, fields));
  expect([answer.status, answer.body]).toEqual([201, expect.anything()]);
  return answer.body;
};
const seenBy = async (person: Person, { id }: Body): Promise<Body[]> =>
  (await person.get(`/api/surveys/${id}`).expect(200)).body.flags;
const flagOf = async (survey: Body): Promise<Body | undefined> =>
  (await seenBy(cast.root, survey)).find(({ code }) => code === 'POSSIBLE_REPEAT');
const listed = async (person: Person, flag: string): Promise<string[]> =>
  (await person.get(`/api/surveys?flag=${flag}&limit=200`).expect(200)).body.data.map(({ id }: Body) => id);

test.each([
  ['JOSÉ', 'jose'],
  ['ｊｏｓｅ ', 'jose'],
  ["O'Neill", 'oneill'],
  ['Straße', 'strasse'],
  ['STRASSE', 'strasse'],
  ['007', '7'],
  [7, '7'],
  ['٠٧', '7'],
  ['0', '0'],
  ['Ἀθήνα', 'αθηνα'],
  [null, ''],
  [{ $ne: 1 }, ''],
])('%j is normalized to %j', (value, same) => {
  expect(normalizeIdentityAnswer(value)).toBe(same);
});

test('identity answers are in no record, copy, history or unkeyed hash, finished or not', async () => {
  const [zq, secret] = ['Zqxj', 'Wvkq'];
  const clientId = uuid();
  const open = await send({ ...clues(), nameStart: zq }, { status: 'IN_PROGRESS', clientId: uuid() });
  const own = { ...clues(), surnameStart: secret };
  const stored = await send(own, { clientId });
  expect(stored.responses).toEqual({ size: 5 });
  // A second version and a change.
  refused(
    await cast.volunteer.post('/api/surveys', bodyOf({ ...own, size: 6 }, { clientId })),
    409,
    'EDIT_CONFLICT',
  );
  await cast.volunteer
    .patch(`/api/surveys/${open.id}`, {
      status: 'COMPLETED',
      responses: { size: 9, ...clues(), nameStart: secret },
    })
    .expect(200);
  for (const { name } of (await mongoose.connection.db?.listCollections().toArray()) ?? []) {
    // Without hashes and sealed bytes in base64, where any four letters can stand by chance.
    const text = JSON.stringify(await collection(name).find().toArray())
      .replace(/[\w+/=-]{40,}/g, '')
      .toLowerCase();
    for (const clue of [zq, secret]) expect([name, text.includes(clue.toLowerCase())]).toEqual([name, false]);
  }
  const { requestHash } = (await collection('surveys').findOne({ _id: oid(stored.id) })) as Body;
  const hashed = (responses: object) =>
    createHash('sha256').update(JSON.stringify(responses)).digest('base64');
  expect(requestHash).not.toBe(hashed(own));
  const record = (await collection('identities').findOne({ survey: oid(stored.id) })) as Body;
  expect(Object.keys(record).sort()).toEqual(['_id', 'hashes', 'survey']);
  expect(record.hashes).toHaveLength(NAMES.length + 1);
  const history = (await cast.root.get(`/api/surveys/${open.id}/history`).expect(200)).body;
  expect(history[0].changes).toContainEqual({ path: 'clues', before: null, after: 'CHANGED' });
});

test('a replay is recognized with the same, other or no identity answers', async () => {
  const clientId = uuid();
  const own = clues();
  const { id } = await send(own, { clientId });
  for (const again of [own, {}, { ...own, day: '8' }]) {
    const { body } = await cast.volunteer.post('/api/surveys', bodyOf(again, { clientId })).expect(200);
    expect(body.id).toBe(id);
  }
  expect((await collection('surveys').findOne({ _id: oid(id) }))?.flags).toEqual([]);
});

test('finds the exact match among hundreds of earlier people who differ in one identity answer', async () => {
  const own = clues();
  const first = await send(own);
  const { hashes } = (await collection('identities').findOne({ survey: oid(first.id) })) as Body;
  const earlier = Array.from({ length: 250 }, (_, index) => ({
    survey: mongoose.Types.ObjectId.createFromTime(index + 1),
    hashes: [`other ${uuid()}`, hashes[1]],
  }));
  await collection('identities').insertMany(earlier as never);
  expect(await flagOf(await send(own))).toMatchObject({ strength: 'EXACT', other: { survey: first.id } });
  await collection('identities').deleteMany({ hashes: /^other/ });
});

test('all identity answers equal is EXACT, one different or skipped is NEAR, two skipped is no match', async () => {
  const own = clues({ nameStart: 'Él', day: '09' });
  const first = await send(own);
  expect(await flagOf(first)).toBeUndefined();
  const exact = await send({ ...own, nameStart: 'el', day: '9' });
  const { day } = (await flagOf(exact))?.other ?? {};
  expect(await flagOf(exact)).toMatchObject({
    strength: 'EXACT',
    referralCode: null,
    other: { survey: first.id, day: expect.stringMatching(/^\d{4}-\d\d-\d\d$/), location: cast.site },
  });
  expect(day).toBe(
    new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Los_Angeles' }).format(new Date(first.startedAt)),
  );
  const near = { strength: 'NEAR', other: { survey: first.id } };
  expect(await flagOf(await send({ ...own, month: '4' }))).toMatchObject(near);
  const { month: _m, ...skipped } = own;
  expect(await flagOf(await send({ ...skipped, size: 5 }))).toMatchObject(near);
  expect(await flagOf(await send({ ...own, month: 'dontknow' }))).toMatchObject(near);
  const { year: _y, ...two } = skipped;
  expect(await flagOf(await send(two))).toBeUndefined();
  expect(await flagOf(await send({ ...own, month: '5', day: '5' }))).toBeUndefined();
});

test('unfinished, deleted and non-participating interviews are not compared until they count', async () => {
  const own = clues();
  const away = await send(own);
  await cast.admin.delete(`/api/surveys/${away.id}`).expect(204);
  const declined = await send(own, { takesPart: false });
  const open = await send(own, { status: 'IN_PROGRESS' });
  const first = await send(own);
  for (const one of [declined, open, first]) expect(await flagOf(one)).toBeUndefined();
  // Each is compared as soon as it counts, with identity answers received before.
  const other = { survey: first.id };
  await cast.volunteer
    .patch(`/api/surveys/${open.id}`, { status: 'COMPLETED', responses: { size: 5 } })
    .expect(200);
  expect(await flagOf(open)).toMatchObject({ strength: 'EXACT', other });
  await cast.volunteer.patch(`/api/surveys/${declined.id}`, { takesPart: true }).expect(200);
  expect(await flagOf(declined)).toMatchObject({ other: { survey: expect.any(String) } });
  await cast.admin.post(`/api/surveys/${away.id}/restore`).expect(200);
  expect(await flagOf(away)).toMatchObject({ strength: 'EXACT' });
});

test('a rejected interview matches none until it is approved', async () => {
  const own = clues();
  const madeUp = await send(own);
  const review = (state: string) =>
    cast.admin.post(`/api/surveys/${madeUp.id}/review`, { state, comment: 'Made up?' }).expect(200);
  await review('REJECTED');
  const real = await send(own);
  expect(await flagOf(real)).toBeUndefined();
  await review('APPROVED');
  expect(await flagOf(await send(own))).toMatchObject({ other: { survey: madeUp.id } });
  // It counts again, beside another one of the same person.
  expect(await flagOf(madeUp)).toMatchObject({ strength: 'EXACT', other: { survey: real.id } });
});

test('an interview that was flagged before is not flagged again when its rejection is lifted', async () => {
  const own = clues();
  await send(own);
  const second = await send(own);
  const path = `/api/surveys/${second.id}`;
  await cast.admin.patch(path, { clearFlags: ['POSSIBLE_REPEAT'], reason: 'Twins.' }).expect(200);
  for (const state of ['REJECTED', 'APPROVED'])
    await cast.admin.post(`${path}/review`, { state, comment: 'Made up?' }).expect(200);
  expect(await flagOf(second)).toBeUndefined();
});

test('a later write without identity answers changes none; one with others is compared again', async () => {
  const [own, another] = [clues(), clues()];
  const first = await send(own);
  const second = await send(another);
  const change = (responses: object) =>
    cast.volunteer.patch(`/api/surveys/${second.id}`, { responses: { size: 5, ...responses } }).expect(200);
  await change({ size: 8 });
  expect(await flagOf(await send(another))).toMatchObject({ other: { survey: second.id } });
  expect(await flagOf(second)).toBeUndefined();
  const { version } = (await change(own)).body;
  expect(await flagOf(second)).toMatchObject({ strength: 'EXACT', other: { survey: first.id } });
  expect((await change(own)).body.version).toBe(version);
});

test('a later write with too few identity answers changes none', async () => {
  const own = clues();
  const { id } = await send(own, { status: 'IN_PROGRESS' });
  const rest = { status: 'COMPLETED', responses: { size: 5, day: '8' } };
  await cast.volunteer.patch(`/api/surveys/${id}`, rest).expect(200);
  expect(await flagOf(await send(own))).toMatchObject({ strength: 'EXACT', other: { survey: id } });
});

test.each([
  ['left out', undefined],
  ['empty', ''],
  ['blank', ' - '],
])('a change with fewer identity answers than stored changes none: the last one %s', async (_, year) => {
  const own = clues();
  const { id } = await send(own);
  const hashes = async () => (await collection('identities').findOne({ survey: oid(id) }))?.hashes;
  const before = await hashes();
  const responses = { size: 5, ...own, day: '8', year };
  const history = async () => (await cast.root.get(`/api/surveys/${id}/history`).expect(200)).body;
  await cast.volunteer.patch(`/api/surveys/${id}`, { responses }).expect(200);
  expect(await hashes()).toEqual(before);
  expect(await history()).toEqual([]);
  expect(await flagOf(await send(own))).toMatchObject({ strength: 'EXACT', other: { survey: id } });
});

test('a change with all identity answers, or as many as stored, replaces them, also with one refused', async () => {
  const own = clues();
  const { id } = await send(own);
  const record = async () => (await collection('identities').findOne({ survey: oid(id) }))?.hashes;
  const change = (responses: object) =>
    cast.volunteer.patch(`/api/surveys/${id}`, { responses: { size: 5, ...responses } }).expect(200);
  await change({ ...own, day: 'refused' });
  expect(await record()).toHaveLength(1);
  const [before] = await record();
  const { day: _, ...four } = own;
  await change({ ...four, month: '4' });
  expect(await record()).toEqual([expect.not.stringMatching(before)]);
  await change({ ...own, day: 'refused', month: 'dontknow' });
  expect(await record()).toHaveLength(1);
  await change(own);
  expect(await record()).toHaveLength(NAMES.length + 1);
});

test('a reviewer’s reason for clearing a possible repeat is shown only to reviewers, and keeps the version', async () => {
  const own = clues();
  await send(own);
  const longAgo = (ms: number) => new Date(Date.now() - 500 * DAY + ms).toISOString();
  const odd = await send(own, { startedAt: longAgo(0), completedAt: longAgo(1_000) });
  const reason = 'Same person as yesterday, the clock is fine.';
  const both = { clearFlags: ['POSSIBLE_REPEAT', 'CLOCK_ODD'], reason };
  await cast.admin.patch(`/api/surveys/${odd.id}`, both).expect(200);
  const historyFor = async (person: Person) =>
    (await person.get(`/api/surveys/${odd.id}/history`).expect(200)).body;
  expect(JSON.stringify(await historyFor(cast.volunteer))).toContain('CLOCK_ODD');
  expect(JSON.stringify(await historyFor(cast.volunteer))).not.toContain('Same person');
  expect(JSON.stringify(await historyFor(cast.admin))).toContain('Same person');

  const other = await send(own);
  const readSurvey = async () => (await cast.volunteer.get(`/api/surveys/${other.id}`).expect(200)).body;
  const before = await readSurvey();
  await cast.admin.patch(`/api/surveys/${other.id}`, { clearFlags: ['POSSIBLE_REPEAT'] }).expect(200);
  expect(await flagOf(other)).toBeUndefined();
  expect(await readSurvey()).toEqual(before);
  // Deleted and restored, it keeps its decision.
  await cast.admin.delete(`/api/surveys/${other.id}`).expect(204);
  await cast.admin.post(`/api/surveys/${other.id}/restore`).expect(200);
  expect(await flagOf(other)).toBeUndefined();
});

test('a copy under another questionnaire has no hash that depends on identity answers', async () => {
  const clientId = uuid();
  const own = clues();
  const definition = { elements: [{ type: 'text', name: 'size', inputType: 'number' }] };
  const plain = { name: `Plain ${uuid()}`, networkSizeQuestion: 'size', definition };
  const questionnaire = (await cast.admin.post('/api/questionnaires', plain).expect(201)).body.id;
  await send({}, { clientId, questionnaire });
  const copies = async (day: string) => {
    const body = bodyOf({ ...own, day }, { clientId });
    refused(await cast.volunteer.post('/api/surveys', body), 409, 'EDIT_CONFLICT');
    return await collection('surveycopies').distinct('hash');
  };
  expect(await copies('9')).toEqual(await copies('8'));
});

test('of three simultaneous matching interviews, two are flagged', async () => {
  for (let pair = 0; pair < 6; pair += 1) {
    const own = clues();
    // Pairs that match by one hash only, and by all.
    const others = [own, pair % 2 ? { ...own, day: '20' } : own, own];
    const surveys = await Promise.all(others.map(async (one) => await send(one)));
    const flags = await Promise.all(surveys.map(flagOf));
    expect(flags.filter(Boolean)).toHaveLength(2);
  }
});

test('only reviewers see a possible repeat in reads, filters, responses and history', async () => {
  const own = clues();
  const first = await send(own);
  const reply = await cast.volunteer.post('/api/surveys', bodyOf(own)).expect(201);
  const { id } = reply.body;
  expect(reply.body.flags).toEqual([]);
  for (const person of [cast.admin, cast.manager, cast.root]) {
    expect(await seenBy(person, reply.body)).toMatchObject([
      { code: 'POSSIBLE_REPEAT', other: { survey: first.id } },
    ]);
    for (const flag of ['POSSIBLE_REPEAT', 'any']) expect(await listed(person, flag)).toContain(id);
    const light = (await person.get(`/api/surveys?flag=POSSIBLE_REPEAT`).expect(200)).body.data[0];
    expect(light.flags).toMatchObject([{ code: 'POSSIBLE_REPEAT', strength: expect.any(String) }]);
    refused(await cast.volunteer.patch(`/api/surveys/${id}`, { clearFlags: ['POSSIBLE_REPEAT'] }), 403);
  }
  expect(await seenBy(cast.volunteer, reply.body)).toEqual([]);
  for (const flag of ['POSSIBLE_REPEAT', 'any']) expect(await listed(cast.volunteer, flag)).not.toContain(id);
  // Interviewers cannot decide about their own interviews.
  const ownSurvey = await send(own, {}, cast.manager);
  expect(await seenBy(cast.manager, ownSurvey)).toEqual([]);
  expect(await listed(cast.manager, 'POSSIBLE_REPEAT')).not.toContain(ownSurvey.id);
  refused(await cast.manager.patch(`/api/surveys/${ownSurvey.id}`, { clearFlags: ['POSSIBLE_REPEAT'] }), 403);

  const body = { clearFlags: ['POSSIBLE_REPEAT'], reason: 'Two cousins.' };
  expect((await cast.admin.patch(`/api/surveys/${id}`, body).expect(200)).body.flags).toEqual([]);
  expect(await listed(cast.root, 'POSSIBLE_REPEAT')).not.toContain(id);
  const history = async (person: Person) => (await person.get(`/api/surveys/${id}/history`).expect(200)).body;
  expect((await history(cast.admin))[0].changes).toEqual([
    {
      path: 'flags',
      before: [expect.objectContaining({ code: 'POSSIBLE_REPEAT', strength: 'EXACT' })],
      after: [],
    },
  ]);
  expect(await history(cast.volunteer)).toEqual([]);
  const auditFor = async (person: Person) =>
    (await person.get(`/api/audit?record=${id}&action=update&total=true&limit=1`).expect(200)).body;
  expect(await auditFor(cast.admin)).toMatchObject({
    data: [{ hidden: false, changes: [{ path: 'flags' }] }],
    total: 1,
  });
  const permissions = [{ action: 'read', subject: 'AuditEvent', conditions: [] }];
  const reader = await cast.world.person({
    role: 'VOLUNTEER',
    location: cast.site,
    permissions: [...permissions, { action: 'read', subject: 'Survey', conditions: [] }] as never,
  });
  const nothing = { data: [], nextCursor: null, total: 0 };
  expect(await auditFor(reader)).toEqual(nothing);
});

test('identity answers are in no export and no outcome', async () => {
  const { body: before } = await cast.admin.get('/api/questionnaires/active');
  const activate = (id: string) =>
    cast.admin.patch(`/api/questionnaires/${id}`, { active: true, confirm: true }).expect(200);
  await activate(asking);
  const own = clues();
  await send(own);
  for (const name of ['interviews.csv', 'interviews.json', 'codebook.csv']) {
    const { text } = await cast.root.get(`/api/exports/${name}`).expect(200);
    expect(text).toContain('size');
    for (const clue of ['nameStart', own.surnameStart, 'POSSIBLE_REPEAT']) expect(text).not.toContain(clue);
  }
  const outcomes = JSON.stringify((await cast.root.get('/api/analysis/outcomes').expect(200)).body);
  for (const name of NAMES) expect(outcomes).not.toContain(`"${name}"`);
  await activate(before.id);
});

test('the id of the other interview is shown only to people who may read it', async () => {
  const own = clues();
  cast.world.clock.advance(-DAY);
  await send(own);
  cast.world.clock.real();
  const second = await send(own);
  const [flag] = await seenBy(cast.manager, second);
  expect(flag).toMatchObject({ strength: 'EXACT', other: { survey: null, location: cast.site } });
});

describe('the check before the interview', () => {
  const ask = (own: object, by: Person = cast.volunteer, questionnaire = asking) =>
    by.post('/api/surveys/repeat-check', { questionnaire, clues: own });
  const allow = (repeatCheck: boolean) => cast.root.patch('/api/study', { repeatCheck }).expect(200);

  test('needs a study that allows it, which only a SUPER_ADMIN can set', async () => {
    expect((await cast.volunteer.get('/api/study')).body.repeatCheck).toBe(false);
    refused(await ask(clues()), 403);
    refused(await cast.admin.patch('/api/study', { repeatCheck: true }), 403);
    await allow(true);
    const own = clues();
    expect((await ask(own).expect(200)).body).toEqual({ match: 'NONE' });
    await send(own);
    expect((await ask(own).expect(200)).body).toEqual({ match: 'EXACT' });
    expect((await ask({ ...own, day: '30' }).expect(200)).body).toEqual({ match: 'NEAR' });
    expect((await ask({ day: own.day, year: own.year }).expect(200)).body).toEqual({ match: 'NONE' });
    refusedAt(await ask({ ...own, size: 5 }), 'clues.size');
    refusedAt(await ask({ ...own, day: { $gt: 0 } }), 'clues.day');
    const { body: plain } = await cast.volunteer.get('/api/questionnaires/active');
    refusedAt(await ask(own, cast.volunteer, plain.id), 'questionnaire');
    const checkEvents = (await cast.root.get('/api/audit?action=check').expect(200)).body.data;
    expect(checkEvents[0]).toMatchObject({
      by: cast.volunteer.id,
      subject: 'Questionnaire',
      record: asking,
      changes: [],
    });
    expect(JSON.stringify(checkEvents)).not.toContain(own.year);
  });

  test('is limited to thirty a day per person', async () => {
    await allow(true);
    cast.world.deps.config.rateLimits = true;
    const curious = await cast.world.person({ role: 'VOLUNTEER', location: cast.site });
    for (let time = 0; time < 30; time += 1) await ask({}, curious).expect(200);
    refused(await ask({}, curious), 429, 'RATE_LIMITED');
    await ask({}, cast.manager).expect(200);
    cast.world.deps.config.rateLimits = false;
  });
});

test('no calculated value of a questionnaire from before holds an identity answer, whatever reads it', async () => {
  const reading = 'displayValue({n})';
  const body = {
    name: `Reading ${uuid()}`,
    networkSizeQuestion: 'size',
    definition: {
      elements: [
        { type: 'text', name: 'size', inputType: 'number', isRequired: true },
        ...NAMES.map((name) => ({ type: 'text', name })),
        { type: 'expression', name: 'shown', expression: reading },
        { type: 'expression', name: 'hidden', expression: reading, visibleIf: `${reading} != ''` },
      ],
      calculatedValues: [
        { name: 'n', expression: "'ye' + 'ar'" },
        { name: 'found', expression: reading, includeIntoResult: true },
        { name: 'double', expression: '{size} * 2', includeIntoResult: true },
      ],
    },
  };
  const response = await cast.admin.post('/api/questionnaires', body);
  expect([response.status, response.body]).toEqual([201, expect.anything()]);
  const { id } = response.body;
  await collection('questionnaires').updateOne({ _id: oid(id) }, { $set: { identityQuestions: NAMES } });
  const own = clues();
  const responses = { ...own, shown: own.year, hidden: own.year };
  const stored = await send(responses, { questionnaire: id });
  expect(stored.responses).toEqual({ size: 5, double: 10 });
  const change = { responses: { size: 6, ...responses } };
  const changed = await cast.volunteer.patch(`/api/surveys/${stored.id}`, change).expect(200);
  expect(changed.body.responses).toEqual({ size: 6, double: 12 });
});

test('a person interviewed again in the next round is flagged only within reEnrolAfterDays', async () => {
  const [first] = (await cast.root.get('/api/rounds').expect(200)).body.data as Body[];
  const own = clues();
  await send(own);
  await cast.root.post(`/api/rounds/${first?.id}/close`).expect(200);
  await cast.root.post('/api/rounds', { name: 'Next', startsOn: '2026-06-01' }).expect(201);
  expect(await flagOf(await send(own))).toBeUndefined();
  const other = clues();
  const earlier = await send(other);
  const oneDay = { createdAt: new Date(Date.now() - DAY), heldAt: new Date(Date.now() - DAY) };
  await collection('surveys').updateOne(
    { _id: oid(earlier.id) },
    { $set: { ...oneDay, round: oid(first?.id) } },
  );
  await cast.root.patch('/api/study', { reEnrolAfterDays: 1 }).expect(200);
  expect(await flagOf(await send(other))).toBeUndefined();
  const third = clues();
  const before = await send(third);
  await collection('surveys').updateOne({ _id: oid(before.id) }, { $set: { round: oid(first?.id) } });
  expect((await flagOf(await send(third)))?.code).toBe('POSSIBLE_REPEAT');
  await cast.root.patch('/api/study', { reEnrolAfterDays: null }).expect(200);
});

test('the report says how many people of a round were interviewed in the one before, unless they are few', async () => {
  const itemFor = async (by: typeof cast.root, round = '') =>
    (await by.get(`/api/analysis/report${round && `?round=${round}`}`).expect(200)).body.items.find(
      ({ name }: Body) => name === 'Interviewed in the round before',
    );
  await send(clues());
  const { value, text } = await itemFor(cast.root);
  expect(value).toEqual({ known: 4, again: 3, share: 3 / 4 });
  expect(text).toContain('3 gave the same ones in Round 1');
  expect(await itemFor(cast.admin)).toMatchObject({ value: null, reason: 'There are too few people.' });
  const rounds = (await cast.root.get('/api/rounds').expect(200)).body.data as Body[];
  const first = rounds.find(({ name }) => name === 'Round 1')?.id;
  expect(await itemFor(cast.root, first)).toMatchObject({ value: null, reason: 'This is the first round.' });
});

test('the report of a closed round has the coupon settings of that time, and only its own changes and seeds', async () => {
  const rounds = (await cast.root.get('/api/rounds').expect(200)).body.data as Body[];
  const first = rounds.find(({ name }) => name === 'Round 1')?.id;
  const { couponsPerSurvey } = (await cast.root.get('/api/study').expect(200)).body;
  await cast.root.patch('/api/study', { couponsPerSurvey: couponsPerSurvey + 1 }).expect(200);
  await cast.root.post('/api/seeds', { location: cast.site }).expect(201);
  const itemValue = async (name: string, round = '') =>
    (await cast.root.get(`/api/analysis/report${round && `?round=${round}`}`).expect(200)).body.items.find(
      (item: Body) => item.name === name,
    ).value;
  expect(await itemValue('Coupons per person', first)).toBe(couponsPerSurvey);
  expect(await itemValue('Coupons per person')).toBe(couponsPerSurvey + 1);
  expect(await itemValue('Changes to coupons', first)).toEqual([]);
  expect(await itemValue('Changes to coupons')).toHaveLength(1);
  const seedCount = (days: Body[]) => days.reduce((sum, { planned, walkIns }) => sum + planned + walkIns, 0);
  const all = await collection('seeds').countDocuments({ deletedAt: null });
  const later = seedCount(await itemValue('Seeds, by day'));
  expect(later).toBeGreaterThan(0);
  expect(seedCount(await itemValue('Seeds, by day', first))).toBe(all - later);
});
