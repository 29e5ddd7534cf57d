/** Taking back a review. */
import { ANSWERS } from '../make.ts';
import type { Person } from '../people.ts';
import { checkIncentives } from './incentives-check.ts';
import { castOfFile, collection, read, refused, setStudy, submit } from './kit.ts';

const cast = castOfFile();
let reviewer: Person;
let other: Person;
beforeAll(async () => {
  reviewer = await cast.world.person({ role: 'ADMIN' });
  other = await cast.world.person({ role: 'ADMIN' });
});

const RECEIVED = { state: 'RECEIVED', by: null, at: null };
const REJECTED = { state: 'REJECTED', comment: 'Made up.' };
const review = (id: string, body: object, person = reviewer) =>
  person.post(`/api/surveys/${id}/review`, body).expect(200);
const undo = (id: string, person = reviewer) => person.post(`/api/surveys/${id}/review/undo`);

test('a reviewer can undo their own decision, and the interview is as unreviewed as before', async () => {
  const { id, version } = await submit(cast);
  await review(id, { state: 'APPROVED' });
  const { body } = await undo(id).expect(200);
  expect(body).toMatchObject({ review: RECEIVED, version: version + 2 });
  expect(await read(cast, id)).toMatchObject({ review: RECEIVED });
  const { body: history } = await reviewer.get(`/api/surveys/${id}/history`).expect(200);
  expect(history.at(-1).changes).toEqual([{ path: 'review', before: 'APPROVED', after: 'RECEIVED' }]);
  const { body: listed } = await reviewer.get(`/api/surveys?review=RECEIVED&search=${id}`).expect(200);
  expect(listed.data).toHaveLength(1);
});

test('undo goes back to the decision of the reviewer before, and no further', async () => {
  const { id } = await submit(cast);
  const { body: first } = await review(id, REJECTED, other);
  await review(id, { state: 'APPROVED' });
  const { body } = await undo(id).expect(200);
  expect(body.review).toEqual(first.review);
  refused(await undo(id), 409, 'INVALID_TRANSITION');
  refused(await undo(id, other), 409, 'INVALID_TRANSITION');
});

test('nobody can undo someone else’s decision, or one about other answers', async () => {
  const { id } = await submit(cast);
  refused(await undo(id), 409, 'INVALID_TRANSITION');
  await review(id, { state: 'APPROVED' });
  refused(await undo(id, other), 409, 'INVALID_TRANSITION');
  await reviewer.patch(`/api/surveys/${id}`, { responses: { ...ANSWERS, networkSize: 31 } }).expect(200);
  refused(await undo(id), 409, 'INVALID_TRANSITION');
  expect((await read(cast, id)).review.state).toBe('APPROVED');
});

test('a stale version is refused', async () => {
  const { id } = await submit(cast);
  const { body } = await review(id, { state: 'APPROVED' });
  const ifMatch = (version: number) => undo(id).set('If-Match', `"${version}"`);
  refused(await ifMatch(body.version - 1), 409, 'EDIT_CONFLICT');
  await ifMatch(body.version).expect(200);
});

test('what a rejection withdrew is due again', async () => {
  const pays = { currency: 'USD', interview: '20.00', recruit: '10.00', recruitLimit: null };
  await setStudy(cast, { incentives: pays });
  const recruiter = await submit(cast, { responses: ANSWERS });
  const { id } = await submit(cast, { responses: ANSWERS, referralCode: recruiter.issuedCodes[0] });
  const states = async () => {
    const stored = await collection('incentives').find().sort({ _id: 1 }).toArray();
    return stored.map(({ state }) => state);
  };
  expect(await states()).toEqual(['DUE', 'DUE', 'DUE']);
  await review(id, REJECTED);
  expect(await states()).toEqual(['DUE', 'WITHDRAWN', 'WITHDRAWN']);
  await undo(id).expect(200);
  expect(await states()).toEqual(['DUE', 'DUE', 'DUE']);
  await checkIncentives();
});
