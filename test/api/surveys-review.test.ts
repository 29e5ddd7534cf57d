/** Review: states, comments, the effect of changed answers, and bulk review. */
import mongoose from 'mongoose';
import { ANSWERS } from '../make.ts';
import type { Person } from '../people.ts';
import { castOfFile, NOBODY, read, refused, refusedAt, submit } from './kit.ts';

const cast = castOfFile();
let reviewer: Person;
beforeAll(async () => {
  reviewer = await cast.world.person({ role: 'ADMIN' });
});

const review = (id: string, body: object, person = reviewer) =>
  person.post(`/api/surveys/${id}/review`, body);
const HAS_ISSUES = { state: 'HAS_ISSUES', comment: 'Who is the network?' };
const REJECTED = { state: 'REJECTED', comment: 'Made up.' };
const RECEIVED = { state: 'RECEIVED', by: null, at: null };
const stateOf = async (id: string) => (await read(cast, id)).review.state;
const correct = (id: string, networkSize: number, person: Person = cast.volunteer) =>
  person.patch(`/api/surveys/${id}`, { responses: { ...ANSWERS, networkSize } });
const commentsOf = async (id: string) =>
  (await reviewer.get(`/api/surveys/${id}/comments`).expect(200)).body.data;

test('a new survey is RECEIVED, read alone or in a list', async () => {
  const survey = await submit(cast);
  expect(survey.review).toEqual(RECEIVED);
  const { body } = await reviewer.get(`/api/surveys?search=${survey.id}`).expect(200);
  expect(body.data[0].review).toEqual(RECEIVED);
});

test('a review stores person and time, and increments the version', async () => {
  const survey = await submit(cast);
  const { body } = await review(survey.id, { state: 'APPROVED' }).expect(200);
  expect(body.review).toEqual({ state: 'APPROVED', by: reviewer.id, at: expect.any(String) });
  expect(body.version).toBe(survey.version + 1);
  expect(await read(cast, survey.id)).toEqual(body);
});

test('HAS_ISSUES and REJECTED need a comment, and RECEIVED cannot be set', async () => {
  const { id } = await submit(cast);
  for (const state of ['HAS_ISSUES', 'REJECTED']) {
    refusedAt(await review(id, { state }), 'comment');
    refusedAt(await review(id, { state, comment: '  ' }), 'comment');
  }
  refusedAt(await review(id, { ...HAS_ISSUES, comment: 'x'.repeat(2_001) }), 'comment');
  refusedAt(await review(id, { state: 'RECEIVED' }), 'state');
  await review(id, { ...HAS_ISSUES, comment: 'x'.repeat(2_000) }).expect(200);
});

test('an unfinished survey cannot be reviewed', async () => {
  const { id } = await submit(cast, { status: 'IN_PROGRESS', responses: {} });
  refused(await review(id, { state: 'APPROVED' }), 409, 'INVALID_TRANSITION');
});

test('a review of a stale version is rejected', async () => {
  const { id, version } = await submit(cast);
  const ifMatch = (expectedVersion: number) =>
    review(id, { state: 'APPROVED' }).set('If-Match', `"${expectedVersion}"`);
  refused(await ifMatch(version + 1), 409, 'EDIT_CONFLICT');
  const first = await ifMatch(version).expect(200);
  // The same request again, because its response was lost.
  expect((await ifMatch(version).expect(200)).body).toEqual(first.body);
});

test('approving again changes nothing', async () => {
  const { id } = await submit(cast);
  const first = await review(id, { state: 'APPROVED' }).expect(200);
  const second = await review(id, { state: 'APPROVED' }).expect(200);
  expect(second.body).toEqual(first.body);
});

test('a review is in the history and audit trail with its comment', async () => {
  const { id } = await submit(cast);
  await review(id, HAS_ISSUES).expect(200);
  const { body } = await cast.volunteer.get(`/api/surveys/${id}/history`).expect(200);
  expect(body).toMatchObject([
    {
      by: reviewer.id,
      reason: HAS_ISSUES.comment,
      changes: [{ path: 'review', before: 'RECEIVED', after: 'HAS_ISSUES' }],
    },
  ]);
  const audit = await reviewer.get(`/api/audit?record=${id}&action=update`).expect(200);
  expect(audit.body.data).toHaveLength(1);
});

test.each([{ state: 'APPROVED' }, HAS_ISSUES])(
  'changed answers by another person reset $state to RECEIVED',
  async (body) => {
    const { id } = await submit(cast);
    await review(id, body).expect(200);
    await correct(id, 12).expect(200);
    expect(await stateOf(id)).toBe(body.state);
    const changed = await correct(id, 30).expect(200);
    expect(changed.body.review).toEqual(RECEIVED);
    expect(await read(cast, id)).toMatchObject({ review: RECEIVED });
  },
);

test('a review stays after the reviewer changes answers, and after other changes', async () => {
  const { id } = await submit(cast);
  await review(id, { state: 'APPROVED' }).expect(200);
  await correct(id, 31, reviewer).expect(200);
  const coordinates = { latitude: 1, longitude: 1 };
  await cast.volunteer.patch(`/api/surveys/${id}`, { coordinates }).expect(200);
  expect(await stateOf(id)).toBe('APPROVED');
});

test('only reviewers can change answers of a rejected survey, and it stays rejected', async () => {
  const { id } = await submit(cast);
  await review(id, REJECTED).expect(200);
  refused(await correct(id, 32), 409, 'REVIEW_CLOSED');
  const coordinates = { latitude: 1, longitude: 1 };
  await cast.volunteer.patch(`/api/surveys/${id}`, { coordinates }).expect(200);
  const other = await cast.world.person({ role: 'ADMIN' });
  await correct(id, 33, other).expect(200);
  expect(await stateOf(id)).toBe('REJECTED');
  await review(id, { state: 'APPROVED' }, other).expect(200);
  await correct(id, 34).expect(200);
});

test('volunteers, managers and admins cannot review their own survey, even with a grant', async () => {
  const permissions = [{ action: 'review', subject: 'Survey', conditions: [] }];
  const location = await cast.world.place();
  for (const role of ['VOLUNTEER', 'MANAGER', 'ADMIN'] as const) {
    const person = await cast.world.person({ role, permissions, location });
    const { body } = await person.post('/api/surveys', { location, responses: ANSWERS }).expect(201);
    refused(await review(body.id, { state: 'APPROVED' }, person), 403);
  }
});

test('a review grant allows reading others’ surveys with history and comments, but not own earlier ones', async () => {
  const permissions = [{ action: 'review', subject: 'Survey', conditions: [] }];
  const person = await cast.world.person({ permissions });
  const { id } = await submit(cast);
  const own = await submit(cast);
  const yesterday = new Date(Date.now() - 2 * 86_400_000);
  const change = async (of: string, fields: object) =>
    await mongoose.connection
      .collection('surveys')
      .updateOne({ _id: new mongoose.Types.ObjectId(of) }, { $set: fields });
  await change(id, { createdAt: yesterday });
  await change(own.id, { createdAt: yesterday, createdBy: new mongoose.Types.ObjectId(person.id) });
  for (const part of ['', '/history', '/comments', '/answers'])
    await person.get(`/api/surveys/${id}${part}`).expect(200);
  refused(await person.get(`/api/surveys/${own.id}`), 403);
  const { body } = await person.get('/api/surveys?limit=200').expect(200);
  const listed = body.data.map((one: { id: string }) => one.id);
  expect(listed).toContain(id);
  expect(listed).not.toContain(own.id);
  await review(id, { state: 'APPROVED' }, person).expect(200);
  refused(await person.patch(`/api/surveys/${id}`, { responses: ANSWERS }), 403);
});

test('the review filter finds each state, including RECEIVED', async () => {
  const ids: Record<string, string> = {};
  for (const state of ['RECEIVED', 'APPROVED', 'HAS_ISSUES', 'REJECTED']) {
    const { id } = await submit(cast);
    if (state !== 'RECEIVED') await review(id, { state, comment: 'Seen.' }).expect(200);
    ids[state] = id;
  }
  for (const [state, id] of Object.entries(ids)) {
    const { body } = await reviewer.get(`/api/surveys?review=${state}&limit=200`).expect(200);
    const listed = body.data.map((one: { id: string }) => one.id);
    expect(Object.values(ids).filter((one) => listed.includes(one))).toEqual([id]);
  }
  refused(await reviewer.get('/api/surveys?review=SEEN'), 400, 'INVALID_QUERY');
});

test('comments are paged, newest first, with the state of reviews', async () => {
  const { id, version } = await submit(cast);
  const { body } = await cast.volunteer.post(`/api/surveys/${id}/comments`, {
    text: ' She was in a hurry. ',
  });
  expect(body).toEqual({
    id: expect.any(String),
    text: 'She was in a hurry.',
    by: cast.volunteer.id,
    at: expect.any(String),
    state: null,
  });
  expect((await read(cast, id)).version).toBe(version);
  await review(id, HAS_ISSUES).expect(200);
  const all = await commentsOf(id);
  expect(all).toMatchObject([{ text: HAS_ISSUES.comment, state: 'HAS_ISSUES', by: reviewer.id }, body]);
  const first = await reviewer.get(`/api/surveys/${id}/comments?limit=1`).expect(200);
  expect(first.body.data).toEqual([all[0]]);
  const rest = await reviewer.get(`/api/surveys/${id}/comments?limit=1&cursor=${first.body.nextCursor}`);
  expect(rest.body).toEqual({ data: [all[1]], nextCursor: null });
  for (const text of ['', ' ', 'x'.repeat(2_001)])
    refusedAt(await reviewer.post(`/api/surveys/${id}/comments`, { text }), 'text');
});

test('a bulk review has one result per survey', async () => {
  const [first, second, unfinished] = [
    await submit(cast),
    await submit(cast),
    await submit(cast, { status: 'IN_PROGRESS', responses: {} }),
  ];
  const ids = [first.id, NOBODY, unfinished.id, second.id];
  const { body } = await reviewer.post('/api/surveys/review', { ids, ...REJECTED }).expect(200);
  expect(body.done).toBe(2);
  expect(body.refused).toMatchObject([
    { id: NOBODY, message: expect.stringMatching(/\S/), code: null },
    { id: unfinished.id, code: 'INVALID_TRANSITION', reason: 'REVIEW_UNFINISHED' },
  ]);
  for (const { id } of [first, second]) {
    expect(await stateOf(id)).toBe('REJECTED');
    expect(await commentsOf(id)).toHaveLength(1);
  }
});

test('a bulk review needs 1 to 200 ids, a comment if required, and permission to review', async () => {
  const { id } = await submit(cast);
  const many = (body: object, person = reviewer) => person.post('/api/surveys/review', body);
  refusedAt(await many({ ids: [], state: 'APPROVED' }), 'ids');
  refusedAt(await many({ ids: Array(201).fill(id), state: 'APPROVED' }), 'ids');
  refusedAt(await many({ ids: [id], state: 'REJECTED' }), 'comment');
  refused(await many({ ids: [id], state: 'APPROVED' }, cast.volunteer), 403);
});
