/** Reads JSON bodies: checks type, size, encoding, and values that no field may have, whatever its schema says. */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { fieldProblem, problem } from './problem.ts';

export const MAX_BYTES = 1024 * 1024;
/** Parsing this many bytes takes milliseconds. */
const LARGE_BYTES = 64 * 1024;
/** Deep enough for a questionnaire with nested panels, shallow enough for BSON (100). */
const MAX_DEPTH = 60;
const MAX_KEY = 200;
/** A large questionnaire has a few thousand; a megabyte of zeros would take six in the database and in each list. */
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

/** The `type` of the error for too many values; errors.ts turns it into a problem. */
export const TOO_MANY_VALUES = 'too.many.values';

const parseJson = (limit: number) =>
  express.json({
    limit,
    strict: false, // a bare number is JSON too; the schema then says what is wrong with it
    verify: (_req, _res, bytes) => {
      // The parser hands this on as 'entity.verify.failed'.
      if (!isUtf8(bytes)) throw new Error('not UTF-8');
      // A route with a larger size limit may have more values.
      const most = MAX_VALUES * Math.ceil(limit / MAX_BYTES);
      if (bytes.length > most && countValues(bytes) > most)
        throw Object.assign(new Error('too many values'), { type: TOO_MANY_VALUES, most });
    },
  });

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

/** For a large body, other requests are answered between parsing and each check. A compressed body may become large. */
export const hasLargeBody = (req: Request) => bodyBytes(req) >= LARGE_BYTES;

/** The announced size; infinite if the body is compressed or chunked. */
export const bodyBytes = ({ headers }: Request): number => {
  const isOpen = headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined;
  return isOpen ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0) || 0;
};

const pause: RequestHandler = (req, _res, next) => {
  if (hasLargeBody(req)) setImmediate(next);
  else next();
};

export const jsonBody = (limit = MAX_BYTES): RequestHandler[] => [needsJson, parseJson(limit), pause];

/** Reads an uploaded file of one of these media types. */
export const fileBody = (types: readonly string[], limit = MAX_BYTES): RequestHandler[] => [
  (req, _res, next) => {
    if (hasBody(req) && !req.is([...types]))
      throw problem('UNSUPPORTED_MEDIA_TYPE', { message: `Send the file itself, as ${types.join(' or ')}.` });
    next();
  },
  express.raw({ limit, type: [...types] }),
  pause,
];

/**
 * Refuses (400, with the path) what the database would change, refuse or execute: unpaired surrogates, null characters,
 * infinite numbers, keys that are operators, paths or prototypes, and too deep nesting. Not recursive, so that no input
 * can overflow the stack.
 */
export function requireStorable(body: unknown): void {
  const open: [value: unknown, path: string, depth: number][] = [[body, '', 0]];
  let seen = 0;
  for (let entry = open.pop(); entry; entry = open.pop()) {
    seen += 1;
    if (seen > MAX_VALUES) throw fieldProblem('', 'TOO_MANY_VALUES', { most: MAX_VALUES });
    const [value, path, depth] = entry;
    if (typeof value === 'string') {
      if (!value.isWellFormed() || value.includes('\0')) {
        throw fieldProblem(path, 'ODD_CHARACTER');
      }
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) throw fieldProblem(path, 'ENDLESS_NUMBER');
    } else if (value !== null && typeof value === 'object') {
      if (depth >= MAX_DEPTH) throw fieldProblem(path.slice(0, MAX_KEY), 'TOO_DEEP');
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
  if (bad) throw fieldProblem(path.slice(0, MAX_KEY).toWellFormed(), 'NAME_OF_FIELD');
}
