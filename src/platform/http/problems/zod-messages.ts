/** Translates zod's issues to our error codes and messages. A schema's own message takes precedence. */
import type { z } from 'zod';
import { type CodedError, FAULTS, type FaultCode, fault, faultWithMessage } from './error-codes.ts';

type Issue = z.core.$ZodRawIssue;

const TYPE_ERRORS: Record<string, CodedError> = {
  string: fault('NOT_TEXT'),
  number: fault('NOT_NUMBER'),
  int: fault('NOT_WHOLE'),
  boolean: fault('NOT_BOOLEAN'),
  array: fault('NOT_LIST'),
  object: fault('NOT_OBJECT'),
  record: fault('NOT_OBJECT'),
};

/** The `error` option of `safeParse`. */
export function zodMessage(issue: Issue): string {
  if (issue.input === undefined) return issue.path?.length ? FAULTS.MISSING : FAULTS.BODY_MISSING;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? FAULTS.ODD;
  return issueToFault(issue).message;
}

function issueToFault(issue: Issue | z.core.$ZodIssue): CodedError {
  switch (issue.code) {
    case 'invalid_type':
      return TYPE_ERRORS[issue.expected] ?? fault('OTHER_KIND');
    case 'invalid_value': {
      const values = issue.values.join(', ');
      return issue.values.length > 1 ? fault('NOT_ONE_OF', { values }) : fault('NOT_THIS', { values });
    }
    case 'too_small':
      return sizeFault(issue.origin, Number(issue.minimum), ['TOO_SHORT', 'TOO_FEW', 'TOO_SMALL']);
    case 'too_big':
      return sizeFault(issue.origin, Number(issue.maximum), ['TOO_LONG', 'TOO_MANY', 'TOO_BIG']);
    default:
      return fault('ODD');
  }
}

type SizeCodes = [ofText: 'TOO_SHORT' | 'TOO_LONG', ofList: 'TOO_FEW' | 'TOO_MANY', 'TOO_SMALL' | 'TOO_BIG'];

function sizeFault(origin: string, size: number, [ofText, ofList, ofNumber]: SizeCodes): CodedError {
  if (origin === 'string') return fault(ofText, { count: size });
  if (origin === 'array') return fault(ofList, { count: size });
  return fault(ofNumber, { limit: size });
}

const CODE_BY_MESSAGE = new Map<string, FaultCode>(
  Object.entries(FAULTS).flatMap(([code, words]) =>
    typeof words === 'string' ? [[words, code as FaultCode]] : [],
  ),
);

/** The code for an issue, found by its message, so that code and message always match. */
export function faultOfZodIssue(issue: z.core.$ZodIssue): CodedError {
  const { message } = issue;
  const code = CODE_BY_MESSAGE.get(message);
  if (code) return { code, message };
  const faults = [issueToFault(issue)];
  if (issue.code === 'too_big') faults.push(fault('AT_MOST', { count: Number(issue.maximum) }));
  return faults.find((one) => one.message === message) ?? faultWithMessage(message);
}
