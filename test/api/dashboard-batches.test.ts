import mongoose from 'mongoose';
import type { Body } from '../make.ts';
import { castOfFile, NOBODY, reasonOf, refused, refusedAt, submit } from './kit.ts';

const cast = castOfFile();

const URL = '/api/referral-codes/batches';

async function newBatch(count: number): Promise<{ id: string; codes: string[] }> {
  const body = { count, location: cast.site, note: 'for the winter count' };
  return (await cast.manager.post(URL, body).expect(201)).body;
}

const listed = async (id: string): Promise<Body> =>
  (await cast.admin.get(`${URL}?limit=200`).expect(200)).body.data.find((one: Body) => one.id === id);

test('a batch is listed with the number of its codes in each state', async () => {
  const { id, codes } = await newBatch(8);
  const [first = '', second = '', third = '', fourth = '', fifth = ''] = codes;
  await submit(cast, { issuedCodes: [first, second, third] });
  await submit(cast, { referralCode: first });
  await cast.admin.patch(`/api/referral-codes/${fourth}`, { void: true, reason: 'torn' }).expect(200);
  await mongoose.connection
    .collection('referralcodes')
    .updateOne({ code: second }, { $set: { expiresAt: new Date(cast.world.clock.now().getTime() - 1) } });
  await submit(cast, { referralCode: fifth });
  expect(await listed(id)).toEqual({
    id,
    count: 8,
    location: cast.site,
    note: 'for the winter count',
    createdBy: cast.manager.id,
    createdAt: expect.any(String),
    states: { RESERVED: 3, LIVE: 1, USED: 2, VOID: 1, EXPIRED: 1 },
  });
});

test('batches are paged', async () => {
  for (let at = 0; at < 3; at++) await newBatch(1);
  const first = (await cast.root.get(`${URL}?limit=2&total=true`).expect(200)).body;
  expect(first.data).toHaveLength(2);
  expect(first.total).toBeGreaterThanOrEqual(3);
  const next = (await cast.root.get(`${URL}?limit=2&cursor=${first.nextCursor}`).expect(200)).body;
  expect(first.data.map((one: Body) => one.id)).not.toContain(next.data[0].id);
  refused(await cast.root.get(`${URL}?batch=1`), 400, 'INVALID_QUERY');
});

test('voiding a batch keeps its handed-out codes, stores the reason, and can be repeated', async () => {
  const { id, codes } = await newBatch(5);
  const [first = '', , , , last = ''] = codes;
  await submit(cast, { issuedCodes: [first] });
  const { body } = await cast.admin.post(`${URL}/${id}/void`, { reason: 'The box was lost.' }).expect(200);
  expect(body).toEqual({ id, voided: 4 });
  expect([await reasonOf(cast, first), await reasonOf(cast, last)]).toEqual([null, 'VOID']);
  const record = await mongoose.connection.collection('referralcodes').findOne({ code: last });
  expect(record?.voidReason).toBe('The box was lost.');
  const events = (await cast.root.get(`/api/audit?record=${record?._id}`).expect(200)).body.data;
  expect(events[0]).toMatchObject({ by: cast.admin.id, subject: 'ReferralCode', action: 'update' });
  const again = await cast.admin.post(`${URL}/${id}/void`, { reason: 'again' }).expect(200);
  expect(again.body.voided).toBe(0);
});

test('voiding needs a reason, an existing batch and permission', async () => {
  const { id } = await newBatch(1);
  refusedAt(await cast.admin.post(`${URL}/${id}/void`, { reason: ' ' }), 'reason');
  refusedAt(await cast.admin.post(`${URL}/${id}/void`, {}), 'reason');
  refused(await cast.admin.post(`${URL}/${NOBODY}/void`, { reason: 'x' }), 404);
  refused(await cast.admin.post(`${URL}/nothing/void`, { reason: 'x' }), 404);
  refused(await cast.manager.post(`${URL}/${id}/void`, { reason: 'x' }), 403);
  refused(await cast.manager.get(URL), 403);
  refused(await cast.volunteer.get(URL), 403);
});
