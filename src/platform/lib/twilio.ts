/**
 * Twilio's SDK. Its errors contain phone numbers, texts and the account's token, so only numbers and fixed words are
 * passed on from them.
 */
import type { Twilio } from 'twilio';
import type RequestClient from 'twilio/lib/base/RequestClient.js';

export interface TwilioAccount {
  accountSid: string;
  authToken: string;
  /** Replaces Twilio's own address, for tests and proxies. */
  baseUrl: string | undefined;
}

/** Imports the SDK only when needed: it takes 20 MB and 0.1 s to load. */
export async function openTwilio(
  { accountSid, authToken, baseUrl }: TwilioAccount,
  timeoutMs: number,
): Promise<Twilio> {
  const { default: twilio } = await import('twilio');
  // No retries: a 429 from Twilio doesn't pass in seconds. No keep-alive: a request on a connection that Twilio has
  // closed would fail, and requests are too few for it to matter.
  const httpClient = new twilio.RequestClient({ timeout: timeoutMs, autoRetry: false, keepAlive: false });
  if (baseUrl) redirect(httpClient, baseUrl);
  return twilio(accountSid, authToken, { httpClient });
}

/** The SDK has no option for another address, so each outgoing request is rewritten. */
function redirect(http: RequestClient, baseUrl: string): void {
  const send = http.request.bind(http);
  const base = baseUrl.replace(/\/+$/, '');
  http.request = (options) => {
    const { pathname, search } = new URL(options.uri);
    return send({ ...options, uri: base + pathname + search });
  };
}

export class TimeoutError extends Error {}

/** The SDK's own timeout only notices silence, not a response that trickles in. */
export async function withTimeout<T>(ms: number, work: () => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TimeoutError()), ms);
  });
  try {
    return await Promise.race([work(), deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** The HTTP status and Twilio's own error code; neither if there was no response. */
export function parseTwilioError(error: unknown): { status?: number; code?: number } {
  const { status, code } = (error ?? {}) as { status?: unknown; code?: unknown };
  return {
    ...(typeof status === 'number' && { status }),
    ...(typeof code === 'number' && { code }),
  };
}

/** A new error for the log, built only from numbers and fixed words. */
export function loggableTwilioError(error: unknown): Error {
  const { status, code } = parseTwilioError(error);
  if (status !== undefined)
    return new Error(`Twilio answered ${status}${code === undefined ? '' : ` (${code})`}`);
  if (error instanceof TimeoutError) return new Error('Twilio did not answer in time');
  const reason = networkErrorCodeOf(error);
  return new Error(reason ? `Twilio is out of reach: ${reason}` : 'Twilio gave no usable answer');
}

/** For example ECONNREFUSED. */
export function networkErrorCodeOf(error: unknown): string | null {
  const reason = String((error as { code?: unknown } | null)?.code ?? '');
  return /^[A-Z_]{3,40}$/.test(reason) ? reason : null;
}
