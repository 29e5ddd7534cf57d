/** Reading a JSON body: type, size, encoding, and what no field of ours may hold, whatever its schema says. */
import { isUtf8 } from 'node:buffer';
import express, { type Request, type RequestHandler } from 'express';
import { fieldProblem, problem } from './problem.ts';

export const MAX_BYTES = 1024 * 1024;
/** So many bytes take milliseconds to be read. */
const LARGE = 64 * 1024;
/** Deep enough for a questionnaire with nested panels, shallow enough for BSON (100). */
const MAX_DEPTH = 60;
const MAX_KEY = 200;
/** A large questionnaire has some thousands; a megabyte of zeros would fill six in the database and in each list. */
const MAX_VALUES = 50_000;
/** A charset, where one is named, is UTF-8. */
const UTF_8 = /^(?!.*charset=)|charset="?utf-8"?\s*(;|$)/i;

const needsJson: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length']) > 0;
  if (hasBody && !(req.is('application/json') && UTF_8.test(req.headers['content-type'] ?? ''))) {
    throw problem('UNSUPPORTED_MEDIA_TYPE');
  }
  next();
};

/** What is refused for holding too much has this `type` for errors.ts, and how many values may be. */
export const TOO_MANY = 'too.many.values';

const parseJson = (limit: number) =>
  express.json({
    limit,
    strict: false, // a bare number is JSON too; the schema then says what is wrong with it
    verify: (_req, _res, bytes) => {
      // The parser hands this on as 'entity.verify.failed'.
      if (!isUtf8(bytes)) throw new Error('not UTF-8');
      // A body that may be larger than others may hold more.
      const most = MAX_VALUES * Math.ceil(limit / MAX_BYTES);
      if (bytes.length > most && valuesIn(bytes) > most)
        throw Object.assign(new Error('too many values'), { type: TOO_MANY, most });
    },
  });

const [QUOTE, BACKSLASH, COMMA, BRACKET, BRACE] = Buffer.from('"\\,[{');

/** How many values a JSON text holds, told before it is read: reading a megabyte of them keeps all others waiting. */
function valuesIn(bytes: Buffer): number {
  let count = 1;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === COMMA || byte === BRACKET || byte === BRACE) count += 1;
    else if (byte === QUOTE)
      while (++at < bytes.length && bytes[at] !== QUOTE) if (bytes[at] === BACKSLASH) at += 1;
  }
  return count;
}

/** Others are answered between the reading of a large body and each look at it. What is packed may become large. */
export const hasLargeBody = (req: Request) => bodyBytes(req) >= LARGE;

/** As announced; what is packed or comes in pieces may be as large as can be. */
export const bodyBytes = ({ headers }: Request): number => {
  const isOpen = headers['transfer-encoding'] !== undefined || headers['content-encoding'] !== undefined;
  return isOpen ? Number.POSITIVE_INFINITY : Number(headers['content-length'] ?? 0) || 0;
};

const pause: RequestHandler = (req, _res, next) => {
  if (hasLargeBody(req)) setImmediate(next);
  else next();
};

export const jsonBody = (limit = MAX_BYTES): RequestHandler[] => [needsJson, parseJson(limit), pause];

/** A file as it is, of one of these media types. */
export const fileBody = (types: readonly string[], limit = MAX_BYTES): RequestHandler[] => [
  (req, _res, next) => {
    if (req.headers['content-type'] !== undefined && !req.is([...types]))
      throw problem('UNSUPPORTED_MEDIA_TYPE', { message: `Send the file itself, as ${types.join(' or ')}.` });
    next();
  },
  express.raw({ limit, type: [...types] }),
  pause,
];

/**
 * Refuses (400, with the path) what the database would change silently, refuse or run: unpaired surrogates, null
 * characters, infinite numbers, keys that are operators, paths or prototypes, and bottomless nesting. Without
 * recursion, so that no input can exhaust the stack.
 */
export function refuseUnstorable(body: unknown): void {
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
        if (!Array.isArray(value)) refuseKey(key, at);
        open.push([(value as Record<string, unknown>)[key], at, depth + 1]);
      }
    }
  }
}

function refuseKey(key: string, path: string): void {
  const bad =
    key === '' ||
    key.length > MAX_KEY ||
    key.startsWith('$') ||
    key.includes('.') ||
    key.includes('\0') ||
    !key.isWellFormed() ||
    // The driver takes an object with this key for one of its own types.
    key === '_bsontype' ||
    key === '__proto__' ||
    key === 'constructor' ||
    key === 'prototype';
  if (bad) throw fieldProblem(path.slice(0, MAX_KEY).toWellFormed(), 'NAME_OF_FIELD');
}
