/**
 * Senders of a sealed body, or with a send token, may resend an interview that they aren't allowed to read. Replies to
 * them confirm its arrival, but reveal nothing about the answers.
 */
import type { Request } from 'express';

export const shouldReplyWithReceipt = (req: Request): boolean =>
  (req.actor ?? req.signedIn)?.isSendToken === true || isSealed(req.body);

export const isSealed = (body: unknown): boolean => Object(body).sealed !== undefined;
