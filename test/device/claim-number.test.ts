/** Incentives handed over at an interview, and the claim number for later payment: on the device until sent. */

import type { Table } from 'dexie';
import { waiting } from './browser.ts';

const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { THIS_TAB: TAB } = await import('../../client/src/device/editor.ts');
const {
  claimDraft,
  reopenFinishedInterview: reopen,
  startDraft,
} = await import('../../client/src/offline/drafts.ts');
const { assignClaimNumber: claimNumberOf } = await import('../../client/src/offline/coupons/claim-number.ts');
const { finishDraft } = await import('../../client/src/offline/outbox.ts');
const { applyOutboxRowEvent: advance } = await import('../../client/src/offline/outbox.ts');
const { paymentClaimNumberOf: claimNumberOfRow } = await import(
  '../../client/src/offline/coupons/claim-number.ts'
);
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
await import('../../client/src/device/workspace.ts');
const { rowOf } = await import('./opened-rows.ts');

const VERA = 'a'.repeat(24);
const FINISH = { responses: {}, takesPart: true, farewell: '', coupons: 1, fromBlock: true };

beforeEach(async () => {
  session.set(waiting(VERA));
  await openStore();
  for (const table of [db.outbox, db.drafts] as never as Table[])
    await table.bulkDelete(await table.toCollection().primaryKeys());
  await db.codes.bulkPut(
    ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC'].map((code) => ({
      code,
      owner: VERA,
      state: 'free',
      clientId: null,
    })),
  );
});

async function start(referralCode: string | null): Promise<string> {
  const draft = { owner: VERA, questionnaire: 'q', location: 'l', referralCode, coordinates: null };
  return await startDraft({ ...draft, language: 'en' });
}
const finish = async (id: string) => await finishDraft((await claimDraft(VERA, id)) as never, FINISH);

test('a walk-in gets one reserved code as claim number, always the same, and no coupon uses it', async () => {
  const id = await start(null);
  expect(await Promise.all([claimNumberOf(id), claimNumberOf(id)])).toEqual(['AAAAAAAA', 'AAAAAAAA']);
  await finish(id);
  expect((await rowOf(id))?.body).toMatchObject({ walkInCode: 'AAAAAAAA', issuedCodes: ['BBBBBBBB'] });
  expect((await rowOf(id))?.body).not.toHaveProperty('incentive');
});

test('the claim number of a person with a coupon is the coupon’s code, and uses no reserved code', async () => {
  const id = await start('DDDDDDDD');
  expect(await claimNumberOf(id)).toBe('DDDDDDDD');
  await finish(id);
  expect((await rowOf(id))?.body).toMatchObject({ referralCode: 'DDDDDDDD', issuedCodes: ['AAAAAAAA'] });
  expect((await rowOf(id))?.body).not.toHaveProperty('walkInCode');
});

test('without a free reserved code a walk-in’s interview is finished without a claim number', async () => {
  await db.codes.bulkPut(
    ['AAAAAAAA', 'BBBBBBBB', 'CCCCCCCC'].map((code) => ({
      code,
      owner: VERA,
      state: 'given',
      clientId: 'x',
    })),
  );
  const id = await start(null);
  expect(await claimNumberOf(id)).toBeNull();
  await finish(id);
  expect((await rowOf(id))?.body).not.toHaveProperty('walkInCode');
});

test('a rejected interview keeps its incentive and claim number when corrected', async () => {
  const id = await start(null);
  await claimNumberOf(id);
  const incentive = { method: 'GIFT_CARD', reference: 'card 7' } as const;
  await db.drafts.update(id, { incentive });
  await finish(id);
  await db.outbox.update((await rowOf(id))?.seq ?? 0, { state: 'attention' });
  await reopen((await rowOf(id)) as never);
  expect(await claimDraft(VERA, id)).toMatchObject({ incentive, walkInCode: 'AAAAAAAA' });
  await finish(id);
  expect((await rowOf(id))?.body).toMatchObject({ incentive, walkInCode: 'AAAAAAAA' });
});

test('an interview started in an earlier version of the app can be finished', async () => {
  await db.drafts.add({
    ...{ id: 'old', owner: VERA, questionnaire: 'q', location: 'l', referralCode: null, coordinates: null },
    ...{ responses: {}, place: null, language: 'en', startedAt: '', updatedAt: '', editor: TAB },
    issuedCodes: null,
  });
  await finish('old');
  expect((await rowOf('old'))?.body).not.toHaveProperty('incentive');
});

const claimOf = async (id: string) => claimNumberOfRow((await rowOf(id)) as never);

test('the claim number stays with the finished interview, also after it was sent', async () => {
  const id = await start(null);
  await claimNumberOf(id);
  await finish(id);
  expect(await claimOf(id)).toBe('AAAAAAAA');
  const survey = { id: 's', issuedCodes: [], flags: [], referralCode: 'AAAAAAAA' } as never;
  await advance(id, { type: 'arrived', survey });
  expect(await claimOf(id)).toBe('AAAAAAAA');
});

test('the service decides about the claim number: it makes one where the phone had none, and none for a used coupon', async () => {
  const walkIn = await start(null);
  await finish(walkIn);
  expect(await claimOf(walkIn)).toBeNull();
  const arrived = (referralCode: string | null) =>
    ({ type: 'arrived', survey: { id: 's', issuedCodes: [], flags: [], referralCode } as never }) as const;
  await advance(walkIn, arrived('SEEDCODE'));
  expect(await claimOf(walkIn)).toBe('SEEDCODE');
  const used = await start('DDDDDDDD');
  await finish(used);
  expect(await claimOf(used)).toBe('DDDDDDDD');
  await advance(used, arrived(null));
  expect(await claimOf(used)).toBeNull();
});

test('a person who does not take part has no claim number', async () => {
  const id = await start('DDDDDDDD');
  await finishDraft((await claimDraft(VERA, id)) as never, { ...FINISH, takesPart: false });
  expect(await claimOf(id)).toBeNull();
});

test('the claim number of an interview that an earlier version of the app finished is shown too', () => {
  const row = { flags: [], referralCode: null, body: { walkInCode: 'AAAAAAAA' } };
  expect(claimNumberOfRow(row as never)).toBe('AAAAAAAA');
  expect(claimNumberOfRow({ ...row, referralCode: 'DDDDDDDD', body: null } as never)).toBe('DDDDDDDD');
  const flagged = { ...row, referralCode: 'DDDDDDDD', body: null, flags: ['REFERRAL_CODE_USED'] };
  expect(claimNumberOfRow(flagged as never)).toBeNull();
});
