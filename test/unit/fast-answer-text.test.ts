import { z } from 'zod';
import { zodMessage } from '../../src/http/zod-messages.ts';

const said = (schema: z.ZodType, input: unknown): string[] =>
  schema.safeParse(input, { error: zodMessage }).error?.issues.map((one) => one.message) ?? [];
const field = (schema: z.ZodType, value?: unknown) => said(z.object({ a: schema }), { a: value });

test.each([
  ['a text that is missing', z.string(), undefined, 'This is missing.'],
  ['a choice that is missing', z.enum(['A', 'B']), undefined, 'This is missing.'],
  ['a number for a text', z.string(), 1, 'This must be text.'],
  ['null for a text', z.string(), null, 'This must be text.'],
  ['a text for a number', z.number(), '1', 'This must be a number.'],
  ['a fraction for a whole number', z.int(), 1.5, 'This must be a whole number.'],
  ['a text for yes or no', z.boolean(), 'yes', 'This must be true or false.'],
  ['an object for a list', z.array(z.string()), {}, 'This must be a list.'],
  ['a list for an object', z.strictObject({}), [], 'This must be an object.'],
  ['a text for a map', z.record(z.string(), z.string()), 'x', 'This must be an object.'],
  ['another choice', z.enum(['A', 'B']), 'C', 'This must be one of A, B.'],
  ['another than the only value', z.literal(true), false, 'This must be true.'],
  ['a text that is too short', z.string().min(1), '', 'This must have at least 1 character.'],
  ['a text that is too long', z.string().max(2), 'abc', 'This must have at most 2 characters.'],
  ['a list that is too short', z.array(z.string()).min(1), [], 'This must have at least 1 entry.'],
  ['a list that is too long', z.array(z.string()).max(2), ['', '', ''], 'This must have at most 2 entries.'],
  ['a number that is too small', z.int().min(1), 0, 'This must be at least 1.'],
  ['a number that is too large', z.int().max(50), 51, 'This must be at most 50.'],
  ['a key in the wrong form', z.record(z.string().regex(/^x$/, 'an x'), z.string()), { y: '' }, 'an x'],
  ['neither of two forms', z.union([z.string(), z.int()]), {}, 'This has the wrong format.'],
])('%s is told of in plain words', (_, schema, value, words) => {
  expect(field(schema, value)).toEqual([words]);
});

test('a body that is missing is told of as such', () => {
  expect(said(z.object({}), undefined)).toEqual(['The body is missing.']);
});

test("a schema's own words go before these", () => {
  expect(field(z.string().min(1, 'say why'), '')).toEqual(['say why']);
});
