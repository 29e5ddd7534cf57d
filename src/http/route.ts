/**
 * A URL as data. One declaration gives the routing, the validation, the reply (cut down to what is declared) and the
 * documentation, so that they can not drift apart. Handlers return a value or throw a problem; only `mount` and
 * errors.ts touch the response.
 */
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as turn } from 'node:timers/promises';
import type { Request, RequestHandler, Response, Router } from 'express';
import { Router as newRouter } from 'express';
import { z } from 'zod';
import { fileBody, hasLargeBody, jsonBody, MAX_BYTES, refuseUnstorable } from './body.ts';
import { answeredInTime, bodyIsHere, withinItsTime } from './deadline.ts';
import type { Deps } from './deps.ts';
import { type FieldError, fieldError } from './faults.ts';
import { piecesOf } from './large.ts';
import { limitRequests } from './limits.ts';
import type { MediaType } from './media-type.ts';
import { atWork, madeText, type Need, sending, withinMemory } from './memory.ts';
import { faultOf, plainWords } from './plain-words.ts';
import { type ProblemName, problem } from './problem.ts';
import { type Cut, onlyDeclared } from './reply.ts';
import { Written } from './written-page.ts';

/** Who may knock, and what a handler is told of them. The floor of rights adds those that a token names. */
export interface Callers {
  /** Anyone. */
  public: undefined;
}
export type Access = keyof Callers;
type Gated = Exclude<Access, 'public'>;

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined;

export interface Call<A extends Access = Access, Q = undefined, B = undefined> {
  deps: Deps;
  now: Date;
  actor: Callers[A];
  /** Path parameters as they came; an `:id` is looked at by guard.ts, since a malformed one is a 404. */
  params: Record<string, string>;
  query: Parsed<Q>;
  body: Parsed<B>;
  /** The caller's address, for limits. */
  address: string;
  ifMatch: string | undefined;
}

type Status = 200 | 201 | 202 | 204;

export interface RouteSpec<A extends Access, Q, B> {
  method: 'get' | 'post' | 'patch' | 'delete';
  /** As Express writes it: `/api/users/:id`. */
  path: string;
  access: A;
  tag: string;
  summary: string;
  description?: string;
  query?: Q & z.ZodObject;
  body?: B & z.ZodType;
  /** Of the body, where one that holds several records needs more than the 1 MiB of all others. */
  maxBytes?: number;
  /** The body is a file of one of these media types, and its schema takes the bytes. */
  fileTypes?: readonly string[];
  /** The body holds records that the handler looks at one by one, with `refuseUnstorable` too. */
  recordsApart?: boolean;
  /** What a request might look like; shown in the documentation. */
  example?: unknown;
  /** Status → shape; null for an answer without a body, a media type for one that is no JSON (see `streamed`). */
  reply: Partial<Record<Status, z.ZodType | MediaType | null>>;
  /** Takes `If-Match` with the version that is to be changed. */
  ifMatch?: true;
  /** Megabytes that it may need beside its body, where that is more than little. */
  memory?: Need;
  /** It may take longer than others are given for an answer. */
  isLong?: true;
  /** Not counted by the limit on requests, whose counts stand in the database. */
  unlimited?: boolean;
  /** Refusals of this route beyond those that its access, query and body bring along. */
  problems?: ProblemName[];
  handle(call: Call<A, Q, B>): Promise<unknown>;
}

// biome-ignore lint/suspicious/noExplicitAny: a table of routes holds calls of every shape.
export type Route = RouteSpec<any, any, any>;

export function route<A extends Access, Q = undefined, B = undefined>(spec: RouteSpec<A, Q, B>): Route {
  return spec;
}

/** An answer with another status than 200, or with headers. */
export class Reply {
  readonly status: Status;
  readonly body: unknown;
  readonly headers: Record<string, string>;
  /** Made and sent in pieces. */
  readonly isLarge: boolean;

  constructor(status: Status, body?: unknown, headers: Record<string, string> = {}, isLarge = false) {
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.isLarge = isLarge;
  }
}

export const created = (body: unknown, location: string) => new Reply(201, body, { Location: location });
/** It will be done; where to ask how far it is. */
export const accepted = (body: unknown, location: string) => new Reply(202, body, { Location: location });
/** May have megabytes (see large.ts). */
export const large = (body: object, headers?: Record<string, string>) => new Reply(200, body, headers, true);
export const noContent = () => new Reply(204);

/** A file that `write` writes while it is being sent; the route's `reply` names its media type. */
export const streamed = (
  name: string,
  write: (out: Writable) => Promise<void>,
  headers: Record<string, string> = {},
) => new Reply(200, write, { 'Content-Disposition': `attachment; filename="${name}"`, ...headers });

/** Who sent a thousand wrong fields is not helped by more. */
const MOST_ERRORS = 1_000;
const NO_QUERY = z.strictObject({});

/** What stands around the handlers, and is known on higher floors alone. */
export interface Surroundings {
  /** What is asked of a caller before anything else. */
  gates: Record<Gated, (deps: Deps) => RequestHandler>;
}

/**
 * All routes, the more exact path first: `/questionnaires/active` is no `/questionnaires/:id`, whatever the method. A
 * known path with another method answers 405.
 */
export function mount(routes: Route[], deps: Deps, around: Surroundings): Router {
  const router = newRouter({ caseSensitive: true });
  const byPath = new Map<string, Route[]>();
  for (const one of routes) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  for (const [path, ofPath] of [...byPath].sort(([a], [b]) => (rankOf(a) < rankOf(b) ? -1 : 1))) {
    for (const one of ofPath) {
      const steps: RequestHandler[] = one.isLong ? [] : [answeredInTime];
      if (one.access !== 'public') steps.push(around.gates[one.access as Gated](deps));
      if (deps.config.rateLimits && !one.unlimited) steps.push(limitRequests());
      if (!one.unlimited) steps.push(withinMemory(one.memory, one.body && (one.maxBytes ?? MAX_BYTES)));
      if (one.fileTypes) steps.push(...fileBody(one.fileTypes, one.maxBytes));
      else if (one.body) steps.push(...jsonBody(one.maxBytes));
      if (one.body && !one.isLong) steps.push(bodyIsHere);
      router[one.method](path, ...steps, atWork(answer(one, deps)));
    }
    const allow = allowOf(ofPath);
    router.options(path, (_req, res) => {
      res.setHeader('Allow', allow);
      res.status(204).end();
    });
    router.all(path, () => {
      throw problem('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
    });
  }
  return router;
}

/** At the first part in which two paths differ, a word comes before a parameter. */
const rankOf = (path: string) => path.replace(/:\w+/g, '~');

function allowOf(ofPath: Route[]): string {
  const names = ofPath.map(({ method }) => method.toUpperCase());
  return [...names, ...(names.includes('GET') ? ['HEAD'] : [])].sort().join(', ');
}

type Handle = (req: Request, res: Response) => Promise<void>;

function answer(one: Route, deps: Deps): Handle {
  const query = one.query ?? NO_QUERY;
  const cuts = new Map<number, Cut>();
  for (const [status, shape] of Object.entries(one.reply))
    if (shape && typeof shape !== 'string') cuts.set(Number(status), onlyDeclared(shape));

  return async (req, res) => {
    // Its time was over before its body was there.
    if (res.headersSent) return;
    const call: Call<Access, unknown, unknown> = {
      deps,
      now: req.actor?.now ?? deps.now(),
      actor: req.actor ?? req.signedIn,
      params: req.params as Record<string, string>,
      query: parse(query, req.query, 'INVALID_QUERY'),
      body: one.body ? parse(one.body, req.body, 'VALIDATION_ERROR') : undefined,
      address: req.ip ?? 'unknown',
      ifMatch: req.get('if-match'),
    } as Call<Access, unknown, unknown>;
    if (one.body && hasLargeBody(req)) await turn();
    // After the schema, whose complaint names the field rather than what is inside it.
    if (one.body && !one.recordsApart && !one.fileTypes) refuseUnstorable(req.body);
    const value: unknown = await withinItsTime(res, () => one.handle(call as never));
    // Its time was over.
    if (res.headersSent) return;
    const reply = value instanceof Reply ? value : new Reply(200, value);
    const cut = cuts.get(reply.status);
    for (const [name, header] of Object.entries(reply.headers)) res.setHeader(name, header);
    res.status(reply.status);
    const declared = one.reply[reply.status];
    if (typeof declared === 'string') await sendFile(req, res, declared, reply.body as Write);
    else if (reply.body instanceof Written) sendJson(res, reply.body.text);
    else if (cut && reply.isLarge) await send(res, JSON_TYPE, inPieces(reply.body as object, cut));
    else if (cut) sendJson(res, JSON.stringify(cut(reply.body)));
    else res.end();
  };
}

const JSON_TYPE = 'application/json; charset=utf-8';

const inPieces =
  (value: object, cut: Cut): Write =>
  (out) =>
    pipeline(Readable.from(piecesOf(value, cut)), out);

/** What `res.json` does, without asking what else it might be; headers and body leave in one piece. */
function sendJson(res: Response, text: string): void {
  res.setHeader('Content-Type', JSON_TYPE);
  const bytes = Buffer.byteLength(text);
  madeText(res, bytes);
  res.setHeader('Content-Length', bytes);
  res.end(text);
}

type Write = (out: Writable) => Promise<void>;

/** Whoever asks for the headers alone is spared the making of it. */
async function sendFile(req: Request, res: Response, type: MediaType, write: Write): Promise<void> {
  const full = type.startsWith('text/') ? `${type}; charset=utf-8` : type;
  await send(res, full, req.method === 'HEAD' ? async (out) => void out.end() : write);
}

async function send(res: Response, type: string, write: Write): Promise<void> {
  res.setHeader('Content-Type', type);
  sending(res);
  try {
    await write(res);
  } catch (error) {
    // Whoever asked has hung up: nobody is left to be told.
    if (!res.writableFinished && res.closed) return;
    throw error;
  }
}

function parse(schema: z.ZodType, input: unknown, name: 'INVALID_QUERY' | 'VALIDATION_ERROR'): unknown {
  const parsed = schema.safeParse(input, { error: plainWords });
  if (parsed.success) return parsed.data;
  throw problem(name, { errors: fieldErrors(parsed.error) });
}

/** zod's issues as the wire has them; an unknown field is reported at its own path. */
export function fieldErrors(error: z.ZodError): FieldError[] {
  const found = error.issues.slice(0, MOST_ERRORS).flatMap((issue) => {
    const at = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      return issue.keys
        .slice(0, MOST_ERRORS)
        .map((key) => fieldError([...at, key].join('.'), 'UNKNOWN_FIELD'));
    }
    return [{ path: at.join('.'), ...faultOf(issue) }];
  });
  return found.slice(0, MOST_ERRORS);
}
