/** What zod found, as a fault with its code, in words for whoever reads the reply. A message of a schema's own goes first. */
import type { z } from 'zod';
import { FAULTS, type Fault, type FaultCode, fault, otherFault } from './faults.ts';

type Issue = z.core.$ZodRawIssue;

const KINDS: Record<string, Fault> = {
  string: fault('NOT_TEXT'),
  number: fault('NOT_NUMBER'),
  int: fault('NOT_WHOLE'),
  boolean: fault('NOT_BOOLEAN'),
  array: fault('NOT_LIST'),
  object: fault('NOT_OBJECT'),
  record: fault('NOT_OBJECT'),
};

/** Given to `safeParse` as its `error`. */
export function plainWords(issue: Issue): string {
  if (issue.input === undefined) return issue.path?.length ? FAULTS.MISSING : FAULTS.BODY_MISSING;
  if (issue.code === 'invalid_key') return issue.issues[0]?.message ?? FAULTS.ODD;
  return foundBy(issue).message;
}

function foundBy(issue: Issue | z.core.$ZodIssue): Fault {
  switch (issue.code) {
    case 'invalid_type':
      return KINDS[issue.expected] ?? fault('OTHER_KIND');
    case 'invalid_value': {
      const values = issue.values.join(', ');
      return issue.values.length > 1 ? fault('NOT_ONE_OF', { values }) : fault('NOT_THIS', { values });
    }
    case 'too_small':
      return sized(issue.origin, Number(issue.minimum), ['TOO_SHORT', 'TOO_FEW', 'TOO_SMALL']);
    case 'too_big':
      return sized(issue.origin, Number(issue.maximum), ['TOO_LONG', 'TOO_MANY', 'TOO_BIG']);
    default:
      return fault('ODD');
  }
}

type Sized = [ofText: 'TOO_SHORT' | 'TOO_LONG', ofList: 'TOO_FEW' | 'TOO_MANY', 'TOO_SMALL' | 'TOO_BIG'];

function sized(origin: string, size: number, [ofText, ofList, ofNumber]: Sized): Fault {
  if (origin === 'string') return fault(ofText, { count: size });
  if (origin === 'array') return fault(ofList, { count: size });
  return fault(ofNumber, { limit: size });
}

const FIXED = new Map<string, FaultCode>(
  Object.entries(FAULTS).flatMap(([code, words]) =>
    typeof words === 'string' ? [[words, code as FaultCode]] : [],
  ),
);

/** The fault that an issue's words say; a code never stands beside words that are not its own. */
export function faultOf(issue: z.core.$ZodIssue): Fault {
  const { message } = issue;
  const code = FIXED.get(message);
  if (code) return { code, message };
  const made = [foundBy(issue)];
  if (issue.code === 'too_big') made.push(fault('AT_MOST', { count: Number(issue.maximum) }));
  return made.find((one) => one.message === message) ?? otherFault(message);
}
