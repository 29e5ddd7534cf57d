/**
 * The log: a JSON object a line on standard output. No line holds what people told: of an error of the database or of
 * a reader of data only its name, its number and the place in the code are kept, because its words quote values.
 * A full disk under the log, or a reader that has gone, ends nothing: lines wait in a bounded buffer, then are dropped.
 */
import { type Logger, pino } from 'pino';

/** Where work says how far it is: the service's log, or a command's standard error. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
}

/** About a megabyte waits for room; what comes beyond it is dropped. */
const BUFFER_BYTES = 1024 * 1024;

export interface Output {
  log: Logger;
  /** What a person waits for, whatever LOG_LEVEL says: plain words in a terminal, a line of JSON elsewhere. */
  notices: Log & { error(text: string): void };
  /** As it is, set apart from the lines of the log by blank ones. */
  print(line: string): void;
}

export function openOutput(level: string, terminal = process.stdout.isTTY === true): Output {
  const out = pino.destination({ fd: 1, sync: true, maxLength: BUFFER_BYTES });
  out.on('error', () => {}); // Tried again with the next line.
  const say = (number: number) => (text: string) =>
    void out.write(`${terminal ? text : jsonLine(number, text)}\n`);
  const redact = ['req.headers.authorization', 'req.headers.cookie'];
  return {
    log: pino({ level, redact, serializers: { err: plainError } }, out),
    notices: { info: say(30), warn: say(40), error: say(50) },
    print: (line) => void out.write(`\n${line}\n`),
  };
}

export function jsonLine(level: number, msg: string): string {
  return JSON.stringify({ level, time: Date.now(), msg });
}

/** Names of errors whose words quote what was stored or sent. */
const QUOTING = /^(Mongo|BSON|Cast|Validat|Strict|Syntax|Zod|Document|Version|ObjectParameter)/;
/** Beyond this the cause of a cause tells nothing new. */
const DEPTH = 3;

export interface PlainError {
  type: string;
  message?: string;
  code?: number | string;
  codeName?: string;
  at?: string[];
  cause?: PlainError;
}

/** Fields are chosen, never copied: drivers hang whole commands and records on their errors. */
export function plainError(error: unknown, depth = DEPTH): PlainError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '', cause } = error;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const quotes = QUOTING.test(name) || QUOTING.test(error.constructor.name);
  return {
    type: name,
    ...(quotes ? {} : { message }),
    ...(typeof code === 'number' || (typeof code === 'string' && /^\w{1,40}$/.test(code)) ? { code } : {}),
    ...(typeof codeName === 'string' ? { codeName } : {}),
    at: stack.split('\n').flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []),
    ...(cause instanceof Error && depth > 1 ? { cause: plainError(cause, depth - 1) } : {}),
  };
}
