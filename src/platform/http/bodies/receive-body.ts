/** Receives the bytes of a body as they arrive, before the request reserves memory for its work. */
import type { Request, RequestHandler, Response } from 'express';
import { userOrNetworkOf } from '../limits/caller.ts';
import { fault } from '../problems/error-codes.ts';
import { problem } from '../problems/problem.ts';
import { sendProblem } from '../problems/send-problem.ts';
import { type Upload, uploadBudget } from './uploads.ts';

/** The bytes of a body until they are decoded. */
export interface ReceivedBody {
  bytes: Buffer;
  upload: Upload;
  /** Seconds since the start of the request. */
  seconds: number;
}

const received = new WeakMap<Request, ReceivedBody>();

export const bufferedBodyOf = (req: Request): ReceivedBody | undefined => received.get(req);

/** Returns the bytes and releases them; from now on they count toward the request's own memory. */
export function takeReceivedBody(req: Request): Buffer | undefined {
  const body = received.get(req);
  received.delete(req);
  body?.upload.leave();
  return body?.bytes;
}

/** The announced size; infinite if the body is chunked. */
const announcedBytes = ({ headers }: Request): number =>
  headers['transfer-encoding'] !== undefined
    ? Number.POSITIVE_INFINITY
    : Number(headers['content-length'] ?? 0) || 0;

export const bodyTooLargeProblem = (max: number) =>
  problem('TOO_LARGE', { why: fault('BODY_TOO_LARGE', { most: max / 1024 / 1024 }) });

/** 413 if larger than `limit`. If the client hangs up, no response is sent. */
export const receiveBody =
  (limit: number): RequestHandler =>
  (req, res, next) => {
    const size = announcedBytes(req);
    if (size === 0 || res.headersSent) return next();
    if (Number.isFinite(size) && size > limit) throw bodyTooLargeProblem(limit);
    const begin = performance.now();
    const upload = uploadBudget.begin(userOrNetworkOf(req), {
      pause: () => req.pause(),
      resume: () => req.resume(),
      refuse: (reason) => hangUp(req, res, reason),
    });
    const pieces: Buffer[] = [];
    let length = 0;
    const stop = () => {
      req.off('data', take);
      req.off('end', end);
    };
    const take = (piece: Buffer) => {
      length += piece.length;
      if (length > limit) {
        stop();
        upload.leave();
        // The rest is read and dropped, so that the client gets to read the response.
        req.resume();
        next(bodyTooLargeProblem(limit));
        return;
      }
      pieces.push(piece);
      upload.add(piece.length, length === size);
    };
    const end = () => {
      stop();
      upload.complete();
      const bytes = pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
      received.set(req, { bytes, upload, seconds: (performance.now() - begin) / 1000 });
      next();
    };
    res.once('close', () => {
      stop();
      received.delete(req);
      upload.leave();
    });
    req.on('data', take);
    req.on('end', end);
  };

const MESSAGES = {
  busy: 'The service is busy. Try again in a moment.',
  slow: 'The request arrived too slowly. Try again with a better connection.',
};

/** Responds and closes the connection, because otherwise the rest of the body would have to be read. */
function hangUp(req: Request, res: Response, reason: keyof typeof MESSAGES): void {
  if (res.headersSent) {
    req.destroy();
    return;
  }
  res.setHeader('Connection', 'close');
  res.once('finish', () => req.destroy());
  sendProblem(problem('UNAVAILABLE', { message: MESSAGES[reason] }), req, res);
}
