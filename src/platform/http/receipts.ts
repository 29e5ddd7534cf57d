/**
 * Whoever sends a sealed body, or sends with a send token, may replay an interview that they can't read. Replies tell them
 * that it has arrived, and nothing about the answers.
 */
import type { Request } from 'express';

export const getsReceipt = (req: Request): boolean =>
  (req.actor ?? req.signedIn)?.isSendToken === true || isSealed(req.body);

export const isSealed = (body: unknown): boolean => Object(body).sealed !== undefined;
