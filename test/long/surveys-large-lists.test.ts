/** Large answers and second versions: what a list reads and sends, how many versions are kept, limits on drafts. */
import mongoose from 'mongoose';
import { secondCopiesMigration } from '../../src/platform/db/migrations/2026-11-22-second-copies.ts';
import {
  castOfFile,
  collection,
  draft,
  flagsOf,
  oid,
  read,
  refused,
  refusedAt,
  submit,
  tally,
  times,
  uuid,
} from '../api/kit.ts';
import { type Body, insertSurvey } from '../make.ts';

const cast = castOfFile();

const MiB = 1024 * 1024;
const MB = 'x'.repeat(1_000_000);
/** The longest allowed answer. */
const LONG = 'x'.repeat(10_000);
const list = async (query: string): Promise<{ body: Body; bytes: number }> => {
  const { body, text } = await cast.root.get(`/api/surveys?${query}`).expect(200);
  return { body, bytes: Buffer.byteLength(text) };
};

/** Bytes that the database sent during `work`. */
async function bytesSent(work: () => Promise<unknown>): Promise<number> {
  const { db } = mongoose.connection;
  if (!db) throw new Error('not connected');
  const from = new Date();
  await db.command({ profile: 2 });
  await work();
  await db.command({ profile: 0 });
  const ours = { ts: { $gte: from }, ns: /\.surveys$/ };
  const operations = await db
    .collection<{ responseLength?: number }>('system.profile')
    .find(ours as never)
    .toArray();
  return operations.reduce((sum, one) => sum + (one.responseLength ?? 0), 0);
}

/** Surveys of a megabyte each, as an earlier version accepted them. */
async function heavy(count: number): Promise<{ location: string; ids: string[] }> {
  const location = await cast.world.place();
  const ids: string[] = [];
  for (const _ of times(count, Number)) {
    const id = await insertSurvey(cast.world, { location, createdBy: cast.volunteer.id });
    await collection('surveys').updateOne({ _id: oid(id) }, { $set: { responses: { comment: MB } } });
    ids.push(id);
  }
  return { location, ids };
}

test('a list has all fields except answers, coordinates and network size, and does not read answers from the database', async () => {
  const { location } = await heavy(30);
  const one = await submit(cast, { location });
  let page: Awaited<ReturnType<typeof list>> | undefined;
  const bytes = await bytesSent(async () => {
    page = await list(`location=${location}&limit=200`);
  });
  expect(bytes).toBeLessThan(100_000);
  expect(page?.bytes).toBeLessThan(100_000);
  expect(page?.body.data).toHaveLength(31);
  const {
    responses: _,
    coordinates: _coordinates,
    networkSize: _size,
    contact: _contact,
    ...rest
  } = await read(cast, one.id);
  expect(page?.body.data[0]).toEqual(rest);
});

test('with fields=full pages stay below 2 MiB, contain each survey once, and read one batch at a time', async () => {
  const { location, ids } = await heavy(30);
  const listedIds: string[] = [];
  let cursor = '';
  for (let pages = 0; pages === 0 || (cursor && pages < 40); pages++) {
    const query = `location=${location}&fields=full&limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    let page: Awaited<ReturnType<typeof list>> | undefined;
    const bytes = await bytesSent(async () => {
      page = await list(query);
    });
    expect(bytes).toBeLessThan(17 * MiB);
    expect(page?.bytes).toBeLessThan(2 * MiB);
    expect(page?.body.data[0].responses.comment).toHaveLength(1_000_000);
    listedIds.push(...(page?.body.data ?? []).map((survey: Body) => survey.id));
    cursor = page?.body.nextCursor ?? '';
  }
  expect(listedIds.sort()).toEqual(ids.sort());
});

test('fields=full returns the same as reading one survey; other values than light and full are 400', async () => {
  const location = await cast.world.place();
  const clientId = uuid();
  const { id } = await submit(cast, { location, clientId });
  await cast.volunteer.post(
    '/api/surveys',
    draft(cast, { clientId, location, responses: { networkSize: 3 } }),
  );
  const { contact: _, ...survey } = await read(cast, id);
  expect(survey.flags[0].copy.responses).toEqual({ networkSize: 3 });
  const { body: full } = await list(`location=${location}&fields=full&total=true`);
  expect(full).toEqual({ data: [survey], nextCursor: null, total: 1 });
  const { body: light } = await list(`location=${location}&fields=light`);
  expect(light.data[0].flags).toEqual([{ code: 'SECOND_COPY', referralCode: null, at: expect.any(String) }]);
  refused(await cast.root.get('/api/surveys?fields=responses'), 400, 'INVALID_QUERY');
});

test('a survey keeps ten copies of the longest texts, can still be changed, and rejects an eleventh', async () => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId });
  const copy = (n: number) => draft(cast, { clientId, responses: { networkSize: n, comment: LONG } });
  const send = (n: number) => cast.volunteer.post('/api/surveys', copy(n));
  for (const n of times(8, Number)) refused(await send(n), 409, 'EDIT_CONFLICT');
  // Three simultaneous versions for the last two places.
  const last = await Promise.all([send(8), send(9), send(10)]);
  expect(tally(last)).toEqual({ '409 EDIT_CONFLICT': 3 });
  expect(last.filter(({ body }) => body.message.includes('already has ten copies'))).toHaveLength(1);
  expect(await collection('surveycopies').countDocuments({ survey: oid(id) })).toBe(10);

  const survey = await read(cast, id);
  expect(survey.flags.map((flag: Body) => flag.copy.responses.comment.length)).toEqual(
    times(10, () => 10_000),
  );
  const changed = await cast.volunteer
    .patch(`/api/surveys/${id}`, { responses: { networkSize: 40 } })
    .expect(200);
  expect(changed.body).toMatchObject({ networkSize: 40, version: 12 });
  // A version that is stored already is not counted as a new one.
  expect(refused(await send(0), 409, 'EDIT_CONFLICT').message).toContain('was saved too');

  const cleared = await cast.manager.patch(`/api/surveys/${id}`, { clearFlags: ['SECOND_COPY'] }).expect(200);
  expect(cleared.body.flags).toEqual([]);
  // Reviewed versions stay in the history, are not shown again, and leave no place for new ones.
  const history = (await cast.volunteer.get(`/api/surveys/${id}/history`).expect(200)).body;
  const [change] = history.at(-1).changes;
  expect(change.before.map((flag: Body) => flag.copy.responses.comment.length)).toEqual(
    times(10, () => 10_000),
  );
  expect(refused(await send(0), 409, 'EDIT_CONFLICT').message).toContain('was saved too');
  expect(refused(await send(11), 409, 'EDIT_CONFLICT').message).toContain('was not saved');
  expect(flagsOf(await read(cast, id))).toEqual([]);
}, 60_000);

test('the migration of copies stored in flags runs once, and reads return the same', async () => {
  const clientId = uuid();
  const { id } = await submit(cast, { clientId });
  const copyFlag = (n: number) => ({
    code: 'SECOND_COPY',
    referralCode: null,
    at: new Date(),
    copy: { clientId, responses: { networkSize: n, comment: MB } },
    copyHash: `hash ${n}`,
  });
  const other = { code: 'REFERRAL_CODE_USED', referralCode: 'ABCDEFGC', at: new Date() };
  const flags = [copyFlag(1), other, ...times(11, (n) => copyFlag(n + 2))];
  await collection('surveys').updateOne({ _id: oid(id) }, { $set: { flags } });
  const { db } = mongoose.connection;
  if (!db) throw new Error('not connected');
  const before = await read(cast, id);
  const steps = times(2, () => secondCopiesMigration.run({ db, progress: () => {} }));
  await Promise.all(steps);
  await secondCopiesMigration.run({ db, progress: () => {} });
  expect(JSON.stringify(await collection('surveys').findOne({ _id: oid(id) }))).not.toContain('xxx');
  expect(await collection('surveycopies').countDocuments({ survey: oid(id) })).toBe(12);
  expect((await read(cast, id)).flags).toEqual(before.flags);
}, 60_000);

test('unfinished answers are limited to 100,000 bytes of JSON, in POST and PATCH', async () => {
  const responses = { comment: '' };
  responses.comment = 'é'.repeat((100_000 - JSON.stringify(responses).length) / 2);
  const odd = 100_000 - Buffer.byteLength(JSON.stringify(responses));
  responses.comment += 'e'.repeat(odd);
  expect(Buffer.byteLength(JSON.stringify(responses))).toBe(100_000);
  const larger = { comment: `${responses.comment}e` };
  const unfinished = { status: 'IN_PROGRESS', responses };
  const { id } = await submit(cast, unfinished);
  await cast.volunteer.patch(`/api/surveys/${id}`, { responses }).expect(200);
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { ...unfinished, responses: larger })),
    413,
    'TOO_LARGE',
  );
  refused(await cast.volunteer.patch(`/api/surveys/${id}`, { responses: larger }), 413, 'TOO_LARGE');
});

test('unfinished answers need known questions, including comments, totals, panels and calculated values', async () => {
  const definition = {
    calculatedValues: [
      { name: 'sum', expression: '{networkSize} + 1', includeIntoResult: true },
      { name: 'hidden', expression: '1' },
    ],
    elements: [
      { type: 'text', name: 'networkSize', inputType: 'number' },
      { type: 'radiogroup', name: 'where', choices: ['a'], showOtherItem: true },
      { type: 'checkbox', name: 'why', choices: ['a'], showCommentArea: true },
      { type: 'text', name: 'shared1', valueName: 'shared', visibleIf: '{where} = "a"' },
      { type: 'matrixdynamic', name: 'rows', columns: [{ name: 'c', cellType: 'text', totalType: 'sum' }] },
      { type: 'paneldynamic', name: 'people', templateElements: [{ type: 'text', name: 'age' }] },
      {
        type: 'panel',
        name: 'box',
        elements: [{ type: 'expression', name: 'twice', expression: '{networkSize} * 2' }],
      },
      { type: 'html', name: 'words', html: 'Hello' },
    ],
  };
  const { body: questionnaire } = await cast.root
    .post('/api/questionnaires', { name: 'All kinds', definition, networkSizeQuestion: 'networkSize' })
    .expect(201);
  const send = (responses: object) =>
    cast.volunteer.post(
      '/api/surveys',
      draft(cast, { status: 'IN_PROGRESS', questionnaire: questionnaire.id, responses }),
    );
  const validAnswers = {
    networkSize: 1,
    sum: 2,
    where: 'other',
    'where-Comment': 'there',
    why: ['a'],
    'why-Comment': 'so',
    shared: 'x',
    rows: [{ c: '1' }],
    'rows-total': { c: 1 },
    people: [{ age: '1' }],
    twice: 2,
  };
  const { sum: _calculated, ...stored } = validAnswers;
  const first = await send(validAnswers);
  expect([first.status, first.body.errors]).toEqual([201, undefined]);
  const { body } = first;
  expect(body.responses).toEqual(stored);
  for (const key of [
    'nothing',
    'hidden',
    'shared1',
    'words',
    'box',
    'age',
    'networkSize-Comment',
    'nothing-Comment',
  ]) {
    refusedAt(await send({ networkSize: 1, [key]: 'x' }), `responses.${key}`);
    refusedAt(
      await cast.volunteer.patch(`/api/surveys/${body.id}`, { responses: { [key]: 'x' } }),
      `responses.${key}`,
    );
  }
});
