/** Who asks. What is known of a person is added by the folder of people (`declare module`). */
import type { Types } from 'mongoose';
import type { AppAbility } from './ability.ts';

export interface Person {
  _id: Types.ObjectId;
}

/** Who a valid token belongs to; not yet approved perhaps. */
export interface SignedIn {
  user: Person;
  location: Types.ObjectId | null;
}

/** An approved caller with all that rights are decided by. */
export interface Actor extends SignedIn {
  ability: AppAbility;
  now: Date;
  /** Of the study: where a day begins and ends. */
  zone: string;
}

declare module '../http/route.ts' {
  interface Callers {
    /** Anyone with a valid token. */
    'signed-in': SignedIn;
    /** An approved user; the abilities then decide. */
    approved: Actor;
  }
}

declare module 'express-serve-static-core' {
  interface Request {
    signedIn?: SignedIn;
    actor?: Actor;
  }
}
