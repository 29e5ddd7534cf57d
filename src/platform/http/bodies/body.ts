/** Reads JSON bodies: checks type, size, encoding, and values that no field may have, whatever its schema says. */
import { isUtf8 } from 'node:buffer';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import type { Request, RequestHandler } from 'express';
import { invalidFieldProblem, problem } from '../problems/problem.ts';
import { bodyTooLargeProblem, bufferedBodyOf, takeReceivedBody } from './receive-body.ts';

export const MAX_BODY_BYTES = 1024 * 1024;
/** Parsing this many bytes takes milliseconds. */
const LARGE_BYTES = 64 * 1024;
/** Deep enough for a questionnaire with nested panels, shallow enough for BSON (100). */
const MAX_DEPTH = 60;
const MAX_KEY = 200;
/**
 * A large questionnaire has a few thousand values; a megabyte of zeros would become six in the database and in each
 * list.
 */
const MAX_VALUES = 50_000;
/** If there is a charset, it must be UTF-8. */
const UTF_8 = /^(?!.*charset=)|charset="?utf-8"?\s*(;|$)/i;

const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length']) > 0;

const needsJson: RequestHandler = (req, _res, next) => {
  if (hasBody(req) && !(req.is('application/json') && UTF_8.test(req.headers['content-type'] ?? ''))) {
    throw problem('UNSUPPORTED_MEDIA_TYPE');
  }
  next();
};

const DECODERS = { gzip: promisify(gunzip), deflate: promisify(inflate), br: promisify(brotliDecompress) };
const encodingOf = ({ headers }: Request) => headers['content-encoding']?.toLowerCase() ?? 'identity';

const needsKnownEncoding: RequestHandler = (req, _res, next) => {
  const encoding = encodingOf(req);
  if (hasBody(req) && encoding !== 'identity' && !Object.hasOwn(DECODERS, encoding))
    throw problem('UNSUPPORTED_MEDIA_TYPE');
  next();
};

/** The decompressed body; undefined if there is none. */
async function decodedBody(req: Request, limit: number): Promise<Buffer | undefined> {
  const bytes = takeReceivedBody(req);
  const decode = DECODERS[encodingOf(req) as keyof typeof DECODERS];
  if (!bytes || !decode) return bytes;
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw bodyTooLargeProblem(limit);
    throw problem('VALIDATION_ERROR', { message: 'The request can’t be decoded.' });
  }
}

/** Memory that the body may need, in bytes: its size, or the limit if it is compressed. */
export function bytesNeededForBody(req: Request, limit: number): number {
  const body = bufferedBodyOf(req);
  if (!body) return 0;
  return encodingOf(req) === 'identity' ? body.bytes.length : limit;
}

const parseJson =
  (limit: number, limitOf?: (body: unknown) => number): RequestHandler =>
  async (req, _res, next) => {
    const bytes = await decodedBody(req, limit);
    if (bytes?.length) req.body = parseJsonBytes(bytes, limit);
    else if (req.is('application/json')) req.body = {};
    const max = limitOf?.(req.body) ?? limit;
    if (bytes && bytes.length > max) throw bodyTooLargeProblem(max);
    next();
  };

const BYTE_ORDER_MARK = 0xfeff;

/** Throws TOO_MANY_VALUES and MALFORMED_JSON. */
export function parseJsonBytes(bytes: Buffer, limit = MAX_BODY_BYTES): unknown {
  if (!isUtf8(bytes)) throw problem('MALFORMED_JSON');
  // A route with a larger size limit may have more values.
  const max = MAX_VALUES * Math.ceil(limit / MAX_BODY_BYTES);
  if (bytes.length > max && countValues(bytes) > max)
    throw invalidFieldProblem('', 'TOO_MANY_VALUES', { most: max });
  const text = bytes.toString();
  try {
    return JSON.parse(text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text);
  } catch {
    throw problem('MALFORMED_JSON');
  }
}

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/** Counts the values of a JSON text before it is parsed, because parsing a megabyte of them blocks other requests. */
function countValues(bytes: Buffer): number {
  let count = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
    else if (byte === QUOTE)
      while (++at < bytes.length && bytes[at] !== QUOTE) if (bytes[at] === BACKSLASH) at += 1;
  }
  return count;
}

/** With a large body, other requests get a turn between parsing and each check. A compressed body may be large. */
export function hasLargeBody({ headers }: Request): boolean {
  const isOpen = headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined;
  return isOpen || Number(headers['content-length']) >= LARGE_BYTES;
}

const pause: RequestHandler = (req, _res, next) => {
  if (hasLargeBody(req)) setImmediate(next);
  else next();
};

/** How a route reads its body: checks before it is received, and processing afterwards. */
export interface BodyReader {
  before: RequestHandler[];
  after: RequestHandler[];
}

export const jsonBody = (limit: number, limitOf?: (body: unknown) => number): BodyReader => ({
  before: [needsJson, needsKnownEncoding],
  after: [parseJson(limit, limitOf), pause],
});

/** An uploaded file with one of these media types. */
export const uploadedFileBody = (types: readonly string[], limit: number): BodyReader => ({
  before: [
    (req, _res, next) => {
      if (hasBody(req) && !req.is([...types]))
        throw problem('UNSUPPORTED_MEDIA_TYPE', {
          message: `Send the file itself, as ${types.join(' or ')}.`,
        });
      next();
    },
    needsKnownEncoding,
  ],
  after: [
    async (req, _res, next) => {
      req.body = await decodedBody(req, limit);
      next();
    },
    pause,
  ],
});

/**
 * Refuses (400, with the path) whatever the database would change, refuse or execute: unpaired surrogates, null
 * characters, infinite numbers, keys that are operators, paths or prototypes, and too deep nesting. Not recursive, so
 * that no input can overflow the stack.
 */
export function requireStorable(body: unknown): void {
  const open: [value: unknown, path: string, depth: number][] = [[body, '', 0]];
  let values = 0;
  for (let entry = open.pop(); entry; entry = open.pop()) {
    values += 1;
    if (values > MAX_VALUES) throw invalidFieldProblem('', 'TOO_MANY_VALUES', { most: MAX_VALUES });
    const [value, path, depth] = entry;
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) {
        throw invalidFieldProblem(path, 'ODD_CHARACTER');
      }
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw invalidFieldProblem(path, 'ENDLESS_NUMBER');
    } else if (value !== null && typeof value === 'object') {
      if (depth >= MAX_DEPTH) throw invalidFieldProblem(path.slice(0, MAX_KEY), 'TOO_DEEP');
      for (const key of Object.keys(value)) {
        const at = path === '' ? key : `${path}.${key}`;
        if (!Array.isArray(value)) requireSafeKey(key, at);
        open.push([(value as Record<string, unknown>)[key], at, depth + 1]);
      }
    }
  }
}

function requireSafeKey(key: string, path: string): void {
  const bad =
    key === '' ||
    key.length > MAX_KEY ||
    key.startsWith('$') ||
    key.includes('.') ||
    key.includes('\0') ||
    !key.isWellFormed() ||
    // The driver treats an object with this key as one of its own types.
    key === '_bsontype' ||
    key === '__proto__' ||
    key === 'constructor' ||
    key === 'prototype';
  if (bad) throw invalidFieldProblem(path.slice(0, MAX_KEY).toWellFormed(), 'NAME_OF_FIELD');
}
