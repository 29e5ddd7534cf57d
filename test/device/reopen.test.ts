/** A rejected interview is corrected and sent again: it keeps its coupons. */

import type { Table } from 'dexie';
import type { OutboxRow, StoredInterviewDraft } from '../../client/src/device/store/store.ts';
import { waiting } from './browser.ts';

const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { reopenFinishedInterview: reopen, undoCorrection } = await import(
  '../../client/src/offline/drafts.ts'
);
const {
  addPrintedCoupon: addPrinted,
  finishDraft,
  takeBackPrintedCoupon: removePrinted,
  storeInterviewNote,
  switchCouponSource: switchCoupons,
} = await import('../../client/src/offline/outbox.ts');
const { restoreFromRescueFile: loadRescueFile, makeRescueFile } = await import(
  '../../client/src/offline/rescue.ts'
);
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
await import('../../client/src/device/workspace.ts');
const { draftOf, openedDraft, openedRow, rowOf } = await import('./opened-rows.ts');

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
  const draft = await draftOf('one');
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
  expect((await draftOf('one'))?.issuedCodes).toEqual(['AAAAAAAA', 'BBBBBBBB']);
});

test('a coupon scanned in one window while another corrects the interview is sent with it', async () => {
  await refuse();
  await reopen((await rowOf('one')) as never);
  const asOpened = await draftOf('one');
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

test('a finished interview that isn’t sent yet can be corrected, and keeps its coupons, note and time', async () => {
  await refuse({
    state: 'waiting',
    attempts: 0,
    late: [],
    printed: ['AAAAAAAA'],
    finishedAt: '2026-03-01T10:00:00.000Z',
  });
  const before = (await rowOf('one')) as OutboxRow;
  await db.outbox.update(before.seq, {
    body: { ...before.body, note: 'twice interrupted', completedAt: '2026-03-01T10:00:00.000Z' } as never,
  });
  await reopen((await rowOf('one')) as never);
  expect(await rowOf('one')).toBeUndefined();
  await finish();
  expect(await rowOf('one')).toMatchObject({
    state: 'waiting',
    body: {
      responses: { age: 40 },
      issuedCodes: ['AAAAAAAA'],
      note: 'twice interrupted',
      completedAt: '2026-03-01T10:00:00.000Z',
    },
  });
});

test('an interview that is being sent can’t be opened', async () => {
  await refuse({ state: 'sending' });
  await expect(reopen((await rowOf('one')) as never)).rejects.toThrow();
  expect(await rowOf('one')).toMatchObject({ state: 'sending' });
});

test('a correction can be undone: the interview waits as it was', async () => {
  await refuse({ state: 'waiting', heldUntil: 5 });
  const { seq: _, ...before } = (await rowOf('one')) as OutboxRow;
  await reopen((await rowOf('one')) as never);
  await db.drafts.update('one', { responses: { age: 41 } });
  await undoCorrection(VERA, 'one');
  expect(await draftOf('one')).toBeUndefined();
  expect(await rowOf('one')).toMatchObject({ ...before, heldUntil: 0 });
});

test('the rescue file of an interview that is being corrected has the finished one too, and loads the correction', async () => {
  await refuse({ state: 'waiting' });
  await reopen((await rowOf('one')) as never);
  await db.drafts.update('one', { responses: { age: 41 } });
  const file = await makeRescueFile({ id: VERA, firstName: 'Vera', lastName: 'Field' } as never);
  expect(file.count).toBe(1);
  const { finished, drafts } = JSON.parse(file.text) as {
    finished: OutboxRow[];
    drafts: StoredInterviewDraft[];
  };
  expect(file.text).not.toContain('"age": -1');
  expect([await openedRow(finished[0])]).toMatchObject([
    { clientId: 'one', body: { responses: { age: -1 } } },
  ]);
  expect([await openedDraft(drafts[0])]).toMatchObject([{ id: 'one', responses: { age: 41 } }]);
  await db.drafts.delete('one');
  expect(await loadRescueFile(VERA, file.text)).toBe(1);
  expect(await draftOf('one')).toMatchObject({ responses: { age: 41 } });
  expect(await rowOf('one')).toBeUndefined();
});

test('the note is sent with the interview, until it has gone out', async () => {
  await refuse({ state: 'waiting', attempts: 0 });
  expect(await storeInterviewNote(VERA, 'one', ' The person left early. ')).toBe(true);
  expect((await rowOf('one'))?.body).toMatchObject({ note: 'The person left early.' });
  expect(await storeInterviewNote(VERA, 'one', '')).toBe(true);
  expect((await rowOf('one'))?.body).not.toHaveProperty('note');
  await db.outbox.update((await rowOf('one'))?.seq ?? 0, { attempts: 1 });
  expect(await storeInterviewNote(VERA, 'one', 'late')).toBe(false);
});
