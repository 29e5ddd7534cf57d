/**
 * A refused interview is corrected and sent again: its coupons stay its own.
 * @jest-environment node
 */
import './browser.ts';

const { session } = await import('../../client/src/device/kept-session.ts');
const { openStore } = await import('../../client/src/device/open-store.ts');
const { reopen } = await import('../../client/src/device/drafts.ts');
const { finishDraft, rowOf } = await import('../../client/src/device/outbox.ts');
const { db } = await import('../../client/src/device/store.ts');
await import('../../client/src/device/workspace.ts');

const VERA = 'a'.repeat(24);

test('coupons on paper that were given after the first try are still told to the service after a correction', async () => {
  session.set({
    user: { id: VERA, approvalStatus: 'PENDING' },
    rules: [],
    token: VERA,
    expired: false,
  } as never);
  await openStore();
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
  } as never);
  await reopen((await rowOf('one')) as never);
  expect(await rowOf('one')).toBeUndefined();
  const draft = await db.drafts.get('one');
  const finish = { responses: { age: 40 }, takesPart: true, coupons: 3, fromBlock: false, farewell: '' };
  await finishDraft(draft as never, finish);
  expect(await rowOf('one')).toMatchObject({
    state: 'waiting',
    body: { responses: { age: 40 }, issuedCodes: ['AAAAAAAA'] },
    printed: ['AAAAAAAA', 'BBBBBBBB'],
    late: ['BBBBBBBB'],
  });
});
