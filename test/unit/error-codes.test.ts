/** What can be wrong, by code: each has its own words, fills its places, and is found again from a schema's words. */
import { readdirSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { FAULTS, fault } from '../../src/http/error-codes.ts';
import { InstantInput, text } from '../../src/http/field-schemas.ts';
import { problem } from '../../src/http/problem.ts';
import { issueFault, zodMessage } from '../../src/http/zod-messages.ts';

test('no two codes say the same, so that the words of a schema lead to one code', () => {
  const all = Object.values(FAULTS).map(String);
  expect(all.filter((words, at) => all.indexOf(words) < at)).toEqual([]);
});

test('what people read writes "cannot" in one word', () => {
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
])('its places are filled, and what fills them goes along: %j', (made, message, params) => {
  expect([made.message, made.params]).toEqual([message, params]);
});

const found = (schema: z.ZodType, value?: unknown) => {
  const { error } = z.object({ a: schema }).safeParse({ a: value }, { error: zodMessage });
  return error?.issues.map(issueFault).map(({ code, params }) => [code, params]);
};

test.each([
  ['a missing field', z.string(), undefined, [['MISSING', undefined]]],
  ['another kind', z.int(), 1.5, [['NOT_WHOLE', undefined]]],
  ['another choice', z.enum(['A', 'B']), 'C', [['NOT_ONE_OF', { values: 'A, B' }]]],
  ['a list that is too long', z.array(z.int()).max(1), [1, 2], [['TOO_MANY', { count: 1 }]]],
  ['a number that is too small', z.number().min(-90), -91, [['TOO_SMALL', { limit: -90 }]]],
  ["a schema's own words", InstantInput, 'x', [['NOT_INSTANT', undefined]]],
  ["a schema's own words with a number in them", text(0, 3), 'four', [['AT_MOST', { count: 3 }]]],
  ['words that have no code', z.string().regex(/^x$/, 'an x'), 'y', [['OTHER', undefined]]],
])('what zod finds has a code: %s', (_, schema, value, codes) => {
  expect(found(schema, value)).toEqual(codes);
});

test('a refusal says why more narrowly than its name, and how many seconds to wait', () => {
  const refusal = problem('RATE_LIMITED', {
    why: fault('PRINTING_ALREADY'),
    headers: { 'Retry-After': '10' },
  });
  expect([refusal.message, refusal.params]).toEqual([FAULTS.PRINTING_ALREADY, { seconds: 10 }]);
});
