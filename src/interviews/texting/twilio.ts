/** Sends texts through a Twilio messaging service. */
import {
  networkErrorCodeOf,
  openTwilio,
  parseTwilioError,
  type TwilioAccount,
  withTimeout,
} from '../../platform/lib/twilio.ts';
import {
  type MessageProvider,
  type ReportedMessageState,
  type SendOutcome,
  textMessageBodyOf,
} from './provider.ts';

export interface TwilioMessagingSettings extends TwilioAccount {
  serviceSid: string;
}

const TIMEOUT_MS = 15_000;
/** Not a number, not mobile, not reachable, or a country that isn't served. */
const INVALID_NUMBER = new Set([21211, 21214, 21217, 21408, 21612, 21614, 21635]);
const UNSUBSCRIBED = 21610;
/** No connection was made, so nothing was sent. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);
const BUSY_SECONDS = 120;
/** For one number within a few minutes, although there is at most one text a day. */
const MAX_LISTED = 50;

const STATE_BY_STATUS: Partial<Record<string, ReportedMessageState>> = {
  sent: 'SENT',
  delivered: 'DELIVERED',
  read: 'DELIVERED',
  undelivered: 'FAILED',
  failed: 'FAILED',
  canceled: 'FAILED',
};

/** Null for states without news: accepted, queued, sending. */
export const messageStateOfTwilio = (status: string): ReportedMessageState | null =>
  STATE_BY_STATUS[status] ?? null;

export async function openTwilioMessageProvider(
  settings: TwilioMessagingSettings,
  timeoutMs = TIMEOUT_MS,
): Promise<MessageProvider> {
  const { messages } = await openTwilio(settings, timeoutMs);
  return {
    name: 'twilio',
    async send({ to, callback, ...text }) {
      try {
        const body = textMessageBodyOf(text);
        const { serviceSid: messagingServiceSid } = settings;
        const request = { to, messagingServiceSid, body, statusCallback: callback };
        const { sid } = await withTimeout(timeoutMs, () => messages.create(request));
        return typeof sid === 'string' ? { outcome: 'ACCEPTED', sid } : { outcome: 'UNKNOWN' };
      } catch (error) {
        return outcomeOf(error);
      }
    },
    async find(to, since) {
      try {
        const wish = { to, dateSentAfter: since, limit: MAX_LISTED };
        const matches = await withTimeout(timeoutMs, () => messages.list(wish));
        return matches.map(({ sid, body, status }) => ({
          sid,
          words: body,
          state: messageStateOfTwilio(status),
        }));
      } catch {
        return null;
      }
    },
  };
}

function outcomeOf(error: unknown): SendOutcome {
  const { status, code } = parseTwilioError(error);
  if (status === 429) return { outcome: 'LATER', seconds: BUSY_SECONDS };
  // A gateway's error says nothing about what happened behind it.
  if (status !== undefined && status >= 400 && status < 500) {
    const refused = { outcome: 'REFUSED', error: String(code ?? status) } as const;
    if (code === UNSUBSCRIBED) return { ...refused, number: 'STOPPED' };
    if (code !== undefined && INVALID_NUMBER.has(code)) return { ...refused, number: 'INVALID' };
    // A wrong token or an account without credit isn't the recipient's fault, so retry later.
    return [401, 403].includes(status) ? { outcome: 'LATER', seconds: 3_600 } : refused;
  }
  if (status === undefined && NOT_CONNECTED.has(networkErrorCodeOf(error) ?? ''))
    return { outcome: 'LATER', seconds: BUSY_SECONDS };
  return { outcome: 'UNKNOWN' };
}
