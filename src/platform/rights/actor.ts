/** The caller of a request. src/study/users adds its own fields to `Person` (`declare module`). */
import type { Types } from 'mongoose';
import type { AppAbility } from './ability.ts';

export interface RequestCaller {
  _id: Types.ObjectId;
}

/**
 * Time limit for the reply, by `performance.now()`; commands have none. It is passed explicitly, since an
 * AsyncLocalStorage would slow down every promise of the process in Node 20 and 22.
 */
export interface HasDeadline {
  deadline?: number | undefined;
}

/** Who makes a change, and when. */
export interface Author extends HasDeadline {
  /** Null for an operator's command. */
  by: Types.ObjectId | null;
  now: Date;
}

/** The session that a token belongs to. src/study/users adds its own fields (`declare module`). */
export interface SessionOfToken {
  id: Types.ObjectId;
}

/** The owner of a valid token, possibly not approved yet. */
export interface AuthenticatedCaller extends HasDeadline {
  user: RequestCaller;
  location: Types.ObjectId | null;
  /** Absent for tokens issued before there were sessions, and for commands. */
  session?: SessionOfToken | undefined;
  /** The token can only send finished interviews, and gets no answers in replies. */
  isSendToken?: boolean;
}

/** An approved caller, with everything that rights depend on. */
export interface Actor extends AuthenticatedCaller {
  ability: AppAbility;
  now: Date;
  /** The study's time zone, which decides when a day begins and ends. */
  zone: string;
}

export const authorFromActor = ({ user, now, deadline }: Actor) => ({ by: user._id, now, deadline });

declare module '../http/route.ts' {
  interface CallerTypeByAccess {
    /** Anyone with a valid token. */
    'signed-in': AuthenticatedCaller;
    /** An approved user; the abilities then decide. */
    approved: Actor;
    /** An approved user who may read all recruitment: results are aggregates, so access to a part isn't enough. */
    results: Actor;
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    signedIn?: AuthenticatedCaller;
    actor?: Actor;
    /** See `readEarly` of a route. */
    early?: Promise<unknown> | undefined;
  }
}
