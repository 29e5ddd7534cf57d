/** Reports of what is still on the phone: at most one a minute, and the last state always arrives. */
import { answerOf, network, settle, time } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { currentSession } = await import('../../client/src/device/stored-session.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const { currentWorkspace: workspace } = await import('../../client/src/device/workspace.ts');
const { isServiceReachable: signal } = await import('../../client/src/device/signal.ts');
const { startDeviceReports } = await import('../../client/src/offline/device-report.ts');

const MINUTE = 60_000;
const VERA = 'a'.repeat(24);

/** When each report was sent, and its count of unsent interviews. */
let reports: [seconds: number, unsent: number][] = [];
let startedAt = 0;
let rowCount = 0;
const finishOne = async () => {
  rowCount += 1;
  const [clientId, finishedAt] = [`row-${rowCount}`, new Date(time.wall).toISOString()];
  await db.outbox.add({ clientId, owner: VERA, state: 'waiting', finishedAt } as never);
};
const received = () => new Response(null, { status: 204, headers: { 'X-Request-Id': 'test' } });
const hear = (answer: () => Response | Promise<Response> = received) => {
  network.answer = (_path, body) => {
    reports.push([(time.run - startedAt) / 1000, (JSON.parse(body) as { unsent: number }).unsent]);
    return answer();
  };
};

const signIn = () => {
  const user = { id: VERA, approvalStatus: 'APPROVED' };
  currentSession.set({ user, rules: [], token: 'of Vera', expired: false, refreshedAt: time.wall } as never);
};

beforeAll(() => setClock({ now: () => time.wall, ticks: () => time.run }));
beforeEach(async () => {
  signIn();
  await settle();
  await db.outbox.bulkDelete(await db.outbox.toCollection().primaryKeys());
  await db.kept.clear();
  [reports, startedAt] = [[], time.run];
  hear();
});
afterEach(async () => {
  currentSession.set(null);
  await settle();
});

test('changes within a minute are reported as one, as soon as the minute is over', async () => {
  const look = startDeviceReports(workspace.get());
  await time.pass(10_000);
  for (let change = 0; change < 3; change += 1) {
    await time.pass(5_000);
    await finishOne();
    look();
  }
  await time.pass(3 * MINUTE);
  expect(reports).toEqual([
    [10, 0],
    [70, 3],
  ]);
});

test('after a reload the next report waits for the rest of the minute', async () => {
  const look = startDeviceReports(workspace.get());
  await time.pass(20_000);
  currentSession.set(null);
  await settle();
  signIn();
  await finishOne();
  look();
  startDeviceReports(workspace.get());
  await time.pass(MINUTE);
  expect(reports).toEqual([
    [10, 0],
    [70, 1],
  ]);
});

test('a report whose reply is lost, and one after the clock is set, follow when the service says', async () => {
  const look = startDeviceReports(workspace.get());
  hear(() => Promise.reject(new Error('the line broke')));
  await time.pass(10_000);
  hear(() => answerOf(429, {}, { 'Retry-After': '40' }));
  await time.pass(20_000);
  signal.set(true);
  look();
  await time.pass(1_000);
  hear();
  await time.pass(40_000);
  time.set(-3_600_000);
  await finishOne();
  hear(() => answerOf(429, {}, { 'Retry-After': '55' }));
  look();
  await time.pass(1_000);
  hear();
  await time.pass(3 * MINUTE);
  expect(reports).toEqual([
    [10, 0],
    [30, 0],
    [70, 0],
    [71, 1],
    [126, 1],
  ]);
});
