/**
 * Paper coupons that a person got after the interview was sent. They are sent to the service until it replies.
 * Sending them twice is harmless, so it doesn't matter whether an earlier request arrived.
 */
import { deviceDb, type OutboxRow, type RefusedAddedCoupon } from '../device/store/store.ts';
import { currentSession } from '../device/stored-session.ts';
import { withTabLock } from '../device/tab-lock.ts';
import { NoSignal, RequestRefusal, request } from '../session/api.ts';
import { isStillApproved } from '../session/refresh-session.ts';
import type { SentSurveyReply } from '../wire.ts';
import { findOutboxRow } from './outbox.ts';
import { retryPauseLeft, startRetryPause } from './retry-after.ts';
import { unreportedCoupons } from './row-states.ts';
import { dropSendToken, isSendToken, tokenToSendInterviews } from './send-token.ts';

const CODE_AT = /^issuedCodes\.(\d+)/;

/** Whether the error is not about the coupons, so that they are sent again at the next opportunity. */
async function isRetryable(error: unknown, token: string): Promise<boolean> {
  if (!(error instanceof RequestRefusal)) return error instanceof NoSignal;
  const { status } = error;
  // A send token can't find out the reason.
  if (status === 403 && isSendToken(token)) return true;
  return status === 401 || status === 429 || status >= 500 || (status === 403 && !(await isStillApproved()));
}

/** Two versions of the interview are stored, and this device doesn't know the survey of either. */
const NO_SURVEY = { status: 409, message: '', errors: [] };

/** Returns whether everything that can be sent now was sent. */
async function report(row: OutboxRow, token: string): Promise<boolean> {
  const { clientId, survey: id } = row;
  if (id === null) {
    await setAsideRefused(clientId, unreportedCoupons(row), NO_SURVEY);
    return true;
  }
  for (;;) {
    const codes = await markReported(clientId);
    if (codes.length === 0) return true;
    try {
      const path = `/api/surveys/${id}`;
      const survey = await request<SentSurveyReply>('PATCH', path, { body: { issuedCodes: codes }, token });
      await updateRow(clientId, ({ late = [] }) => ({
        late: late.filter((code) => !codes.includes(code)),
        issuedCodes: survey.issuedCodes,
      }));
    } catch (error) {
      if (error instanceof RequestRefusal && error.retryAfter)
        startRetryPause(row.owner, error.retryAfter * 1000);
      const isEnded = error instanceof RequestRefusal && error.status === 401 && isSendToken(token);
      if (isEnded) await dropSendToken(row.owner, token);
      if (await isRetryable(error, token)) return false;
      if (!(error instanceof RequestRefusal)) throw error;
      await setAsideRefused(clientId, codes, error);
    }
  }
}

/** The coupons still to be sent. Marks them first: once the request is out, the service may have them. */
function markReported(clientId: string): Promise<string[]> {
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    if (!row) return [];
    const codes = unreportedCoupons(row);
    // Without any network, no request goes out.
    if (navigator.onLine)
      await deviceDb.outbox.update(row.seq, { reported: [...new Set([...(row.reported ?? []), ...codes])] });
    return codes;
  });
}

/** The service changed nothing. Sets the coupons it named aside, so that the others can be sent without them. */
async function setAsideRefused(
  clientId: string,
  codes: string[],
  { status, errors, message }: Pick<RequestRefusal, 'status' | 'errors' | 'message'>,
): Promise<void> {
  const namedCoupons = errors.flatMap(({ path, message: why }) => {
    const code = codes[Number(CODE_AT.exec(path)?.[1] ?? -1)];
    return code ? [{ code, status, message: why }] : [];
  });
  const refused: RefusedAddedCoupon[] =
    namedCoupons.length > 0 ? namedCoupons : codes.map((code) => ({ code, status, message }));
  const isRefused = (code: string) => refused.some((one) => one.code === code);
  await updateRow(clientId, ({ lateRefused = [], reported = [] }) => ({
    lateRefused: [...lateRefused, ...refused],
    // Only a 400 shows that the service doesn't have the coupon from an earlier request without a reply.
    ...(status === 400 ? { reported: reported.filter((code) => !isRefused(code)) } : {}),
  }));
}

function updateRow(clientId: string, by: (row: OutboxRow) => Partial<OutboxRow>): Promise<void> {
  return deviceDb.transaction('rw', deviceDb.outbox, async () => {
    const row = await findOutboxRow(clientId);
    if (row) await deviceDb.outbox.update(row.seq, by(row));
  });
}

/** Sends refused coupons again: the reason may have been fixed. */
export async function resendRefusedCoupons(clientId: string): Promise<void> {
  await updateRow(clientId, () => ({ lateRefused: [] }));
  await sendCouponsAddedLater();
}

let currentRun: Promise<void> | null = null;

/** Sends the signed-in person's late coupons. */
export function sendCouponsAddedLater(): Promise<void> {
  currentRun ??= reportAll()
    .catch(() => undefined)
    .finally(() => {
      currentRun = null;
    });
  return currentRun;
}

async function reportAll(): Promise<void> {
  const owner = currentSession.get()?.user.id;
  if (!owner || retryPauseLeft(owner) > 0 || (await lateRows(owner)).length === 0) return;
  const token = await tokenToSendInterviews(owner);
  if (!token) return;
  await withTabLock(`late-${owner}`, async () => {
    for (const row of await lateRows(owner)) {
      const isSame =
        currentSession.get()?.user.id === owner && (await tokenToSendInterviews(owner)) === token;
      if (!isSame || !(await report(row, token))) return;
    }
  });
}

const lateRows = (owner: string): Promise<OutboxRow[]> =>
  deviceDb.outbox
    .where({ owner, state: 'sent' })
    .filter((row) => unreportedCoupons(row).length > 0)
    .toArray();
