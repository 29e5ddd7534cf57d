/** Lists are written from the bytes of the stored records: as declaredFieldsSerializer would have it of the records as objects. */
import mongoose from 'mongoose';
import { z } from 'zod';
import { ListedSurvey } from '../../src/interviews/surveys/schema.ts';
import {
  type RecordReplySerializer,
  serializerForSchema,
} from '../../src/platform/http/lists/stored-fields.ts';
import { decodeWholeRecord, NeedsMongoDriver } from '../../src/platform/lib/bson/elements.ts';
import { JsonBuffer } from '../../src/platform/lib/bson/json-bytes.ts';
import { EXAMPLE_RESPONSES } from '../example-responses.ts';
import fc from '../fast-check.ts';
import { surveyRecord } from '../make.ts';

const { BSON } = mongoose.mongo;
const { ObjectId } = mongoose.Types;
const bytesOf = (record: object) => Buffer.from(BSON.serialize(record, { ignoreUndefined: true }));

const compiled = new Map<z.ZodType, RecordReplySerializer>();
function fieldsOf(schema: z.ZodType): RecordReplySerializer {
  const fields = compiled.get(schema) ?? serializerForSchema(schema);
  compiled.set(schema, fields);
  return fields;
}

/** Null where the record must be read as an object. */
function written(schema: z.ZodType, bytes: Buffer): string | null {
  const out = new JsonBuffer();
  try {
    fieldsOf(schema).write(out, bytes);
  } catch (error) {
    if (error instanceof NeedsMongoDriver) return null;
    throw error;
  }
  return out.bytes.toString();
}

const expected = (schema: z.ZodType, bytes: Buffer) =>
  JSON.stringify(fieldsOf(schema).serialize(decodeWholeRecord(bytes)));

const Shape = z.object({
  id: z.string(),
  name: z.string().nullable(),
  amount: z.number().optional(),
  state: z.string().default('NEW'),
  anything: z.unknown(),
  'with "quotes"\n': z.unknown(),
  place: z.object({ id: z.string(), latitude: z.number(), notes: z.array(z.string()).nullable() }).nullable(),
  parts: z.array(z.object({ size: z.number().nullable(), tags: z.record(z.string(), z.unknown()) })),
});

const text = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }).map((one) => one.toWellFormed()),
);
const number = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger());
const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes));
const date = fc.date({ noInvalidDate: true });
const leaf = fc.oneof(text, number, fc.boolean(), fc.constant(null), id, date, number.map(asLong));
const name = fc
  .oneof(fc.string({ minLength: 1 }), fc.constantFrom('id', '_id', 'ключ', 'a"b', 'toJSON'))
  .map((one) => one.toWellFormed().replaceAll(/^[\d$]|\0/g, 'x'));
const { value: anything } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(name, tie('value'), { maxKeys: 4 }),
  ),
}));
const maybe = <T>(one: fc.Arbitrary<T>) => fc.oneof(one, fc.constant(undefined));
const record = fc.record({
  _id: id,
  id: maybe(text),
  secret: anything,
  name: maybe(fc.oneof(text, fc.constant(null))),
  amount: maybe(number),
  state: maybe(text),
  anything: maybe(anything),
  'with "quotes"\n': maybe(text),
  place: maybe(
    fc.oneof(fc.constant(null), fc.record({ _id: maybe(id), latitude: number, hidden: anything })),
  ),
  parts: fc.array(fc.record({ size: maybe(number), tags: fc.dictionary(name, anything), hidden: leaf })),
});

/** Stored as a whole number of 64 bits. */
function asLong(value: number): unknown {
  return Number.isSafeInteger(value) ? BSON.Long.fromNumber(value) : value;
}

test('a record has the same JSON from its bytes as from its object, or is read as an object', () => {
  let unusual = 0;
  let count = 0;
  fc.assert(
    fc.property(record, (one) => {
      const bytes = bytesOf(one);
      const actual = written(Shape, bytes);
      count += 1;
      if (actual === null) unusual += 1;
      else expect(actual).toBe(expected(Shape, bytes));
    }),
    { numRuns: 1_000 },
  );
  expect(unusual).toBeLessThan(0.2 * count);
});

test('an interview is written from its bytes, with its answers and without what is not declared', () => {
  const responses = {
    ...EXAMPLE_RESPONSES,
    remark: 'Zoë said "no"\n\u2028😀',
    other: { value: [1.5, -0, 1e21] },
  };
  const bytes = bytesOf(surveyRecord({ responses, requestHash: 'secret' } as never, new Date()));
  const actual = written(ListedSurvey, bytes);
  expect(actual).toBe(expected(ListedSurvey, bytes));
  expect(actual).not.toContain('secret');
});

test('values that only the driver reads are left to it', () => {
  const unusual = [
    { binary: Buffer.from('x') },
    { decimal: BSON.Decimal128.fromString('1.5') },
    { large: BSON.Long.MAX_VALUE },
    { pattern: /x/ },
    { numbered: { 1: 'a' } },
    { reference: { $ref: 'a' } },
  ];
  for (const anything of unusual) expect(written(Shape, bytesOf({ anything, parts: [] }))).toBeNull();
});
