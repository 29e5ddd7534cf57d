/** Whether a coupon is valid, on a slow line, without a signal, and while the service can't answer. */
import { answerOf, network, settle, time } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { isServiceReachable: signal } = await import('../../client/src/device/signal.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
await import('../../client/src/device/workspace.ts');
const { watchCouponVerdict: followVerdict } = await import(
  '../../client/src/offline/coupons/coupon-verdict.ts'
);
const {
  claimDraft,
  reopenFinishedInterview: reopen,
  startDraft,
} = await import('../../client/src/offline/drafts.ts');
const { assignClaimNumber: claimNumberOf } = await import('../../client/src/offline/coupons/claim-number.ts');
const { finishDraft, findOutboxRow: rowOf } = await import('../../client/src/offline/outbox.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { generateCode } = await import('../../src/coupons/referral-codes/code.ts');
const { randomBytes } = await import('node:crypto');

const VERA = 'a'.repeat(24);
const CODE = generateCode(randomBytes);
const USED = () => answerOf(200, { code: CODE, isValid: false, reason: 'USED' });

beforeAll(() => {
  setClock({ now: () => time.wall, ticks: () => time.run });
});

beforeEach(async () => {
  session.set({
    user: { id: VERA, approvalStatus: 'PENDING' },
    rules: [],
    token: 'of Vera',
    expired: false,
  } as never);
  await openStore();
  signal.set(true);
  network.sent = [];
});

afterEach(() => {
  session.set(null);
});

function follow(code = CODE) {
  const heard: string[] = [];
  const stop = followVerdict(VERA, code, ({ kind }) => void heard.push(kind));
  return { heard, stop };
}

test('a slow answer counts as unchecked after five seconds, and decides when it comes', async () => {
  let answer: (response: Response) => void = () => undefined;
  network.answer = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const { heard } = follow();
  await settle();
  await time.pass(4_900);
  expect(heard).toEqual([]);
  await time.pass(200);
  expect(heard).toEqual(['unchecked']);
  await time.pass(60_000);
  answer(USED());
  await settle();
  expect(heard).toEqual(['unchecked', 'used']);
  // One request, and none once it is decided.
  await time.pass(600_000);
  expect(network.sent).toHaveLength(1);
});

test('without a signal the service is asked again once the signal is back', async () => {
  network.answer = () => Promise.reject(new TypeError('failed to fetch'));
  const { heard } = follow();
  await settle();
  expect(heard).toEqual(['unchecked']);
  network.answer = USED;
  signal.set(true);
  await settle();
  expect(heard.at(-1)).toBe('used');
});

test.each([403, 429, 500, 503])('after a %i the service is asked again', async (status) => {
  network.answer = () => answerOf(status, { message: 'no' }, status === 429 ? { 'Retry-After': '30' } : {});
  const { heard } = follow();
  await settle();
  expect(heard).toEqual(['unchecked']);
  network.answer = () => answerOf(200, { code: CODE, isValid: true, reason: null });
  await time.pass(4_000);
  expect(network.sent).toHaveLength(1);
  await time.pass(30_000);
  expect(heard.at(-1)).toBe('good');
});

test('nothing is said or asked after the page with the code is gone', async () => {
  network.answer = () => answerOf(500, { message: 'no' });
  const { heard, stop } = follow();
  await settle();
  stop();
  await time.pass(600_000);
  expect(network.sent).toHaveLength(1);
  expect(heard).toEqual(['unchecked']);
});

const FINISH = { responses: {}, takesPart: true, farewell: '', coupons: 0, fromBlock: true };

test('an interview with a used coupon keeps the code, which is not the person’s claim number', async () => {
  const draft = { owner: VERA, questionnaire: 'q', location: 'l', coordinates: null, language: 'en' };
  const id = await startDraft({ ...draft, referralCode: CODE, couponVerdict: 'used' });
  expect(await claimNumberOf(id)).toBeNull();
  await finishDraft((await claimDraft(VERA, id)) as never, FINISH);
  expect(await rowOf(id)).toMatchObject({
    couponVerdict: 'used',
    body: { referralCode: CODE, onCodeProblem: 'FLAG' },
  });
  await db.outbox.update((await rowOf(id))?.seq ?? 0, { state: 'attention' });
  await reopen((await rowOf(id)) as never);
  expect(await claimDraft(VERA, id)).toMatchObject({ referralCode: CODE, couponVerdict: 'used' });
});
