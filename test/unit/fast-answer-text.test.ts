import { z } from 'zod';
import { zodMessage } from '../../src/platform/http/problems/zod-messages.ts';

const messagesOf = (schema: z.ZodType, input: unknown): string[] =>
  schema.safeParse(input, { error: zodMessage }).error?.issues.map((one) => one.message) ?? [];
const field = (schema: z.ZodType, value?: unknown) => messagesOf(z.object({ a: schema }), { a: value });

test.each([
  ['a missing text', z.string(), undefined, 'This is missing.'],
  ['a missing choice', z.enum(['A', 'B']), undefined, 'This is missing.'],
  ['a number instead of text', z.string(), 1, 'This must be text.'],
  ['null instead of text', z.string(), null, 'This must be text.'],
  ['text instead of a number', z.number(), '1', 'This must be a number.'],
  ['a fraction instead of a whole number', z.int(), 1.5, 'This must be a whole number.'],
  ['text instead of a boolean', z.boolean(), 'yes', 'This must be true or false.'],
  ['an object instead of an array', z.array(z.string()), {}, 'This must be a list.'],
  ['an array instead of an object', z.strictObject({}), [], 'This must be an object.'],
  ['text instead of a map', z.record(z.string(), z.string()), 'x', 'This must be an object.'],
  ['an unknown choice', z.enum(['A', 'B']), 'C', 'This must be one of A, B.'],
  ['another than the only value', z.literal(true), false, 'This must be true.'],
  ['a text that is too short', z.string().min(1), '', 'This must have at least 1 character.'],
  ['a text that is too long', z.string().max(2), 'abc', 'This must have at most 2 characters.'],
  ['a list that is too short', z.array(z.string()).min(1), [], 'This must have at least 1 entry.'],
  [
    'an array that is too long',
    z.array(z.string()).max(2),
    ['', '', ''],
    'This must have at most 2 entries.',
  ],
  ['a number that is too small', z.int().min(1), 0, 'This must be at least 1.'],
  ['a number that is too large', z.int().max(50), 51, 'This must be at most 50.'],
  ['a key in the wrong form', z.record(z.string().regex(/^x$/, 'an x'), z.string()), { y: '' }, 'an x'],
  ['neither of two forms', z.union([z.string(), z.int()]), {}, 'This has the wrong format.'],
])('%s has a plain message', (_, schema, value, words) => {
  expect(field(schema, value)).toEqual([words]);
});

test('a missing body has its own message', () => {
  expect(messagesOf(z.object({}), undefined)).toEqual(['The body is missing.']);
});

test('a schema’s own message takes precedence', () => {
  expect(field(z.string().min(1, 'say why'), '')).toEqual(['say why']);
});
