/**
 * The log: one JSON object per line on standard output, without personal data. Messages of database and parser errors
 * can quote values, so only their name, code and stack are logged. If the disk is full or the reader is gone, lines
 * wait in a bounded buffer and are then dropped.
 */
import { type Logger, pino } from 'pino';

/** Where work reports its progress: the service's log, or a command's standard error. */
export interface Log {
  info(text: string): void;
  warn(text: string): void;
}

const BUFFER_BYTES = 1024 * 1024;

export interface LogOutput {
  log: Logger;
  /** Important messages, regardless of LOG_LEVEL: plain text in a terminal, JSON elsewhere. */
  notices: Log & { error(text: string): void };
  /** Prints a line unchanged, between blank lines. */
  print(line: string): void;
}

export function openLogOutput(level: string, terminal = process.stdout.isTTY === true): LogOutput {
  const out = pino.destination({ fd: 1, sync: true, maxLength: BUFFER_BYTES });
  out.on('error', () => {}); // Retried with the next line.
  const say = (number: number) => (text: string) =>
    void out.write(`${terminal ? text : jsonLogLine(number, text)}\n`);
  const redact = ['req.headers.authorization', 'req.headers.cookie'];
  return {
    log: pino({ level, redact, serializers: { err: plainError } }, out),
    notices: { info: say(30), warn: say(40), error: say(50) },
    print: (line) => void out.write(`\n${line}\n`),
  };
}

export function jsonLogLine(level: number, msg: string): string {
  return JSON.stringify({ level, time: Date.now(), msg });
}

/** Names of errors whose messages quote stored or sent data. */
const QUOTES_VALUES = /^(Mongo|BSON|Cast|Validat|Strict|Syntax|Zod|Document|Version|ObjectParameter)/;
const MAX_CAUSES = 3;

export interface PlainError {
  type: string;
  message?: string;
  code?: number | string;
  codeName?: string;
  at?: string[];
  cause?: PlainError;
}

/** Picks individual fields, because drivers attach whole commands and records to their errors. */
export function plainError(error: unknown, depth = MAX_CAUSES): PlainError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { name, message, stack = '', cause } = error;
  const { code, codeName } = error as { code?: unknown; codeName?: unknown };
  const quotes = QUOTES_VALUES.test(name) || QUOTES_VALUES.test(error.constructor.name);
  const refusal = refusedFields(error);
  return {
    type: name,
    ...(quotes ? {} : { message }),
    ...(refusal ? { message: refusal } : {}),
    ...(typeof code === 'number' || (typeof code === 'string' && /^\w{1,40}$/.test(code)) ? { code } : {}),
    ...(typeof codeName === 'string' ? { codeName } : {}),
    at: stack.split('\n').flatMap((line) => /^\s+at (.+)$/.exec(line)?.[1] ?? []),
    ...(cause instanceof Error && depth > 1 ? { cause: plainError(cause, depth - 1) } : {}),
  };
}

interface Refusal {
  title?: string;
  schemaRulesNotSatisfied?: {
    additionalProperties?: string[];
    missingProperties?: string[];
    propertiesNotSatisfied?: { propertyName: string }[];
  }[];
}

const DOCUMENT_VALIDATION_FAILURE = 121;

/** Which fields a validator (db/validators.ts) refused. MongoDB's own explanation quotes their values. */
function refusedFields(error: Error): string | null {
  const { code, errInfo, writeErrors } = error as {
    code?: unknown;
    errInfo?: { details?: Refusal };
    /** Of a bulk write. */
    writeErrors?: { errInfo?: { details?: Refusal } }[];
  };
  if (code !== DOCUMENT_VALIDATION_FAILURE) return null;
  const { title, schemaRulesNotSatisfied: rules = [] } =
    (errInfo ?? [writeErrors].flat()[0]?.errInfo)?.details ?? {};
  const list = (label: string, names: string[]) => (names.length > 0 ? [`${label} ${names.join(', ')}`] : []);
  return [
    `refused by the validator of ${title}`,
    ...list(
      'unknown',
      rules.flatMap((rule) => rule.additionalProperties ?? []),
    ),
    ...list(
      'missing',
      rules.flatMap((rule) => rule.missingProperties ?? []),
    ),
    ...list(
      'wrong',
      rules.flatMap((rule) => rule.propertiesNotSatisfied?.map((one) => one.propertyName) ?? []),
    ),
  ].join('; ');
}
