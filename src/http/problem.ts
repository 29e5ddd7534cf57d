/**
 * Every refusal of the service, by name, in one table. A handler throws `problem('SEED_IN_USE')`; errors.ts turns
 * it into the reply. `wire: true` puts the name into the reply's `code`; the others answer with a message alone.
 */
import { type FAULTS, type Fault, type FieldError, fieldError, type Params } from './faults.ts';

export const PROBLEMS = {
  VALIDATION_ERROR: { status: 400, wire: true, message: 'The request has fields that are missing or wrong.' },
  MALFORMED_JSON: { status: 400, wire: true, message: 'The body is not well-formed JSON in UTF-8.' },
  INVALID_QUERY: { status: 400, wire: true, message: 'The query has parameters that are unknown or wrong.' },
  OTP_INVALID: {
    status: 400,
    wire: true,
    message: 'This code is wrong, expired or used up. Ask for a new one.',
  },
  REFERRAL_CODE_MALFORMED: {
    status: 400,
    wire: true,
    message: 'This is not a referral code. Look at it again: 8 letters and digits.',
  },
  UNAUTHORIZED: {
    status: 401,
    wire: false,
    message: 'Sign in first: the token is missing, wrong or expired.',
  },
  NOT_APPROVED: { status: 403, wire: false, message: 'Your account is not approved.' },
  FORBIDDEN: { status: 403, wire: false, message: 'You may not do this.' },
  NOT_FOUND: { status: 404, wire: false, message: 'There is nothing here.' },
  REFERRAL_CODE_UNKNOWN: {
    status: 404,
    wire: false,
    message: 'No coupon with this referral code was ever issued.',
  },
  METHOD_NOT_ALLOWED: { status: 405, wire: false, message: 'This path does not take that method.' },
  PHONE_TAKEN: {
    status: 409,
    wire: true,
    message: 'There is an account with this phone already. Log in instead.',
  },
  NAME_TAKEN: { status: 409, wire: true, message: 'There is another one with this name.' },
  REFERRAL_CODE_USED: { status: 409, wire: true, message: 'This referral code has been redeemed already.' },
  REFERRAL_CODE_VOID: { status: 409, wire: true, message: 'This referral code has been declared void.' },
  REFERRAL_CODE_EXPIRED: { status: 409, wire: true, message: 'This referral code has expired.' },
  REFERRAL_CODE_NOT_YET: { status: 409, wire: true, message: 'This referral code is not valid yet.' },
  INVALID_TRANSITION: {
    status: 409,
    wire: true,
    message: 'The record cannot go from its state to that one.',
  },
  SEED_IN_USE: {
    status: 409,
    wire: true,
    message: 'A survey has come from this seed; it cannot be deleted.',
  },
  EDIT_CONFLICT: { status: 409, wire: true, message: 'The record was changed by someone else meanwhile.' },
  SAMPLE_BROKEN: {
    status: 409,
    wire: true,
    message: 'Nothing can be made of the sample before these interviews are put right.',
  },
  LAST_SUPER_ADMIN: { status: 409, wire: true, message: 'This is the last approved super-admin.' },
  TOO_MANY_RESERVED: {
    status: 409,
    wire: true,
    message: 'You hold too many unused referral codes already; hand those out first.',
  },
  PRECONDITION_FAILED: { status: 412, wire: false, message: 'The file is another one by now.' },
  TOO_LARGE: { status: 413, wire: true, message: 'This is larger than is taken here.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, wire: true, message: 'Send the body as application/json in UTF-8.' },
  RANGE_NOT_SATISFIABLE: { status: 416, wire: false, message: 'The file is shorter than that.' },
  RATE_LIMITED: { status: 429, wire: true, message: 'Too many requests. Wait a little and try again.' },
  INTERNAL: { status: 500, wire: false, message: 'Something went wrong on our side.' },
  UNAVAILABLE: {
    status: 503,
    wire: true,
    message: 'A part that we need is out of reach. Try again shortly.',
  },
} as const;

export type ProblemName = keyof typeof PROBLEMS;

export class Problem extends Error {
  override readonly name: ProblemName;
  readonly errors: FieldError[] | undefined;
  readonly why: Fault | undefined;
  readonly headers: Record<string, string>;

  constructor(
    name: ProblemName,
    options: {
      /** In place of the table's words, with a code: the reply's `reason`. */
      why?: Fault;
      /** In place of the table's words, for operators and programs alone. */
      message?: string;
      errors?: FieldError[];
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(options.why?.message ?? options.message ?? PROBLEMS[name].message, { cause: options.cause });
    this.name = name;
    this.errors = options.errors;
    this.why = options.why;
    this.headers = options.headers ?? {};
  }

  /** What a client's own words for it may tell. */
  get params(): Params | undefined {
    const seconds = this.headers['Retry-After'];
    if (seconds === undefined) return this.why?.params;
    return { ...this.why?.params, seconds: Number(seconds) };
  }

  get status(): number {
    return PROBLEMS[this.name].status;
  }
}

/** A refusal with a name, to be thrown. */
export function problem(name: ProblemName, options?: ConstructorParameters<typeof Problem>[1]): Problem {
  return new Problem(name, options);
}

/** 400 for one field of the body. */
export function fieldProblem<Code extends keyof typeof FAULTS>(
  ...error: Parameters<typeof fieldError<Code>>
): Problem {
  return new Problem('VALIDATION_ERROR', { errors: [fieldError(...error)] });
}
