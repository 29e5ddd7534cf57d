/** Printed coupons that a person gets after the interview was sent. */
import { answerOf, network } from './browser.ts';

const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { sendCouponsAddedLater } = await import('../../client/src/offline/late-coupons.ts');
const {
  addPrintedCoupon: addPrinted,
  mayRemovePrintedCoupon: mayTakeBack,
  takeBackPrintedCoupon: removePrinted,
  findOutboxRow: rowOf,
} = await import('../../client/src/offline/outbox.ts');
const { shownState } = await import('../../client/src/offline/row-states.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
await import('../../client/src/device/workspace.ts');

const VERA = 'a'.repeat(24);
const SURVEY = 'b'.repeat(24);

const row = async () => (await rowOf('one')) as NonNullable<Awaited<ReturnType<typeof rowOf>>>;
/** The codes of each request. */
const reported: string[][] = [];

/** The service adds these coupons to the interview. */
function accept(issuedCodes: string[]): Response {
  return answerOf(200, { id: SURVEY, issuedCodes, flags: [] });
}

function answerWith(answer: (codes: string[]) => Response): void {
  network.answer = (_path, body) => {
    const { issuedCodes } = JSON.parse(body) as { issuedCodes: string[] };
    reported.push(issuedCodes);
    return answer(issuedCodes);
  };
}

const refuse = (status: number) => answerOf(status, { message: 'no' });
const breakOff = () => {
  throw new TypeError('the connection broke off');
};

beforeEach(async () => {
  session.set({
    user: { id: VERA, approvalStatus: 'APPROVED' },
    rules: [],
    token: VERA,
    expired: false,
  } as never);
  await openStore();
  await db.outbox.bulkDelete(await db.outbox.toCollection().primaryKeys());
  await add();
  network.sent = [];
  reported.length = 0;
});

const add = () =>
  db.outbox.add({
    clientId: 'one',
    owner: VERA,
    state: 'sent',
    body: null,
    survey: SURVEY,
    issuedCodes: [],
    couponsFrom: 'paper',
    printed: [],
    attempts: 1,
  } as never);

test('a coupon can be taken back until a request with it goes out, whether or not a reply comes', async () => {
  await addPrinted('one', 'AAAAAAAA');
  expect(mayTakeBack(await row(), 'AAAAAAAA')).toBe(true);
  answerWith(breakOff);
  await sendCouponsAddedLater();
  expect(reported).toEqual([['AAAAAAAA']]);
  await removePrinted('one', 'AAAAAAAA');
  expect(await row()).toMatchObject({ printed: ['AAAAAAAA'], late: ['AAAAAAAA'] });
  await addPrinted('one', 'BBBBBBBB');
  expect([mayTakeBack(await row(), 'AAAAAAAA'), mayTakeBack(await row(), 'BBBBBBBB')]).toEqual([false, true]);
  answerWith(accept);
  await sendCouponsAddedLater();
  expect(reported.at(-1)).toEqual(['AAAAAAAA', 'BBBBBBBB']);
  expect(await row()).toMatchObject({ late: [], issuedCodes: ['AAAAAAAA', 'BBBBBBBB'] });
});

test('a coupon that the service refused can be taken back', async () => {
  await addPrinted('one', 'AAAAAAAA');
  answerWith(() => refuse(400));
  await sendCouponsAddedLater();
  expect(await row()).toMatchObject({ lateRefused: [{ code: 'AAAAAAAA', status: 400 }] });
  await removePrinted('one', 'AAAAAAAA');
  expect(await row()).toMatchObject({ printed: [], late: [], lateRefused: [] });
});

test('a coupon stays when its first request got no reply and the interview can no longer be changed', async () => {
  await addPrinted('one', 'AAAAAAAA');
  answerWith(breakOff);
  await sendCouponsAddedLater();
  answerWith(() => refuse(404));
  await sendCouponsAddedLater();
  expect(await row()).toMatchObject({ lateRefused: [{ code: 'AAAAAAAA', status: 404 }] });
  expect(mayTakeBack(await row(), 'AAAAAAAA')).toBe(false);
});

test('a coupon scanned after two versions were saved is shown as not added', async () => {
  await db.outbox.update((await row()).seq, { survey: null });
  await addPrinted('one', 'AAAAAAAA');
  answerWith(accept);
  await sendCouponsAddedLater();
  expect(reported).toEqual([]);
  expect(await row()).toMatchObject({ lateRefused: [{ code: 'AAAAAAAA' }] });
  expect(shownState(await row())).toBe('attention');
});

test('coupons wait while the account waits for approval, and go with it', async () => {
  await addPrinted('one', 'AAAAAAAA');
  const user = (approvalStatus: string) => ({ id: VERA, approvalStatus });
  network.answer = (path) =>
    path === '/api/auth/session' ? answerOf(200, { user: user('PENDING'), rules: [] }) : refuse(403);
  await sendCouponsAddedLater();
  expect(session.get()?.user.approvalStatus).toBe('PENDING');
  expect((await row()).lateRefused).toBeUndefined();
  session.set({ ...session.get(), user: user('APPROVED') } as never);
  answerWith(accept);
  await sendCouponsAddedLater();
  expect(await row()).toMatchObject({ late: [], issuedCodes: ['AAAAAAAA'] });
});

test('a coupon is refused if an approved account may not change the interview', async () => {
  await addPrinted('one', 'AAAAAAAA');
  network.answer = (path) =>
    path === '/api/auth/session'
      ? answerOf(200, { user: { id: VERA, approvalStatus: 'APPROVED' }, rules: [] })
      : refuse(403);
  await sendCouponsAddedLater();
  expect(await row()).toMatchObject({ lateRefused: [{ code: 'AAAAAAAA', status: 403 }] });
});

test('without any network, no request goes out, so the coupon can still be taken back', async () => {
  await addPrinted('one', 'AAAAAAAA');
  answerWith(breakOff);
  Object.assign(navigator, { onLine: false });
  await sendCouponsAddedLater();
  Object.assign(navigator, { onLine: true });
  expect(mayTakeBack(await row(), 'AAAAAAAA')).toBe(true);
});
