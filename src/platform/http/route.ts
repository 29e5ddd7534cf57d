/**
 * Routes as data. One declaration gives routing, validation, the fields of the reply and the documentation, so that they
 * can't drift apart. Handlers return a value or throw a problem; only `mount` and errors.ts touch the response.
 */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import { Router as newRouter, type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import { hasLargeBody, jsonBody, MAX_BODY_BYTES, requireStorable, uploadedFileBody } from './bodies/body.ts';
import type { MediaType } from './bodies/media-type.ts';
import { bufferedBodyOf, receiveBody } from './bodies/receive-body.ts';
import type { Deps } from './deps.ts';
import { limitRequests } from './limits/rate-limits.ts';
import { declaredFieldsSerializer, type ReplySerializer } from './lists/declared-fields.ts';
import { jsonChunks } from './lists/json-stream.ts';
import { SerializedJson } from './lists/serialized-page.ts';
import { setRouteName } from './measure.ts';
import {
  cutOffSlowReader,
  holdMemoryUntilDone,
  keepOnlyReplyMemory,
  type RequestMemoryClass,
  reserveRequestMemory,
} from './memory-budget.ts';
import { type FieldError, fieldError } from './problems/error-codes.ts';
import { type ProblemName, problem, queryParameterProblem } from './problems/problem.ts';
import { faultOfZodIssue, zodMessage } from './problems/zod-messages.ts';
import { shouldReplyWithReceipt } from './receipts.ts';
import { pauseTimeout, startRequestTimeout } from './timeout.ts';

/** The kinds of access, and what a handler knows about the caller. src/platform/rights adds those that need a token. */
export interface CallerTypeByAccess {
  /** Anyone. */
  public: undefined;
}
export type RouteAccess = keyof CallerTypeByAccess;
type Gated = Exclude<RouteAccess, 'public'>;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface RouteCall<A extends RouteAccess = RouteAccess, Q = undefined, B = undefined, E = undefined> {
  deps: Deps;
  now: Date;
  actor: CallerTypeByAccess[A];
  /** As in the path, not validated; guard.ts checks it, because a malformed id is a 404. */
  id: string;
  /** Raw path parameters. */
  params: Record<string, string>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** The caller's network address, for rate limits. */
  address: string;
  ifMatch: string | undefined;
  /** A header of the request, for signatures. */
  header(name: string): string | undefined;
  /** The User-Agent header. */
  userAgent: string;
  /** Time limit for the reply, by `performance.now()`. */
  deadline?: number | undefined;
  /** What `readEarly` reads, once it is there. */
  early: E;
}

type Status = 200 | 201 | 202 | 204;

export interface RouteSpec<A extends RouteAccess, Q, B, E = undefined> {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** In Express's syntax: `/api/users/:id`. */
  path: string;
  /** Default: an approved user. */
  access?: A;
  /** The group in the documentation; by default that of its route group. */
  tag?: string;
  summary: string;
  description?: string;
  query?: Q & z.ZodObject;
  body?: B & z.ZodType;
  /** Maximum size of the body, if larger than the default 1 MiB. */
  maxBytes?: number;
  /** A lower limit for a body of a certain kind. */
  maxBytesOf?: (body: unknown) => number;
  /** The body is a file of one of these media types, and its schema gets the bytes. */
  fileTypes?: readonly string[];
  /** The handler calls `requireStorable` for each record of the body itself. */
  skipBodyCheck?: boolean;
  /** An example of the body, for the documentation. */
  example?: unknown;
  /** The schema for each status; null for a reply without a body, a media type for a file (see `streamedFile`). */
  reply: Partial<Record<Status, z.ZodType | MediaType | null>>;
  /** Accepts `If-Match` with the version to change. */
  ifMatch?: true;
  /** Memory that it may need in addition to its body, if more than the default. */
  memory?: RequestMemoryClass;
  /** It has no timeout. */
  isLong?: true;
  /** Not rate-limited, so that it works without the database. */
  unlimited?: boolean;
  /** Also allowed for sessions that still need a second factor (users/second-factor.ts). */
  needsNoSecondFactor?: true;
  /** If absent, the route refuses send tokens (users/sessions.ts). */
  sendToken?: {
    /** The schema of replies to a send token or a sealed body, if it differs. */
    reply?: z.ZodType;
    /** The only fields of the body that a send token may set. */
    fields?: readonly string[];
  };
  /** Also accepts tokens that can only end their session. */
  signOutToken?: true;
  /**
   * Small records that are read together with the caller, for one round trip less. It starts once the token's signature
   * is verified, before anything is known about the caller's rights: they decide in `handle`.
   */
  readEarly?: (params: Record<string, string>) => Promise<E>;
  /** Problems in addition to those that follow from its access, path, query and body. */
  problems?: ProblemName[];
  handle(call: RouteCall<A, Q, B, E>): Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of routes holds calls of every shape.
type Ungrouped = RouteSpec<any, any, any, any>;
export type ApiRoute = Ungrouped & { access: RouteAccess; tag: string };

export const defineRoute = <A extends RouteAccess = 'approved', Q = undefined, B = undefined, E = undefined>(
  spec: RouteSpec<A, Q, B, E>,
): Ungrouped => spec;

/** `ofAll`: defaults for all routes of the group; `tag` is its name in the documentation. */
export const routeGroup = (
  ofAll: Pick<Ungrouped, 'access' | 'isLong'> & { tag: string },
  routes: readonly Ungrouped[],
): ApiRoute[] => routes.map((one) => ({ access: 'approved', ...ofAll, ...one }));

/** A reply with a status other than 200, or with headers. */
export class Reply {
  readonly status: Status;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** Serialized and sent in chunks. */
  readonly isLarge: boolean;

  constructor(status: Status, body?: unknown, headers: Record<string, string> = {}, isLarge = false) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.isLarge = isLarge;
  }
}

export const createdReply = (body: unknown, location: string) => new Reply(201, body, { Location: location });
/** 202: the work continues in the background; `location` shows its progress. */
export const acceptedReply = (body: unknown, location: string) =>
  new Reply(202, body, { Location: location });
/** For replies of several megabytes (see json-stream.ts). */
export const largeReply = (body: object) => new Reply(200, body, {}, true);
export const noContentReply = () => new Reply(204);

/** A file that `write` creates while it is being sent; the route's `reply` names its media type. */
export const streamedFile = (
  name: string,
  write: (out: Writable) => Promise<void>,
  headers: Record<string, string> = {},
) => new Reply(200, write, { 'Content-Disposition': `attachment; filename="${name}"`, ...headers });

const MAX_ERRORS = 1_000;
const NO_QUERY = z.strictObject({});

/** Middleware that is passed in, because it belongs to higher layers. */
export interface MountRoutesOptions {
  /** The checks for each kind of access. */
  gates: Record<Gated, (deps: Deps, route: ApiRoute) => RequestHandler>;
}

/**
 * Mounts all routes, more specific paths first: `/questionnaires/active` before `/questionnaires/:id`. A known path
 * with another method is 405.
 */
export function mountRoutes(routes: ApiRoute[], deps: Deps, options: MountRoutesOptions): Router {
  const router = newRouter({ caseSensitive: true });
  const byPath = new Map<string, ApiRoute[]>();
  for (const one of routes) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  for (const [path, ofPath] of [...byPath].sort(([a], [b]) => (rankOf(a) < rankOf(b) ? -1 : 1))) {
    // One router layer for all methods of a path, because each layer costs every request a path match.
    const at = router.route(path).all((_req, res, next) => {
      setRouteName(res, path);
      next();
    });
    for (const one of ofPath)
      at[one.method](...stepsOf(one, deps, options), holdMemoryUntilDone(answer(one, deps)));
    const allow = allowOf(ofPath);
    at.options((_req, res) => {
      res.setHeader('Allow', allow);
      res.status(204).end();
    });
    at.all(() => {
      throw problem('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
    });
  }
  return router;
}

/** What happens before the handler. */
function stepsOf(one: ApiRoute, deps: Deps, options: MountRoutesOptions): RequestHandler[] {
  const timeout = one.isLong ? [] : [startRequestTimeout];
  const gate = one.access === 'public' ? [] : [options.gates[one.access as Gated](deps, one)];
  const limits = deps.config.rateLimits && !one.unlimited ? [limitRequests()] : [];
  const maxBytes = one.maxBytes ?? MAX_BODY_BYTES;
  const body =
    one.body &&
    (one.fileTypes ? uploadedFileBody(one.fileTypes, maxBytes) : jsonBody(maxBytes, one.maxBytesOf));
  const receiving = body
    ? [...body.before, pauseTimeout, receiveBody(maxBytes), ...timeout, ...gate.map(onlyIfSlow)]
    : [];
  const memory = one.unlimited ? [] : [reserveRequestMemory(one.memory, body && maxBytes)];
  return [...timeout, ...gate, ...limits, ...receiving, ...memory, ...(body?.after ?? [])];
}

/**
 * If receiving a body takes longer, access is checked again, because the account may have been closed in the meantime.
 */
const SLOW_SECONDS = 10;

const onlyIfSlow =
  (step: RequestHandler): RequestHandler =>
  (req, res, next) =>
    (bufferedBodyOf(req)?.seconds ?? 0) > SLOW_SECONDS ? step(req, res, next) : next();

/** Sort key: where two paths differ, a fixed word comes before a parameter. */
const rankOf = (path: string) => path.replace(/:\w+/g, '~');

function allowOf(ofPath: ApiRoute[]): string {
  const names = ofPath.map(({ method }) => method.toUpperCase());
  return [...names, ...(names.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

type Handle = (req: Request, res: Response) => Promise<void>;

function answer(one: ApiRoute, deps: Deps): Handle {
  const query = one.query ?? NO_QUERY;
  const cuts = new Map<number, ReplySerializer>();
  for (const [status, shape] of Object.entries(one.reply))
    if (shape && typeof shape !== 'string') cuts.set(Number(status), declaredFieldsSerializer(shape));
  const toReceipt = one.sendToken?.reply && declaredFieldsSerializer(one.sendToken.reply);

  return async (req, res) => {
    // The timeout has replied before the body was complete.
    if (res.headersSent) return;
    const { deadline } = res.locals as { deadline?: number };
    requireReadableQuery(req);
    const actor = req.actor ?? req.signedIn;
    if (actor) actor.deadline = deadline;
    if (actor?.isSendToken) requireOnly(one.sendToken?.fields, req.body);
    const call: RouteCall<RouteAccess, unknown, unknown, unknown> = {
      deps,
      now: req.actor?.now ?? deps.now(),
      actor,
      id: String(req.params.id ?? ''),
      params: req.params as Record<string, string>,
      query: parse(query, req.query, 'INVALID_QUERY'),
      body: one.body ? parse(one.body, req.body, 'VALIDATION_ERROR') : undefined,
      address: req.ip ?? 'unknown',
      userAgent: req.get('user-agent') ?? '',
      header: (name) => req.get(name),
      ifMatch: one.ifMatch ? req.get('if-match') : undefined,
      deadline,
      early: await (req.early ?? one.readEarly?.(req.params as Record<string, string>)),
    } as RouteCall<RouteAccess, unknown, unknown, unknown>;
    if (one.body && hasLargeBody(req)) await turn();
    // After the schema, whose errors are more helpful.
    if (one.body && !one.skipBodyCheck && !one.fileTypes) requireStorable(req.body);
    const value: unknown = await one.handle(call as never);
    // Its memory is no longer reserved.
    req.early = undefined;
    // The timeout has replied.
    if (res.headersSent) return;
    const reply = value instanceof Reply ? value : new Reply(200, value);
    const serialize = (toReceipt && shouldReplyWithReceipt(req) && toReceipt) || cuts.get(reply.status);
    for (const [name, header] of Object.entries(reply.headers)) res.setHeader(name, header);
    res.status(reply.status);
    const declared = one.reply[reply.status];
    if (typeof declared === 'string') await sendFile(req, res, declared, reply.body as Write);
    else if (reply.body instanceof SerializedJson) sendJson(res, reply.body.bytes);
    else if (serialize && reply.isLarge)
      await send(res, JSON_TYPE, inPieces(reply.body as object, serialize));
    else if (serialize) sendJson(res, JSON.stringify(serialize(reply.body)));
    else res.end();
  };
}

function requireOnly(fields: readonly string[] | undefined, body: unknown): void {
  if (fields && Object.keys(Object(body)).some((name) => !fields.includes(name))) throw problem('FORBIDDEN');
}

/** A query that can't be decoded would otherwise be misread. */
function requireReadableQuery({ url }: Request): void {
  if (!canBeDecoded(url.replace(/^[^?]*/, '')))
    throw problem('INVALID_QUERY', { message: 'The query can’t be decoded.' });
}

function canBeDecoded(query: string): boolean {
  try {
    return !decodeURIComponent(query).includes('\0');
  } catch {
    return false;
  }
}

const JSON_TYPE = 'application/json; charset=utf-8';

const inPieces =
  (value: object, serialize: ReplySerializer): Write =>
  (out) =>
    pipeline(Readable.from(jsonChunks(value, serialize)), out);

/** A faster `res.json`; headers and body are sent in one packet. */
function sendJson(res: Response, text: string | Buffer): void {
  res.setHeader('Content-Type', JSON_TYPE);
  const bytes = Buffer.byteLength(text);
  res.setHeader('Content-Length', bytes);
  res.end(text);
  keepOnlyReplyMemory(res, bytes);
}

type Write = (out: Writable) => Promise<void>;

/** A HEAD request does not create the file. */
async function sendFile(req: Request, res: Response, type: MediaType, write: Write): Promise<void> {
  const full = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  await send(res, full, req.method === 'HEAD' ? async (out) => void out.end() : write);
}

async function send(res: Response, type: string, write: Write): Promise<void> {
  res.setHeader('Content-Type', type);
  cutOffSlowReader(res);
  try {
    await write(res);
  } catch (error) {
    // The client has hung up.
    if (!res.writableFinished && res.closed) return;
    throw error;
  }
}

function parse(schema: z.ZodType, input: unknown, name: 'INVALID_QUERY' | 'VALIDATION_ERROR'): unknown {
  const parsed = schema.safeParse(input, { error: zodMessage });
  if (parsed.success) return parsed.data;
  const errors = fieldErrors(parsed.error);
  throw name === 'INVALID_QUERY' ? queryParameterProblem(...errors) : problem(name, { errors });
}

/** zod's issues as field errors; an unknown field is reported at its own path. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const errors = error.issues.slice(0, MAX_ERRORS).flatMap((issue) => {
    const at = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, MAX_ERRORS)
        .map((key) => fieldError([...at, key].join('.'), 'UNKNOWN_FIELD'));
    }
    return [{ path: at.join('.'), ...faultOfZodIssue(issue) }];
  });
  return errors.slice(0, MAX_ERRORS);
}
