/** Sends the response to an error. */
import type { ErrorRequestHandler, Request, Response } from 'express';
import { refusedRequestsCounter } from '../../lib/metrics.ts';
import { shouldReplyWithReceipt } from '../receipts.ts';
import { type FieldError, fieldError } from './error-codes.ts';
import { asProblem } from './errors.ts';
import { PROBLEMS, type Problem, problem } from './problem.ts';

/** Express recognizes an error handler by its four parameters. */
export const handleErrors: ErrorRequestHandler = (error, req, res, _next) => sendProblem(error, req, res);

export function sendProblem(error: unknown, req: Request, res: Response): void {
  const refusal = asProblem(error);
  refusedRequestsCounter.inc({ code: refusal.name });
  if (refusal.status >= 500) req.log?.error({ err: refusal.cause ?? refusal }, refusal.name);
  // The timeout has already sent a reply.
  if (res.writableEnded) return;
  if (res.headersSent) {
    res.destroy();
    return;
  }
  for (const [name, value] of Object.entries(refusal.headers)) res.setHeader(name, value);
  if (refusal.name === 'UNAVAILABLE' && !res.hasHeader('Retry-After')) res.setHeader('Retry-After', '5');
  // Overrides what the file server may have set.
  res.setHeader('Cache-Control', 'no-store');
  res.removeHeader('Content-Disposition');
  res
    .status(refusal.status)
    .type('json')
    .json(
      problemBody(shouldReplyWithReceipt(req) ? problemWithoutAnswers(refusal) : refusal, String(req.id)),
    );
}

/** For callers who must not learn anything about the answers. */
export function problemWithoutAnswers({ name, errors, why, headers, parts }: Problem): Problem {
  return problem(name, {
    headers,
    ...(why && !why.params ? { why } : {}),
    ...(errors ? { errors: errors.map(withoutValue) } : {}),
    ...(parts ? { parts } : {}),
  });
}

/** A questionnaire's own message may quote answers. */
const withoutValue = ({ path, code, message, params }: FieldError): FieldError =>
  params || code === 'OTHER' ? fieldError(path, 'ANSWER_UNFIT') : { path, code, message };

function problemBody(refusal: Problem, requestId: string): object {
  if (refusal.name === 'INTERNAL') {
    return { message: `${refusal.message} If you report it, include this number: ${requestId}` };
  }
  return {
    message: refusal.message,
    ...(PROBLEMS[refusal.name].wire ? { code: refusal.name } : {}),
    ...(refusal.why ? { reason: refusal.why.code } : {}),
    ...(refusal.params || refusal.lists ? { params: { ...refusal.params, ...refusal.lists } } : {}),
    ...(refusal.errors ? { errors: refusal.errors } : {}),
    ...(refusal.parts ? { parts: refusal.parts } : {}),
  };
}
