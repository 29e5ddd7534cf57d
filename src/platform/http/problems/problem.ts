/**
 * All problems of the API in one table. A handler throws `problem('SEED_IN_USE')`, and errors.ts turns it into the reply.
 * With `wire: true` the reply has the name as its `code`; the others have only a message.
 */
import {
  type CodedError,
  type FAULTS,
  type FaultTextParameters,
  type FieldError,
  fault,
  fieldError,
} from './error-codes.ts';

export const PROBLEMS = {
  VALIDATION_ERROR: { status: 400, wire: true, message: 'Some fields are missing or invalid.' },
  MALFORMED_JSON: { status: 400, wire: true, message: 'The body isn’t well-formed JSON in UTF-8.' },
  INVALID_QUERY: { status: 400, wire: true, message: 'Some query parameters are unknown or invalid.' },
  OTP_INVALID: {
    status: 400,
    wire: true,
    message: 'This code is wrong, expired or used up. Request a new one.',
  },
  PASSKEY_INVALID: {
    status: 400,
    wire: true,
    message: 'This passkey could not be checked. Try again, or use another way to sign in.',
  },
  REFERRAL_CODE_MALFORMED: {
    status: 400,
    wire: true,
    message: 'This isn’t a referral code. A code has 8 letters and digits.',
  },
  UNAUTHORIZED: {
    status: 401,
    wire: false,
    message: 'Sign in first. The token is missing, invalid or expired.',
  },
  NOT_APPROVED: { status: 403, wire: false, message: 'Your account isn’t approved.' },
  FORBIDDEN: { status: 403, wire: false, message: 'You don’t have permission to do this.' },
  NOT_FOUND: { status: 404, wire: false, message: 'Not found.' },
  REFERRAL_CODE_UNKNOWN: {
    status: 404,
    wire: false,
    message: 'No coupon has this referral code.',
  },
  METHOD_NOT_ALLOWED: { status: 405, wire: false, message: 'This path doesn’t support that method.' },
  PHONE_TAKEN: {
    status: 409,
    wire: true,
    message: 'An account with this phone number already exists. Sign in instead.',
  },
  NAME_TAKEN: { status: 409, wire: true, message: 'This name is already in use.' },
  REFERRAL_CODE_USED: { status: 409, wire: true, message: 'This referral code has already been used.' },
  REFERRAL_CODE_VOID: { status: 409, wire: true, message: 'This referral code was voided.' },
  REFERRAL_CODE_EXPIRED: { status: 409, wire: true, message: 'This referral code has expired.' },
  REFERRAL_CODE_NOT_YET: { status: 409, wire: true, message: 'This referral code isn’t valid yet.' },
  INVALID_TRANSITION: {
    status: 409,
    wire: true,
    message: 'The record can’t change from its current state to this one.',
  },
  ALREADY_PAID: { status: 409, wire: true, message: 'This has already been paid.' },
  NOTHING_DUE: { status: 409, wire: true, message: 'This was withdrawn: nothing is due.' },
  NO_CARD_LEFT: { status: 409, wire: true, message: 'No gift card of this amount is left.' },
  NO_CONTACT: { status: 409, wire: true, message: 'This person can’t be texted.' },
  DAY_CLOSED: {
    status: 409,
    wire: true,
    message: 'This day is already closed for this site. Reopen it first.',
  },
  NO_ROUND: { status: 409, wire: true, message: 'No round is open. A super admin has to open one first.' },
  ROUND_CLOSED: {
    status: 409,
    wire: true,
    message: 'This interview’s round is closed. Only a reviewer can change it.',
  },
  SEED_IN_USE: {
    status: 409,
    wire: true,
    message: 'This seed has a survey and can’t be deleted.',
  },
  REVIEW_CLOSED: {
    status: 409,
    wire: true,
    message: 'This interview was rejected. Only a reviewer can change its answers.',
  },
  EDIT_CONFLICT: {
    status: 409,
    wire: true,
    message: 'Someone else changed this record in the meantime. Fetch it again, then repeat your change.',
  },
  SAMPLE_BROKEN: {
    status: 409,
    wire: true,
    message: 'The sample has errors. Correct these interviews first.',
  },
  LAST_SUPER_ADMIN: {
    status: 409,
    wire: true,
    message: 'This is the last approved super admin. Add another one first.',
  },
  TOO_MANY_RESERVED: {
    status: 409,
    wire: true,
    message: 'You have too many unused referral codes. Hand them out first.',
  },
  PRECONDITION_FAILED: { status: 412, wire: false, message: 'The file has changed.' },
  TOO_LARGE: { status: 413, wire: true, message: 'This is too large.' },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, wire: true, message: 'Send the body as application/json in UTF-8.' },
  RANGE_NOT_SATISFIABLE: {
    status: 416,
    wire: false,
    message: 'The requested range is beyond the end of the file.',
  },
  RATE_LIMITED: { status: 429, wire: true, message: 'Too many requests. Wait a little and try again.' },
  INTERNAL: { status: 500, wire: false, message: 'Something went wrong on our side.' },
  UNAVAILABLE: {
    status: 503,
    wire: true,
    message: 'A service we depend on isn’t available. Try again in a moment.',
  },
} as const;

export type ProblemName = keyof typeof PROBLEMS;

export class Problem extends Error {
  override readonly name: ProblemName;
  readonly errors: FieldError[] | undefined;
  readonly why: CodedError | undefined;
  /** Lists in `params`, for programs. */
  readonly lists: Readonly<Record<string, readonly object[]>> | undefined;
  /** Parts of the service, each with whether it works. */
  readonly parts: Record<string, boolean> | undefined;
  readonly headers: Record<string, string>;

  constructor(
    name: ProblemName,
    options: {
      /** A more specific reason, sent as `reason` with a code; its message replaces the table's. */
      why?: CodedError;
      lists?: Readonly<Record<string, readonly object[]>>;
      /** Replaces the table's message; only for operators and programs, because it is not translated. */
      message?: string;
      errors?: FieldError[];
      parts?: Record<string, boolean>;
      headers?: Record<string, string>;
      cause?: unknown;
    } = {},
  ) {
    super(options.why?.message ?? options.message ?? PROBLEMS[name].message, { cause: options.cause });
    this.name = name;
    this.errors = options.errors;
    this.why = options.why;
    this.lists = options.lists;
    this.parts = options.parts;
    this.headers = options.headers ?? {};
  }

  /** Values for the client's translated message. */
  get params(): FaultTextParameters | undefined {
    const seconds = this.headers['Retry-After'];
    if (seconds === undefined) return this.why?.params;
    return { ...this.why?.params, seconds: Number(seconds) };
  }

  get status(): number {
    return PROBLEMS[this.name].status;
  }
}

export function problem(name: ProblemName, options?: ConstructorParameters<typeof Problem>[1]): Problem {
  return new Problem(name, options);
}

/** 400 for query parameters, naming each of them. */
export function queryParameterProblem(...errors: FieldError[]): Problem {
  const filter = [...new Set(errors.map(({ path }) => path.split('.')[0]))].join(', ');
  return new Problem('INVALID_QUERY', {
    errors,
    ...(filter !== '' && { why: fault('FILTER_INVALID', { filter }) }),
  });
}

/** 400 for one field of the body. */
export function invalidFieldProblem<Code extends keyof typeof FAULTS>(
  ...error: Parameters<typeof fieldError<Code>>
): Problem {
  return new Problem('VALIDATION_ERROR', { errors: [fieldError(...error)] });
}
