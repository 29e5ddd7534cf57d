/**
 * The only place that calls the service. A request ends in one of three ways: a value, a Refusal (the service replied
 * with an error), or NoSignal (the service couldn't be reached, for whatever reason).
 */
import type { FaultTextParameters } from '../../../src/platform/http/problems/error-codes.ts';
import { monotonicNow } from '../device/clock.ts';
import { latestServiceTime, learnServiceTime } from '../device/service-time.ts';
import { isServiceReachable as reachable } from '../device/signal.ts';
import { currentSession, storeDeviceSession } from '../device/stored-session.ts';
import { currentWorkspace, PersonChanged } from '../device/workspace.ts';
import type { FieldError } from '../wire.ts';

export class RequestRefusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly reason: string | undefined;
  readonly params: FaultTextParameters | undefined;
  readonly errors: FieldError[];
  /** Seconds, if the service says when to try again. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    body: {
      message?: string;
      code?: string;
      reason?: string;
      params?: FaultTextParameters;
      errors?: FieldError[];
    },
    retryAfter: number | null,
  ) {
    super(body.message ?? `HTTP ${status}`);
    this.name = 'Refusal';
    this.status = status;
    this.code = body.code ?? null;
    this.reason = body.reason;
    this.params = body.params;
    this.errors = body.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

/** Someone else changed the record first. Sending the same request again fails again. */
export const isConflict = (error: unknown): boolean =>
  error instanceof RequestRefusal && error.code === 'EDIT_CONFLICT';

export class NoSignal extends Error {
  override readonly name = 'NoSignal';
}

/** The user canceled the request. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
}

/** Makes a change fail if the record has a newer version. */
export const ifMatchHeader = (version: number) => ({ 'If-Match': `"${version}"` });

export interface RequestOptions {
  /** Sent as JSON; a file is sent as it is. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Timeout in milliseconds, after which the service counts as unreachable. */
  timeoutMs?: number;
  /** Used instead of the session's token. */
  token?: string;
  /** Aborted when the user cancels. */
  cancel?: AbortSignal | undefined;
}

export type Query = Record<string, string | undefined>;

/** Leaves out empty parameters. */
export function withQuery(path: string, query: Query): string {
  const pairs = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return pairs.length > 0 ? `${path}?${new URLSearchParams(pairs)}` : path;
}

/** The reverse: reads these parameters from a URL, with '' for missing ones. */
export const readParams = <Name extends string>(params: URLSearchParams, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const TOO_LARGE = 413;
const TOO_SLOW = 408;
const TIMEOUT_MS = 20_000;

/**
 * A request is aborted when its workspace ends, because its late reply would belong to nobody. `signal` fires then,
 * and on timeout or cancellation.
 */
function untilEnd({ timeoutMs = TIMEOUT_MS, cancel }: RequestOptions): {
  signal: AbortSignal;
  ended: AbortSignal;
  over(): void;
} {
  const { ended } = currentWorkspace.get();
  const giveUp = new AbortController();
  const stop = () => giveUp.abort();
  const timer = setTimeout(stop, timeoutMs);
  for (const one of [ended, cancel]) one?.addEventListener('abort', stop);
  const over = () => {
    clearTimeout(timer);
    for (const one of [ended, cancel]) one?.removeEventListener('abort', stop);
  };
  return { signal: giveUp.signal, ended, over };
}

export function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  return requestAndRead(method, path, options, async (response) =>
    response.status === 204 ? (undefined as T) : ((await response.json().catch(throwAnswerBrokeOff)) as T),
  );
}

/** `read` extracts the value from a successful response. */
export async function requestAndRead<T>(
  method: Method,
  path: string,
  options: RequestOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  const { signal, ended, over } = untilEnd(options);
  const token = options.token ?? currentSession.get()?.token;
  try {
    const response = await fetchResponse(method, path, options, token, signal);
    if (!response.ok) throw await refusalOf(response, token);
    const value = await read(response);
    if (ended.aborted) throw new PersonChanged();
    return value;
  } catch (error) {
    if (ended.aborted) throw new PersonChanged();
    if (options.cancel?.aborted) throw new Cancelled();
    if (error instanceof NoSignal) reachable.set(false);
    throw error;
  } finally {
    over();
  }
}

async function refusalOf(response: Response, token: string | undefined): Promise<RequestRefusal> {
  const unread = response.status === TOO_LARGE ? () => ({}) : throwAnswerBrokeOff;
  const body = (await response.json().catch(unread)) as { message?: string };
  if (response.status === 401 && token) expire(token);
  return new RequestRefusal(response.status, body, Number(response.headers.get('Retry-After')) || null);
}

export function throwAnswerBrokeOff(): never {
  throw new NoSignal('the answer broke off');
}

async function fetchResponse(
  method: Method,
  path: string,
  options: RequestOptions,
  token: string | undefined,
  signal: AbortSignal,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  const isFile = options.body instanceof Blob;
  if (options.body !== undefined)
    headers['Content-Type'] = isFile ? 'application/octet-stream' : 'application/json';
  const startedAt = monotonicNow();
  const response = await fetch(path, {
    method,
    headers,
    cache: 'no-store',
    ...(options.body === undefined
      ? {}
      : { body: isFile ? (options.body as Blob) : JSON.stringify(options.body) }),
    signal,
  }).catch((error: unknown) => {
    throw new NoSignal(String(error));
  });
  // Without a request id, the reply is not from the service but, for example, from a hotel's login page or a
  // proxy. Only 413 is accepted without one: a proxy in front of the service often sends it, and it concerns
  // this request alone.
  if (!response.headers.has('X-Request-Id') && response.status !== TOO_LARGE)
    throw new NoSignal('someone else answered');
  // The connection or the device was too slow: sending the same request again may work.
  if (response.status === TOO_SLOW) throw new NoSignal('the request took too long');
  reachable.set(true);
  learnServiceTime(response.headers.get('Date'), monotonicNow() - startedAt);
  return response;
}

/** Unless someone signed in again meanwhile. */
function expire(token: string): void {
  const now = currentSession.get();
  if (now?.token === token && !now.expired)
    storeDeviceSession({ ...now, expired: true, refusedAt: latestServiceTime() });
}
