/** Corrections: a code presented twice, coupons handed out late, a mistaken deletion. */
import mongoose from 'mongoose';
import { AuditEventModel } from '../../src/platform/audit/model.ts';
import type { Body } from '../make.ts';
import {
  castOfFile,
  draft,
  flagsOf,
  NOBODY,
  oid,
  read,
  refused,
  refusedAt,
  reserve,
  seedCode,
  setStudy,
  stateOf,
  submit,
  tally,
  times,
  uuid,
} from './kit.ts';

const cast = castOfFile();

const FLAG = { onCodeProblem: 'FLAG' };
const NO_PLACE = { referralCode: null, seed: null, recruiter: null, wave: null };
const take = (id: string, from: string, by = cast.admin, headers = {}) =>
  by.post(`/api/surveys/${id}/take-code`, { from, reason: 'the coupon was copied' }).set(headers);
const codeRecord = (code: string) => mongoose.connection.collection('referralcodes').findOne({ code });

/** The number of single inserts of audit events meanwhile. */
async function eventsInserted(work: () => PromiseLike<unknown>): Promise<number> {
  const { collection } = AuditEventModel;
  const own = collection.insertOne;
  let calls = 0;
  collection.insertOne = (...args) => {
    calls += 1;
    return own.apply(collection, args);
  };
  try {
    await work();
  } finally {
    collection.insertOne = own;
  }
  return calls;
}

/** `first` redeemed a code of `root`, `second` presented it too; each has a recruit, and that one has another. */
async function twice() {
  const seed = await seedCode(cast);
  const root = await submit(cast, { referralCode: seed });
  const referralCode = root.issuedCodes[0];
  const first = await submit(cast, { referralCode });
  const second = await submit(cast, { referralCode, ...FLAG });
  const below = async (of: Body) => submit(cast, { referralCode: of.issuedCodes[0] });
  const [ofFirst, ofSecond] = [await below(first), await below(second)];
  const [underFirst, underSecond] = [await below(ofFirst), await below(ofSecond)];
  return { root, referralCode, first, second, ofFirst, ofSecond, underFirst, underSecond };
}

test('the second survey takes the code, the chains below both follow, and it can be reversed', async () => {
  const t = await twice();
  const { seed, wave, recruiter } = t.first;
  const { body } = await take(t.second.id, t.first.id).expect(200);
  expect(body).toMatchObject({
    id: t.second.id,
    referralCode: t.referralCode,
    seed,
    wave,
    recruiter,
    flags: [],
    version: 2,
  });
  expect(await read(cast, t.first.id)).toMatchObject({ ...NO_PLACE, version: 2 });
  expect(flagsOf(await read(cast, t.first.id))).toEqual(['REFERRAL_CODE_USED']);
  expect(await read(cast, t.ofSecond.id)).toMatchObject({ seed, wave: 2, recruiter: t.second.id });
  expect(await read(cast, t.underSecond.id)).toMatchObject({ seed, wave: 3 });
  expect(await read(cast, t.ofFirst.id)).toMatchObject({ seed: null, wave: null, recruiter: t.first.id });
  expect(await read(cast, t.underFirst.id)).toMatchObject({
    seed: null,
    wave: null,
    recruiter: t.ofFirst.id,
  });
  expect(await codeRecord(t.referralCode)).toMatchObject({ redeemedBy: oid(t.second.id), state: 'USED' });
  // Unused coupons also get the right chain.
  const late = await submit(cast, { referralCode: t.second.issuedCodes[1] });
  expect(late).toMatchObject({ seed, wave: 2, recruiter: t.second.id });
  const lost = await submit(cast, { referralCode: t.first.issuedCodes[1] });
  expect(lost).toMatchObject({ seed: null, wave: null, recruiter: t.first.id, flags: [] });

  for (const [id, after] of [
    [t.second.id, t.referralCode],
    [t.first.id, null],
  ]) {
    const { body: history } = await cast.admin.get(`/api/surveys/${id}/history`).expect(200);
    expect(history.at(-1)).toMatchObject({ by: cast.admin.id, reason: 'the coupon was copied' });
    expect(history.at(-1).changes).toContainEqual(expect.objectContaining({ path: 'referralCode', after }));
  }
  await take(t.first.id, t.second.id).expect(200);
  for (const id of [t.first.id, t.ofFirst.id, t.underFirst.id]) {
    const { seed: now, wave: then } = await read(cast, id);
    expect([now, then]).toEqual([seed, { [t.first.id]: 1, [t.ofFirst.id]: 2, [t.underFirst.id]: 3 }[id]]);
  }
  expect(await read(cast, lost.id)).toMatchObject({ seed, wave: 2 });
  for (const id of [t.second.id, t.ofSecond.id, t.underSecond.id, late.id])
    expect(await read(cast, id)).toMatchObject({ seed: null, wave: null });
});

test('take-code writes the events of all surveys below in bulk, one insert per wave', async () => {
  const t = await twice();
  const surveys = mongoose.connection.collection('surveys');
  const example = await surveys.findOne({ _id: oid(t.ofFirst.id) });
  const more = times(40, () => ({
    ...example,
    _id: new mongoose.Types.ObjectId(),
    clientId: uuid(),
    referralCode: null,
  }));
  await surveys.insertMany(more);
  const calls = await eventsInserted(() => take(t.second.id, t.first.id).expect(200));
  // The two surveys, and three waves of one survey each.
  expect(calls).toBe(5);
  const events = { record: { $in: more.map(({ _id }) => _id) } };
  const storedEvents = await mongoose.connection.collection('auditevents').find(events).toArray();
  expect(storedEvents).toHaveLength(40);
  for (const { changes, location } of storedEvents) {
    expect(location).toEqual(oid(cast.site));
    expect(changes).toEqual([
      { path: 'seed', before: oid(t.first.seed), after: null },
      { path: 'wave', before: 2, after: null },
    ]);
  }
});

test('taking a seed’s code also moves the seed', async () => {
  const referralCode = await seedCode(cast);
  const first = await submit(cast, { referralCode });
  const second = await submit(cast, { referralCode, ...FLAG });
  await take(second.id, first.id).expect(200);
  expect(await read(cast, second.id)).toMatchObject({ wave: 0, seed: first.seed, recruiter: null });
  expect((await cast.root.get(`/api/seeds/${first.seed}`).expect(200)).body.survey).toBe(second.id);
});

test('only one of two simultaneous requests takes the code, and a stale version is rejected', async () => {
  const t = await twice();
  refused(await take(t.second.id, t.first.id, cast.admin, { 'If-Match': '"7"' }), 409, 'EDIT_CONFLICT');
  const both = await Promise.all([take(t.second.id, t.first.id), take(t.second.id, t.first.id, cast.root)]);
  expect(tally(both)).toEqual({ 200: 1, '409 INVALID_TRANSITION': 1 });
  expect((await read(cast, t.first.id)).flags).toHaveLength(1);
});

test('take-code needs the presented code, a survey without one, a reason and permission', async () => {
  const t = await twice();
  const other = await submit(cast);
  refused(await take(t.first.id, t.second.id), 409, 'INVALID_TRANSITION');
  refused(await take(t.second.id, other.id), 409, 'INVALID_TRANSITION');
  refused(await take(t.second.id, t.second.id), 409, 'INVALID_TRANSITION');
  refusedAt(await take(t.second.id, NOBODY), 'from');
  refused(await take(NOBODY, t.first.id), 404);
  for (const reason of [undefined, '', '  ', 'x'.repeat(501)])
    refusedAt(
      await cast.admin.post(`/api/surveys/${t.second.id}/take-code`, { from: t.first.id, reason }),
      'reason',
    );
  const stranger = await cast.world.person({ location: cast.site });
  refused(await take(t.second.id, t.first.id, stranger), 403);
});

test('take-code rejects a code from the survey’s own chain', async () => {
  const t = await twice();
  // `second` takes the code; then a code of its own chain was presented to `first`, which is above it.
  const top = await submit(cast, { referralCode: await seedCode(cast) });
  const child = await submit(cast, { referralCode: top.issuedCodes[0] });
  const grandchild = await submit(cast, { referralCode: child.issuedCodes[0] });
  await mongoose.connection
    .collection('surveys')
    .updateOne({ _id: oid(t.second.id) }, { $set: { 'flags.0.referralCode': grandchild.referralCode } });
  await mongoose.connection
    .collection('surveys')
    .updateOne({ _id: oid(top.id) }, { $set: { recruiter: oid(t.second.id) } });
  refusedAt(await take(t.second.id, grandchild.id), 'from');
});

test('coupons handed out later are added and link their recruits; none is removed', async () => {
  const survey = await submit(cast);
  const before = survey.issuedCodes;
  const late = (await reserve(cast.volunteer, 4)) as [string, string, string, string];
  const early = await submit(cast, { referralCode: late[0] });
  expect(flagsOf(early)).toEqual(['RECRUITER_PENDING']);
  const add = (issuedCodes: unknown[], by = cast.volunteer) =>
    by.patch(`/api/surveys/${survey.id}`, { issuedCodes });
  const { body } = await add([late[0], late[1]]).expect(200);
  expect(body).toMatchObject({ issuedCodes: [...before, late[0], late[1]], version: 2 });
  expect(await read(cast, early.id)).toMatchObject({
    recruiter: survey.id,
    wave: 1,
    seed: survey.seed,
    flags: [],
  });
  expect(await stateOf(cast, late[1])).toMatchObject({ state: 'LIVE', survey: survey.id });
  expect((await codeRecord(late[1]))?.handedOutAt.getTime()).toBeGreaterThanOrEqual(
    Date.parse(survey.createdAt),
  );
  // The same code in another spelling.
  expect((await add([late[1].toLowerCase(), late[0]]).expect(200)).body.version).toBe(2);

  const [foreign] = await reserve(cast.admin, 1);
  const answer = await add([late[2], foreign]);
  refusedAt(answer, 'issuedCodes.1');
  expect(await stateOf(cast, late[2])).toMatchObject({ state: 'RESERVED', survey: null });
  refusedAt(await add([late[2], late[3]]), 'issuedCodes.1');
  await add([late[2]]).expect(200);
  refusedAt(await add([late[3]]), 'issuedCodes.0');
});

test('only one of two surveys can add the same later coupon', async () => {
  const surveys = [await submit(cast), await submit(cast)];
  const [code] = await reserve(cast.volunteer, 1);
  const both = await Promise.all(
    surveys.map(({ id }) => cast.volunteer.patch(`/api/surveys/${id}`, { issuedCodes: [code] })),
  );
  expect(tally(both)).toEqual({ 200: 1, '400 VALIDATION_ERROR': 1 });
});

test('an unfinished interview with later coupons gets only the rest at completion', async () => {
  await setStudy(cast, { couponsPerSurvey: 3 });
  const { id } = await submit(cast, { status: 'IN_PROGRESS', responses: {} });
  const [code] = await reserve(cast.volunteer, 1);
  await cast.volunteer.patch(`/api/surveys/${id}`, { issuedCodes: [code] }).expect(200);
  const completed = { status: 'COMPLETED', responses: { networkSize: 3 } };
  const { body } = await cast.volunteer.patch(`/api/surveys/${id}`, completed).expect(200);
  expect(body.issuedCodes).toHaveLength(3);
  expect(body.issuedCodes[0]).toBe(code);
});

test('a restored survey has its place, code and recruits again', async () => {
  const root = await submit(cast, { referralCode: await seedCode(cast) });
  const child = await submit(cast, { referralCode: root.issuedCodes[0] });
  const before = await read(cast, root.id);
  await cast.admin.delete(`/api/surveys/${root.id}`).expect(204);
  refused(await cast.volunteer.post(`/api/surveys/${root.id}/restore`), 403);
  const { body } = await cast.admin.post(`/api/surveys/${root.id}/restore`).expect(200);
  expect({ ...body, updatedAt: '' }).toEqual({ ...before, updatedAt: '' });
  expect(await read(cast, root.id)).toEqual(body);
  expect((await cast.admin.post(`/api/surveys/${root.id}/restore`).expect(200)).body).toEqual(body);
  expect(await read(cast, child.id)).toMatchObject({ recruiter: root.id, wave: 1 });
  refused(
    await cast.volunteer.post('/api/surveys', draft(cast, { referralCode: before.referralCode })),
    409,
    'REFERRAL_CODE_USED',
  );
  refused(await cast.root.delete(`/api/seeds/${root.seed}`), 409, 'SEED_IN_USE');
  const { body: history } = await cast.admin.get(`/api/surveys/${root.id}/history`).expect(200);
  expect(history.at(-1).changes).toMatchObject([{ path: 'deletedAt', after: null }]);
  refused(await cast.admin.post(`/api/surveys/${NOBODY}/restore`), 404);
  // Loaded once for simultaneous requests.
  await cast.admin.delete(`/api/surveys/${root.id}`).expect(204);
  const all = await Promise.all(times(3, () => cast.admin.post(`/api/surveys/${root.id}/restore`)));
  expect(tally(all)).toEqual({ 200: 3 });
  const undone = await mongoose.connection
    .collection('auditevents')
    .countDocuments({ record: oid(root.id), action: 'update' });
  expect(undone).toBe(2);
});
