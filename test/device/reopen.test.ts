/**
 * A rejected interview is corrected and sent again: it keeps its coupons.
 * @jest-environment node
 */

import type { Table } from 'dexie';
import type { OutboxRow } from '../../client/src/device/store.ts';
import { waiting } from './browser.ts';

const { session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/open-store.ts');
const { reopen } = await import('../../client/src/device/drafts.ts');
const { addPrinted, finishDraft, removePrinted, rowOf, switchCoupons } = await import(
  '../../client/src/device/outbox.ts'
);
const { loadRescueFile, makeRescueFile } = await import('../../client/src/device/rescue.ts');
const { db } = await import('../../client/src/device/store.ts');
await import('../../client/src/device/workspace.ts');

const VERA = 'a'.repeat(24);

/** The rejected interview: one coupon was sent with it, another one scanned later. */
async function refuse(fields: object = {}): Promise<void> {
  session.set(waiting(VERA));
  await openStore();
  for (const table of [db.outbox, db.drafts] as never as Table[])
    await table.bulkDelete(await table.toCollection().primaryKeys());
  await db.outbox.add({
    clientId: 'one',
    owner: VERA,
    state: 'attention',
    body: { clientId: 'one', responses: { age: -1 }, issuedCodes: ['AAAAAAAA'] },
    issuedCodes: ['AAAAAAAA'],
    couponsFrom: 'paper',
    printed: ['AAAAAAAA', 'BBBBBBBB'],
    late: ['BBBBBBBB'],
    attempts: 1,
    ...fields,
  } as never);
}

async function finish(coupons = 3, fromBlock = false): Promise<void> {
  const draft = await db.drafts.get('one');
  await finishDraft(draft as never, {
    responses: { age: 40 },
    takesPart: true,
    farewell: '',
    coupons,
    fromBlock,
  });
}

test('printed coupons added after the first try are sent with the corrected interview', async () => {
  await refuse();
  await reopen((await rowOf('one')) as never);
  expect(await rowOf('one')).toBeUndefined();
  await finish();
  expect(await rowOf('one')).toMatchObject({
    state: 'waiting',
    body: { responses: { age: 40 }, issuedCodes: ['AAAAAAAA', 'BBBBBBBB'] },
    printed: ['AAAAAAAA', 'BBBBBBBB'],
    late: ['BBBBBBBB'],
  });
});

test('a corrected interview keeps the date on which it was completed', async () => {
  const completedAt = '2026-02-27T09:30:00.000Z';
  await refuse({ body: { clientId: 'one', responses: { age: -1 }, completedAt } });
  await reopen((await rowOf('one')) as never);
  await finish();
  const row = await rowOf('one');
  expect(row?.body?.completedAt).toBe(completedAt);
  // Its coupons are held from now on, and valid from the day on which they were given.
  expect(row?.finishedAt).not.toBe(completedAt);
  expect(row?.givenAt).toBe(completedAt);
});

test('a rescue file with an interview that is being corrected does not add it a second time', async () => {
  await refuse();
  const file = await makeRescueFile({ id: VERA, firstName: 'V', lastName: 'V' } as never);
  await reopen((await rowOf('one')) as never);
  expect(await loadRescueFile(VERA, file.text)).toBe(0);
  await finish();
  expect(await rowOf('one')).toMatchObject({ body: { responses: { age: 40 } } });
});

test('an earlier version of the app also sends coupons scanned after the first try', async () => {
  await refuse();
  await reopen((await rowOf('one')) as never);
  // It sends these fields and does not know the others.
  expect((await db.drafts.get('one'))?.issuedCodes).toEqual(['AAAAAAAA', 'BBBBBBBB']);
});

test('a coupon scanned in one window while another corrects the interview is sent with it', async () => {
  await refuse();
  await reopen((await rowOf('one')) as never);
  const asOpened = await db.drafts.get('one');
  await addPrinted('one', 'CCCCCCCC');
  await addPrinted('one', 'CCCCCCCC');
  await finishDraft(asOpened as never, {
    responses: { age: 40 },
    takesPart: true,
    farewell: '',
    coupons: 3,
    fromBlock: false,
  });
  expect(await rowOf('one')).toMatchObject({
    body: { issuedCodes: ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC'] },
    printed: ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC'],
  });
});

test('a coupon scanned for a deleted interview changes nothing', async () => {
  await refuse();
  await db.outbox.bulkDelete([((await rowOf('one')) as OutboxRow).seq]);
  await addPrinted('one', 'CCCCCCCC');
  await removePrinted('one', 'AAAAAAAA');
  expect([await db.outbox.count(), await db.drafts.count()]).toEqual([0, 0]);
});

test.each([
  ['not sent yet', { state: 'waiting', attempts: 0, late: [] }, { late: [] }],
  ['sent', { state: 'sent', body: null }, { late: ['BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD'] }],
])('coupons scanned in two windows are both kept: interview %s', async (_what, fields, also) => {
  await refuse(fields);
  // Neither window has seen the other's coupon.
  await Promise.all([addPrinted('one', 'CCCCCCCC'), addPrinted('one', 'DDDDDDDD')]);
  expect(await rowOf('one')).toMatchObject({
    printed: ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC', 'DDDDDDDD'],
    ...also,
  });
});

test('a coupon can be removed until the service may have it', async () => {
  await refuse();
  for (const code of ['AAAAAAAA', 'BBBBBBBB']) await removePrinted('one', code);
  expect(await rowOf('one')).toMatchObject({ printed: ['AAAAAAAA'], late: [], issuedCodes: ['AAAAAAAA'] });
  await reopen((await rowOf('one')) as never);
  await finish();
  await removePrinted('one', 'AAAAAAAA');
  expect(await rowOf('one')).toMatchObject({ printed: [], issuedCodes: [] });
});

test('a corrected interview keeps its phone coupons when printed ones are added or the source changes', async () => {
  await refuse({ couponsFrom: 'phone', printed: undefined, late: [] });
  await reopen((await rowOf('one')) as never);
  await finish();
  await addPrinted('one', 'CCCCCCCC');
  expect(await rowOf('one')).toMatchObject({ body: { issuedCodes: ['AAAAAAAA', 'CCCCCCCC'] } });
  await switchCoupons('one', 'phone');
  expect(await rowOf('one')).toMatchObject({ body: { issuedCodes: ['AAAAAAAA'] }, aside: ['CCCCCCCC'] });
  await switchCoupons('one', 'paper');
  expect(await rowOf('one')).toMatchObject({
    body: { issuedCodes: ['AAAAAAAA', 'CCCCCCCC'] },
    printed: ['CCCCCCCC'],
  });
});
