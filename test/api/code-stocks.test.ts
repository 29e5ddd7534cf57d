/** Codes created in advance, tested without a route: blocks for a device, and printed batches as commands see them. */
import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import * as batches from '../../src/coupons/referral-codes/batches.ts';
import { generateCode } from '../../src/coupons/referral-codes/code.ts';
import { createBatch } from '../../src/coupons/referral-codes/issue.ts';
import {
  CodeBatchModel,
  ReferralCodeModel,
  type ReferralCodeRecord,
} from '../../src/coupons/referral-codes/model.ts';
import {
  giveUpCodes,
  listReservedCodes,
  reserveCodeBlock,
} from '../../src/coupons/referral-codes/reserved-blocks.ts';
import { runDry } from '../../src/platform/db/transaction.ts';
import { ensureFirstRound } from '../../src/study/rounds/model.ts';
import {
  closeDatabase,
  codeOf,
  eventsOf,
  HERE,
  HOUR,
  later,
  ME,
  NOW,
  newId,
  openDatabase,
  setState,
  storedClosedRound,
  storedCode,
  storedLocation,
  storedUser,
} from '../database.ts';

const by = { by: ME, now: NOW };
type State = ReferralCodeRecord['state'];

beforeAll(async () => {
  await openDatabase();
  await ensureFirstRound(new Date());
  await storedLocation(HERE);
});
afterAll(closeDatabase);

const newBatch = (count: number, at = NOW) =>
  createBatch({ count, location: HERE, note: 'Box 1' }, { by: ME, now: at });

describe('a block of reserved codes', () => {
  const reserve = (user: mongoose.Types.ObjectId, count: number, requestId?: string) =>
    reserveCodeBlock(user, { count, requestId }, { now: NOW });

  test('belongs to one user and is listed in order of creation until used', async () => {
    const user = newId();
    const { codes, again } = await reserve(user, 5);
    expect([codes.length, again]).toEqual([5, false]);
    await reserve(newId(), 1);
    await storedCode({ state: 'RESERVED', batch: newId() });
    expect(await codeOf(codes[0])).toMatchObject({ state: 'RESERVED', reservedBy: user, createdAt: NOW });
    expect(await codeOf(codes[0])).not.toHaveProperty('requestId');
    for (const [at, state] of (['LIVE', 'USED', 'VOID'] as const).entries()) await setState(codes[at], state);
    const more = await reserve(user, 1);
    expect(await listReservedCodes(user)).toEqual([...codes.slice(3), ...more.codes]);
  });

  test('is limited to a hundred per user; repeating the same request adds none', async () => {
    const user = newId();
    const first = await reserve(user, 99, 'first');
    await expect(reserve(user, 2)).rejects.toMatchObject({ name: 'TOO_MANY_RESERVED' });
    await reserve(user, 1, 'second');
    await expect(reserve(user, 1)).rejects.toMatchObject({ name: 'TOO_MANY_RESERVED' });
    expect(await reserve(user, 99, 'first')).toEqual({ codes: first.codes, again: true });
    expect(await listReservedCodes(user)).toHaveLength(100);
    expect((await reserve(newId(), 1, 'first')).again).toBe(false);
  });

  test('counts the codes given up during the last day: at most 200 with those that are left', async () => {
    const user = newId();
    const withGivenUp = async (count: number, at: Date) => {
      const { codes } = await reserve(user, count);
      await giveUpCodes(user, codes, { now: at });
    };
    const DAY = 24 * HOUR;
    await withGivenUp(100, later(-DAY));
    await withGivenUp(100, later(1 - DAY));
    await withGivenUp(50, later(-HOUR));
    await reserve(user, 50);
    await expect(reserve(user, 1)).rejects.toMatchObject({ name: 'TOO_MANY_RESERVED' });
    expect(await listReservedCodes(user)).toHaveLength(50);
  });

  test('is listed in order of creation, whatever the storage order', async () => {
    const user = newId();
    const ids = [newId(), newId(), newId()];
    const codeById = new Map<unknown, string>();
    for (const _id of [ids[2], ids[0], ids[1]]) {
      const fields = { state: 'RESERVED' as const, reservedBy: user, requestId: 'one' };
      codeById.set(_id, (await storedCode({ ...(_id && { _id }), ...fields })).code);
    }
    const codes = ids.map((_id) => codeById.get(_id));
    expect(await listReservedCodes(user)).toEqual(codes);
    expect(await reserve(user, 3, 'one')).toEqual({ codes, again: true });
  });

  test('makes room when released; its codes stay valid and are each in the audit trail', async () => {
    const user = newId();
    const [{ codes }, others] = [await reserve(user, 3), await reserve(newId(), 1)];
    const codesToRelease = [...codes.slice(0, 2), ...others.codes, generateCode(randomBytes)];
    expect(await giveUpCodes(user, codesToRelease, { now: later(HOUR) })).toBe(2);
    expect(await listReservedCodes(user)).toEqual(codes.slice(2));
    for (const text of codes.slice(0, 2)) {
      const code = await codeOf(text);
      expect(code).toMatchObject({ state: 'RESERVED', givenUpAt: later(HOUR) });
      const changes = [{ path: 'givenUpAt', before: null, after: later(HOUR).toISOString() }];
      const event = { by: user, action: 'update', subject: 'ReferralCode', changes, createdAt: later(HOUR) };
      expect(await eventsOf(code?._id)).toEqual([expect.objectContaining(event)]);
    }
    expect(await giveUpCodes(user, codesToRelease, { now: NOW })).toBe(0);
    expect(await codeOf(others.codes[0])).not.toHaveProperty('givenUpAt');
  });

  test('is neither created nor released in a dry run', async () => {
    const user = newId();
    expect((await runDry(() => reserve(user, 2))).codes).toHaveLength(2);
    expect(await listReservedCodes(user)).toEqual([]);
    const { codes } = await reserve(user, 2);
    expect(await runDry(() => giveUpCodes(user, codes, { now: NOW }))).toBe(2);
    expect(await listReservedCodes(user)).toEqual(codes);
  });

  test('increments a counter on the user’s record, so that two requests of one user conflict', async () => {
    const [, user] = [await storedUser(), await storedUser()];
    await reserve(user, 1);
    await runDry(() => reserve(user, 1));
    const record = await mongoose.connection.collection('users').findOne({ _id: user });
    expect(record?.blocksReserved).toBe(1);
  });
});

describe('a printed batch', () => {
  test('is stored with its codes and an audit event', async () => {
    const batch = await newBatch(2);
    const batchFields = { count: 2, location: HERE, note: 'Box 1', createdBy: ME, createdAt: NOW };
    expect(await CodeBatchModel.findById(batch.id).lean()).toEqual({ _id: batch.id, ...batchFields });
    const codes = await ReferralCodeModel.find({ batch: batch.id }).sort({ _id: 1 }).lean();
    expect(codes.map((one) => [one.code, one.state, one.createdAt])).toEqual(
      batch.codes.map((code) => [code, 'RESERVED', NOW]),
    );
    const event = { by: ME, action: 'create', subject: 'CodeBatch', changes: [], createdAt: NOW };
    expect(await eventsOf(batch.id)).toEqual([expect.objectContaining(event)]);
  });

  test('is prepared before anything is stored; an error leaves nothing', async () => {
    let prepared: { id?: mongoose.Types.ObjectId; codes?: string[] } = {};
    const batchFields = { count: 2, location: HERE, note: null };
    const creation = createBatch(batchFields, by, async (batch, codes) => {
      prepared = { id: batch, codes };
      expect(await batches.batchExists(String(batch))).toBe(false);
      throw new Error('no paper');
    });
    await expect(creation).rejects.toThrow('no paper');
    expect(prepared.codes).toHaveLength(2);
    expect(await ReferralCodeModel.countDocuments({ code: { $in: prepared.codes ?? [] } })).toBe(0);
    expect(await batches.batchExists(String(prepared.id))).toBe(false);
  });

  test('a dry run stores nothing', async () => {
    const batch = await runDry(() => newBatch(2));
    expect(batch.codes).toHaveLength(2);
    expect(await batches.batchExists(String(batch.id))).toBe(false);
    expect(await ReferralCodeModel.countDocuments({ batch: batch.id })).toBe(0);
    expect(await eventsOf(batch.id)).toEqual([]);
  });

  test('is found only by its id', async () => {
    const batch = await newBatch(1);
    expect(await batches.findBatch(String(batch.id))).toMatchObject({ _id: batch.id, count: 1 });
    expect(await batches.batchExists(String(batch.id))).toBe(true);
    expect(await batches.batchExists(String(newId()))).toBe(false);
    for (const text of [String(newId()), 'nonsense', `x${batch.id}`, `${batch.id}x`])
      await expect(batches.findBatch(text)).rejects.toMatchObject({
        name: 'NOT_FOUND',
        message: `Batch ${text} doesn’t exist.`,
      });
  });

  test('is listed with the states of its codes, newest first', async () => {
    await CodeBatchModel.deleteMany({});
    const old = await newBatch(1, later(-HOUR));
    const [one, two] = [await newBatch(10), await newBatch(2)];
    await storedCode();
    const states = { LIVE: 4, USED: 3, VOID: 2 };
    const codes = [...one.codes];
    for (const [state, count] of Object.entries(states))
      for (const code of codes.splice(0, count)) await setState(code, state as State);
    // Handed out, and too old since.
    await ReferralCodeModel.updateOne(
      { batch: one.id, state: 'LIVE' },
      { $set: { expiresAt: later(-HOUR) } },
    );
    const none = { handedOut: 0, redeemed: 0, voided: 0 };
    expect(await batches.listBatches(later(0))).toEqual([
      expect.objectContaining({ _id: two.id, left: 2, ...none }),
      expect.objectContaining({ _id: one.id, count: 10, left: 1, handedOut: 4, redeemed: 3, voided: 2 }),
      expect.objectContaining({ _id: old.id, left: 1, ...none }),
    ]);
  });

  test('counts its expired codes: live ones whose time or round is over', async () => {
    const [over, other] = [await storedClosedRound(), newId()];
    const batch = newId();
    const fields: Partial<ReferralCodeRecord>[] = [
      { state: 'LIVE' },
      { state: 'LIVE', round: other, expiresAt: later(1) },
      { state: 'LIVE', expiresAt: NOW },
      { state: 'LIVE', round: over },
      { state: 'LIVE', expiresAt: later(-HOUR), round: other },
      { state: 'USED', expiresAt: later(-HOUR), round: over },
      { state: 'VOID', round: over },
      { state: 'RESERVED', round: over },
    ];
    for (const one of fields) await storedCode({ ...one, batch });
    await storedCode({ batch: other });
    expect(await batches.countCodeStatesByBatch([batch], NOW)).toEqual(
      new Map([[String(batch), { RESERVED: 1, LIVE: 2, USED: 1, VOID: 1, EXPIRED: 3 }]]),
    );
  });

  test('has its unused codes in order of creation', async () => {
    const { id: batch, codes } = await newBatch(6);
    for (const [at, state] of (['LIVE', 'USED', 'VOID'] as const).entries()) await setState(codes[at], state);
    expect(await batches.remainingCodes(batch)).toEqual(codes.slice(3));
    for (const code of codes.slice(3)) await setState(code, 'VOID');
    await expect(batches.remainingCodes(batch)).rejects.toMatchObject({
      name: 'NOT_FOUND',
      message: 'This batch has no coupons left.',
    });
  });

  test('is voided as far as unused, each code with the reason and an audit event', async () => {
    const [{ id: batch, codes }, other] = [await newBatch(3), await newBatch(1)];
    await setState(codes[0], 'LIVE');
    expect(await batches.voidRemainingBatchCodes(batch, { by: null, now: later(HOUR) })).toBe(2);
    expect(await codeOf(codes[0])).toMatchObject({ state: 'LIVE', voidReason: null });
    expect(await codeOf(other.codes[0])).toMatchObject({ state: 'RESERVED' });
    const reason = 'What was left of its batch.';
    for (const text of codes.slice(1)) {
      const code = await codeOf(text);
      expect(code).toMatchObject({ state: 'VOID', voidedAt: later(HOUR), voidReason: reason });
      const changes = [{ path: 'state', before: 'RESERVED', after: `VOID: ${reason}` }];
      const event = { by: null, action: 'update', subject: 'ReferralCode', changes, createdAt: later(HOUR) };
      expect(await eventsOf(code?._id)).toEqual([expect.objectContaining(event)]);
    }
    expect(await batches.voidRemainingBatchCodes(batch, by)).toBe(0);
  });

  test('is not voided in a dry run', async () => {
    const { id: batch, codes } = await newBatch(1);
    expect(await runDry(() => batches.voidRemainingBatchCodes(batch, by))).toBe(1);
    expect(await codeOf(codes[0])).toMatchObject({ state: 'RESERVED', voidedAt: null });
  });
});
