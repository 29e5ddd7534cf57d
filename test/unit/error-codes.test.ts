/** Error codes: each has its own message, fills its placeholders, and is found from a schema's message. */
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { InstantInput, textSchema } from '../../src/platform/http/field-schemas.ts';
import { FAULTS, fault } from '../../src/platform/http/problems/error-codes.ts';
import { problem } from '../../src/platform/http/problems/problem.ts';
import { faultOfZodIssue, zodMessage } from '../../src/platform/http/problems/zod-messages.ts';

test('no two error codes have the same message', () => {
  const all = Object.values(FAULTS).map(String);
  expect(all.filter((words, at) => all.indexOf(words) < at)).toEqual([]);
});

test('texts spell "cannot" as one word', () => {
  const texts = readdirSync('locales/en').map((file) => readFileSync(`locales/en/${file}`, 'utf8'));
  expect([...texts, JSON.stringify(FAULTS)].join('\n')).not.toMatch(/can not/i);
});

test.each([
  [fault('MISSING'), 'This is missing.', undefined],
  [fault('TOO_LONG', { count: 1 }), 'This must have at most 1 character.', { count: 1 }],
  [fault('TOO_LONG', { count: 2 }), 'This must have at most 2 characters.', { count: 2 }],
  [
    fault('NOT_EITHER', { first: 'yes', second: 'no' }),
    'This must be yes or no.',
    { first: 'yes', second: 'no' },
  ],
])('an error’s placeholders are filled and its params included: %j', (error, message, params) => {
  expect([error.message, error.params]).toEqual([message, params]);
});

const issueCodes = (schema: z.ZodType, value?: unknown) => {
  const { error } = z.object({ a: schema }).safeParse({ a: value }, { error: zodMessage });
  return error?.issues.map(faultOfZodIssue).map(({ code, params }) => [code, params]);
};

test.each([
  ['a missing field', z.string(), undefined, [['MISSING', undefined]]],
  ['another type', z.int(), 1.5, [['NOT_WHOLE', undefined]]],
  ['an unknown choice', z.enum(['A', 'B']), 'C', [['NOT_ONE_OF', { values: 'A, B' }]]],
  ['an array that is too long', z.array(z.int()).max(1), [1, 2], [['TOO_MANY', { count: 1 }]]],
  ['a number that is too small', z.number().min(-90), -91, [['TOO_SMALL', { limit: -90 }]]],
  ['a schema’s own message', InstantInput, 'x', [['NOT_INSTANT', undefined]]],
  ['a schema’s own message with a number', textSchema(0, 3), 'four', [['AT_MOST', { count: 3 }]]],
  ['a message without a code', z.string().regex(/^x$/, 'an x'), 'y', [['OTHER', undefined]]],
])('a zod issue is mapped to a code: %s', (_, schema, value, codes) => {
  expect(issueCodes(schema, value)).toEqual(codes);
});

test('a problem can have a more specific message and the seconds to wait', () => {
  const refusal = problem('RATE_LIMITED', {
    why: fault('PRINTING_ALREADY'),
    headers: { 'Retry-After': '10' },
  });
  expect([refusal.message, refusal.params]).toEqual([FAULTS.PRINTING_ALREADY, { seconds: 10 }]);
});
