/**
 * The only place that talks to the service. A request ends in one of three ways: the value, a Refusal (the service
 * answered and said no), or NoSignal (it was not reached, whatever stood in between).
 */
import { keepSession, session } from './device/kept-session.ts';
import { signal } from './device/signal.ts';

export interface FieldError {
  path: string;
  message: string;
}

export class Refusal extends Error {
  readonly status: number;
  readonly code: string | null;
  readonly errors: FieldError[];
  /** Seconds, where the service says when to come back. */
  readonly retryAfter: number | null;

  constructor(
    status: number,
    body: { message?: string; code?: string; errors?: FieldError[] },
    retryAfter: number | null,
  ) {
    super(body.message ?? `HTTP ${status}`);
    this.name = 'Refusal';
    this.status = status;
    this.code = body.code ?? null;
    this.errors = body.errors ?? [];
    this.retryAfter = retryAfter;
  }
}

export class NoSignal extends Error {
  override readonly name = 'NoSignal';
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** Milliseconds until the service counts as out of reach. */
  patience?: number;
  /** Used instead of the session's token. */
  token?: string;
}

export type Query = Record<string, string | undefined>;

/** What is empty is left out. */
export function withQuery(path: string, query: Query): string {
  const given = Object.entries(query).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return given.length > 0 ? `${path}?${new URLSearchParams(given)}` : path;
}

/** The other way round: of the parameters in an address those of these names, each empty where there is none. */
export const valuesIn = <Name extends string>(params: URLSearchParams, names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<Name, string>;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

const TOO_LARGE = 413;
const PATIENCE = 20_000;
/** Thousands of coupons take a while to draw. */
const FILE_PATIENCE = 180_000;

export async function request<T>(method: Method, path: string, options: RequestOptions = {}): Promise<T> {
  const response = await accepted(method, path, options);
  if (response.status === 204) return undefined as T;
  return (await response.json().catch(brokeOff)) as T;
}

/** A file that the service makes, such as a PDF to print. */
export async function requestFile(path: string, body: unknown): Promise<Blob> {
  const response = await accepted('POST', path, { body, patience: FILE_PATIENCE });
  return await response.blob().catch(brokeOff);
}

async function accepted(method: Method, path: string, options: RequestOptions): Promise<Response> {
  const token = options.token ?? session.get()?.token;
  const response = await reach(method, path, options, token);
  if (response.ok) return response;
  const unread = response.status === TOO_LARGE ? () => ({}) : brokeOff;
  const body = (await response.json().catch(unread)) as { message?: string };
  if (response.status === 401 && token) expire(token);
  throw new Refusal(response.status, body, Number(response.headers.get('Retry-After')) || null);
}

function brokeOff(): never {
  throw new NoSignal('the answer broke off');
}

async function reach(
  method: Method,
  path: string,
  options: RequestOptions,
  token: string | undefined,
): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json', ...options.headers };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (options.body !== undefined) headers['Content-Type'] = 'application/json';
  try {
    const response = await fetch(path, {
      method,
      headers,
      cache: 'no-store',
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
      signal: AbortSignal.timeout(options.patience ?? PATIENCE),
    });
    // A hotel's sign-in page or a proxy's error is not the service: its answers all carry a request id. That a body
    // is too large is often said by a proxy before it, and said of this request alone.
    if (!response.headers.has('X-Request-Id') && response.status !== TOO_LARGE)
      throw new NoSignal('someone else answered');
    signal.set(true);
    return response;
  } catch (error) {
    signal.set(false);
    throw error instanceof NoSignal ? error : new NoSignal(String(error));
  }
}

/** Only if nobody signed in again meanwhile. */
function expire(token: string): void {
  const now = session.get();
  if (now?.token === token && !now.expired) keepSession({ ...now, expired: true });
}
