/** Retention: what is deleted after the study's period, in batches that may be killed, and dry runs. */
import mongoose from 'mongoose';
import { retentionDay, roundsPastRetention } from '../../src/interviews/retention/due.ts';
import { eraseExpired } from '../../src/interviews/retention/erase-expired.ts';
import { runDry } from '../../src/platform/db/transaction.ts';
import { FIRST_ROUND_ID } from '../../src/study/rounds/model.ts';
import { describeUnreachablePhones } from '../../src/study/users/unreachable-phones.ts';
import { ANSWERS } from '../make.ts';
import { castOfFile, collection, draft, oid, read, refusedAt, submit } from './kit.ts';

const cast = castOfFile();
const SECRET = 'Zebulon Quagmire';
const NOW = new Date();
/** All accounts are from before. */
const RUN = { now: NOW, rounds: [FIRST_ROUND_ID], start: new Date(NOW.getTime() + 3_600_000) };
const SECRETS = ['surveys', 'auditevents', 'surveycomments', 'users'];

const remainingSecrets = async () => {
  const isPresent = await Promise.all(
    SECRETS.map(async (name) =>
      (await collection(name).find().toArray()).some((one) => JSON.stringify(one).includes(SECRET)),
    ),
  );
  return SECRETS.filter((_, at) => isPresent[at]);
};

async function interviews(count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const responses = { ...ANSWERS, comment: SECRET };
    const { id } = await submit(cast, { responses });
    await cast.volunteer.patch(`/api/surveys/${id}`, { responses: { ...responses, comment: 'x' } });
    await cast.root.post(`/api/surveys/${id}/comments`, { text: SECRET }).expect(201);
  }
}

const ZONE = 'America/Los_Angeles';
const STUDY = { endsOn: '2026-12-31', retentionDays: 1 };
const OPEN = { _id: FIRST_ROUND_ID, state: 'OPEN', endsOn: null, closedAt: null } as const;
const SECOND = oid('0123456789abcdef01234567');

test('the retention date is retentionDays after the end date in the study’s time zone, if both are set', () => {
  expect(retentionDay(OPEN, STUDY, ZONE)).toBe('2027-01-01');
  const start = (at: string) => roundsPastRetention([OPEN], STUDY, new Date(at), ZONE).start?.toISOString();
  expect(start('2027-01-01T07:59:00Z')).toBeUndefined();
  for (const at of ['2027-01-01T08:00:00Z', '2027-03-01T08:00:00Z'])
    expect(start(at)).toBe('2027-01-01T08:00:00.000Z');
  for (const one of [{ endsOn: null }, { retentionDays: null }])
    expect(
      roundsPastRetention([OPEN], { ...STUDY, ...one }, new Date('2027-03-01T08:00:00Z'), 'UTC'),
    ).toEqual({
      rounds: [],
      start: null,
    });
});

test('a closed round is retained from its own end date, else from the day it was closed, while others go on', () => {
  const closedAt = new Date('2026-03-02T06:00:00Z');
  const closed = { _id: SECOND, state: 'CLOSED', endsOn: null, closedAt } as const;
  const dated = { ...closed, endsOn: '2026-02-20' };
  expect([closed, dated].map((round) => retentionDay(round, STUDY, ZONE))).toEqual([
    '2026-03-02',
    '2026-02-21',
  ]);
  const expired = roundsPastRetention([OPEN, closed], STUDY, new Date('2026-06-01T00:00:00Z'), ZONE);
  expect(expired).toEqual({ rounds: [SECOND], start: null });
});

test('only a super admin can set retentionDays, to 1 to 3650 or null', async () => {
  const set = (retentionDays: unknown, by = cast.root) => by.patch('/api/study', { retentionDays });
  for (const wrong of [0, 3_651, 1.5, '30']) refusedAt(await set(wrong), 'retentionDays');
  await set(30, cast.admin).expect(403);
  for (const right of [1, 3_650, null]) expect((await set(right).expect(200)).body.retentionDays).toBe(right);
});

test('a dry run counts by collection and changes nothing; the run erases those, and a second finds none', async () => {
  await interviews(3);
  const [expiredPerson, activePerson] = [await cast.world.person(), await cast.world.person()];
  await cast.root.patch(`/api/users/${expiredPerson.id}`, { approvalStatus: 'PENDING' }).expect(200);
  const everything = async () =>
    JSON.stringify(await Promise.all(SECRETS.map((name) => collection(name).find().toArray())));
  const before = await everything();
  const counted = await runDry(() => eraseExpired(RUN));
  expect(await everything()).toBe(before);
  expect(counted).toMatchObject({ surveys: 3, surveycomments: 3, identities: 0, users: 1 });
  expect(await eraseExpired(RUN)).toEqual(counted);
  expect(await remainingSecrets()).toEqual([]);
  const phoneOf = async (id: string) => (await collection('users').findOne({ _id: oid(id) }))?.phone;
  expect(await phoneOf(activePerson.id)).toBe(activePerson.phone);
  expect(await phoneOf(expiredPerson.id)).toBe(`erased-${expiredPerson.id}`);
  expect(await describeUnreachablePhones(['US'])).toBeNull();
  const again = await eraseExpired(RUN);
  expect([again.surveys, again.users]).toEqual([0, 0]);
  const { body } = await cast.root.get('/api/audit?subject=Study&action=erase').expect(200);
  expect(body.data.map(({ changes }: { changes: object[] }) => changes)).toEqual([
    [{ path: 'erasedPhones', before: null, after: 1 }],
    [{ path: 'erasedInterviews', before: null, after: 3 }],
  ]);
});

test('people who signed up after the period and wait for approval keep their phone', async () => {
  const waiting = await cast.world.person({ approvalStatus: 'PENDING' });
  const rejected = await cast.world.person({ approvalStatus: 'REJECTED' });
  expect((await eraseExpired({ ...RUN, start: new Date(0) })).users).toBe(1);
  const phoneOf = async (id: string) => (await collection('users').findOne({ _id: oid(id) }))?.phone;
  expect([await phoneOf(waiting.id), await phoneOf(rejected.id)]).toEqual([
    waiting.phone,
    `erased-${rejected.id}`,
  ]);
  expect((await eraseExpired(RUN)).users).toBe(1);
});

test('an interrupted run is completed by the next one', async () => {
  const ids = Array.from({ length: 1_200 }, () => new mongoose.Types.ObjectId());
  const one = await collection('surveys').findOne();
  // They are in the first batch.
  const erased = await collection('surveys').countDocuments();
  await collection('surveys').insertMany(
    ids.map((_id) => ({
      ...one,
      ...{ _id, clientId: _id.toHexString(), referralCode: null, erasedAt: null },
      responses: { comment: SECRET },
    })),
  );
  const killed = new Error('killed');
  const step = () => {
    throw killed;
  };
  await expect(eraseExpired({ ...RUN, step })).rejects.toBe(killed);
  expect(await collection('surveys').countDocuments({ 'responses.comment': SECRET })).toBe(700 + erased);
  expect((await eraseExpired(RUN)).surveys).toBe(700 + erased);
  expect(await remainingSecrets()).toEqual([]);
});

test('an interview sent later is erased by the next run', async () => {
  const late = await cast.volunteer.post('/api/surveys', draft(cast)).expect(201);
  expect((await eraseExpired(RUN)).surveys).toBe(1);
  expect((await read(cast, late.body.id)).responses).toEqual({});
});

test('a comment on an erased interview is erased by the next run', async () => {
  const { id } = await submit(cast);
  await cast.root.post(`/api/surveys/${id}/erase`, { reason: 'Asked for.' }).expect(200);
  await cast.root.post(`/api/surveys/${id}/comments`, { text: SECRET }).expect(201);
  expect(await eraseExpired(RUN)).toMatchObject({ surveys: 0, surveycomments: 1, auditevents: 1 });
  expect(await remainingSecrets()).toEqual([]);
  expect(await eraseExpired(RUN)).toMatchObject({ surveycomments: 0, auditevents: 0 });
});

test('interviews of a round whose period is not over stay, and so do phone numbers', async () => {
  await interviews(1);
  const counts = await eraseExpired({ now: NOW, rounds: [SECOND], start: null });
  expect([counts.surveys, counts.users]).toEqual([0, 0]);
  expect(await remainingSecrets()).toContain('auditevents');
  expect((await eraseExpired(RUN)).surveys).toBe(1);
});
