/** What zod found, in words for whoever reads the reply. A message that a schema gives itself goes before these. */
import type { z } from 'zod';

type Issue = z.core.$ZodRawIssue;

const KINDS: Record<string, string> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

const ODD = 'This does not have the right form.';

/** Given to `safeParse` as its `error`. */
export function plainWords(issue: Issue): string {
  if (issue.input === undefined) return issue.path?.length ? 'This is missing.' : 'The body is missing.';
  switch (issue.code) {
    case 'invalid_type':
      return `This must be ${KINDS[issue.expected] ?? 'something else'}.`;
    case 'invalid_value':
      return `This must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.join(', ')}.`;
    case 'too_small':
      return `This must ${sized(issue.origin, 'at least', issue.minimum)}.`;
    case 'too_big':
      return `This must ${sized(issue.origin, 'at most', issue.maximum)}.`;
    case 'invalid_key':
      return issue.issues[0]?.message ?? ODD;
    default:
      return ODD;
  }
}

function sized(origin: string, bound: string, size: number | bigint): string {
  const plural = Number(size) === 1 ? '' : 's';
  if (origin === 'string') return `have ${bound} ${size} character${plural}`;
  if (origin === 'array') return `have ${bound} ${size} ${plural ? 'entries' : 'entry'}`;
  return `be ${bound} ${size}`;
}
