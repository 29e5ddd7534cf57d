/**
 * Large bodies of one person, few at a time. Each keeps the thread busy while it is read, and holds connections to the
 * database while it is stored: two hundred at once would leave others none. Whoever waits here has sent nothing yet
 * that takes up memory. A phone sends one interview after the other and never waits.
 */
import type { Request, RequestHandler, Response } from 'express';
import { hasLargeBody } from './body.ts';
import { fault } from './faults.ts';
import { networkOf } from './limits.ts';
import { problem } from './problem.ts';

const AT_ONCE = 2;
const MOST_WAITING = 10;

interface Line {
  atWork: number;
  waiting: (() => void)[];
}

/** Before the body is read. */
export function largeInTurn(): RequestHandler {
  const lines = new Map<string, Line>();
  return (req, res, next) => {
    if (!hasLargeBody(req)) {
      next();
      return;
    }
    const sender = senderOf(req);
    const line = lines.get(sender) ?? { atWork: 0, waiting: [] };
    lines.set(sender, line);
    const end = () => {
      line.atWork -= 1;
      line.waiting.shift()?.();
      if (line.atWork === 0) lines.delete(sender);
    };
    const begin = () => {
      line.atWork += 1;
      res.once('close', () => void Promise.resolve(res.locals.work).then(end, end));
      next();
    };
    if (line.atWork < AT_ONCE) begin();
    else if (line.waiting.length >= MOST_WAITING) throw tooMany();
    else {
      const leave = () => {
        line.waiting = line.waiting.filter((one) => one !== go);
      };
      const go = () => {
        res.off('close', leave);
        begin();
      };
      line.waiting.push(go);
      res.once('close', leave);
    }
  };
}

/** Of whoever hangs up, the work goes on: the place is theirs until it has ended. */
export const keepingTurn =
  (handle: (req: Request, res: Response) => Promise<void>): RequestHandler =>
  (req, res) => {
    const work = handle(req, res);
    res.locals.work = work;
    return work;
  };

function senderOf(req: Request): string {
  const user = (req.actor ?? req.signedIn)?.user._id.toHexString();
  return user ?? networkOf(req.ip ?? '');
}

const tooMany = () =>
  problem('RATE_LIMITED', {
    why: fault('SENDING_TOO_MUCH'),
    headers: { 'Retry-After': '5' },
  });
