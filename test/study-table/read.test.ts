/** Interviews are read from their bytes into the same rows as from the objects that the driver reads. */
import mongoose from 'mongoose';
import {
  isCompletedParticipation,
  isRefusalOrIneligible,
  isSurveyInSample,
} from '../../src/interviews/surveys/counted-interviews.ts';
import * as bits from '../../src/statistics/study-table/interviews.ts';
import { StudyTable } from '../../src/statistics/study-table/table.ts';
import type { QuestionnaireVersion } from '../../src/statistics/study-table/versions.ts';
import fc from '../fast-check.ts';

const { BSON } = mongoose.mongo;
const { ObjectId, Long, Double, Int32 } = BSON;
const LONG_TEXT = 'ä'.repeat(100);

const version = (askedKeys: string[], counted: string[]) =>
  ({
    id: new ObjectId().toHexString(),
    askedKeys,
    countables: new Map(counted.map((key) => [key, {}])),
  }) as unknown as QuestionnaireVersion;
const VERSIONS = [
  version(['colour', 'älter', 'size'], ['colour', 'älter', 'tags', 'homelessMonths']),
  version(['colour'], ['size', 'colour']),
];
const COUNTED_KEYS = [...new Set(VERSIONS.flatMap(({ countables }) => [...countables.keys()]))];

const id = fc.uint8Array({ minLength: 12, maxLength: 12 }).map((bytes) => new ObjectId(bytes));
const fewIds = Array.from({ length: 3 }, () => new ObjectId());
const someId = fc.constantFrom(...fewIds);
const date = fc.date({ noInvalidDate: true });
/** As the driver or an older version may have stored it. */
const number = fc.oneof(
  fc.integer({ min: 0, max: 500 }).map((one) => new Int32(one)),
  fc.integer({ min: -500, max: 500 }).map((one) => new Double(one)),
  fc.double({ min: 0, max: 90 }).map((one) => new Double(one)),
  fc.integer({ min: 0, max: 500 }).map((one) => Long.fromNumber(one)),
);
const degrees = fc.oneof(
  fc.integer({ min: -180, max: 180 }).map((one) => new Int32(one)),
  fc.integer({ min: -180, max: 180 }).map((one) => Long.fromNumber(one)),
  fc.double({ min: -180, max: 180, noNaN: true }).map((one) => new Double(one)),
);
const text = fc.oneof(
  fc.constantFrom('red', 'grün', '紫', '6-11', '6to11', '', LONG_TEXT),
  fc.string({ unit: 'grapheme' }).map((one) => one.toWellFormed()),
);
const answer = fc.oneof(
  text,
  number,
  fc.boolean(),
  date,
  fc.array(text, { maxLength: 4 }),
  fc.record({ value: text, comment: text }),
  fc.constant(null),
);
const maybe = <T>(one: fc.Arbitrary<T>) => fc.oneof({ weight: 3, arbitrary: one }, fc.constant(undefined));
const orNone = <T>(one: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: one }, fc.constant(null), fc.constant(undefined));
const flag = fc.record({
  code: fc.constantFrom('REFERRAL_CODE_USED', 'CLOCK_ODD', 'NO_ROUND', 'IMPORTED'),
  referralCode: fc.oneof(text, fc.constant(null)),
  at: date,
  by: maybe(someId),
});
const record = fc.record({
  // Fields that the table doesn't read, in any place.
  schlüssel: maybe(fc.oneof(answer, fc.constant(/x/), fc.constant(Buffer.from('x')))),
  _id: id,
  recruiter: orNone(someId),
  seed: orNone(someId),
  wave: orNone(number),
  issuedCodes: orNone(fc.array(text, { maxLength: 12 })),
  questionnaire: fc.constantFrom(...VERSIONS.map((one) => new ObjectId(one.id))),
  responses: orNone(
    fc.oneof(
      fc.record({
        älter: maybe(answer),
        size: maybe(answer),
        other: maybe(answer),
        tags: maybe(answer),
        colour: maybe(answer),
        homelessMonths: maybe(answer),
      }),
      fc.dictionary(fc.constantFrom('colour', 'Colour', 'tags', 'size', 'sizes', 'siz'), answer),
      fc.array(text, { maxLength: 2 }),
    ),
  ),
  networkSize: orNone(fc.oneof(number, fc.integer({ min: 0, max: 99 }).map(String))),
  status: fc.constantFrom('COMPLETED', 'IN_PROGRESS'),
  takesPart: orNone(fc.boolean()),
  flags: fc.oneof(fc.constant([]), fc.array(flag, { maxLength: 12 })),
  repeat: orNone(fc.record({ strength: fc.constantFrom('STRONG', 'WEAK'), at: date, other: someId })),
  review: orNone(
    fc.record({
      state: orNone(fc.constantFrom('RECEIVED', 'APPROVED', 'HAS_ISSUES', 'REJECTED')),
      by: orNone(someId),
    }),
  ),
  coordinates: orNone(
    fc.record({
      latitude: degrees,
      longitude: orNone(degrees),
      accuracy: orNone(number),
      altitude: maybe(number),
    }),
  ),
  location: someId,
  round: orNone(someId),
  createdBy: someId,
  startedAt: date,
  completedAt: orNone(date),
  heldAt: date,
  createdAt: date,
  deletedAt: orNone(date),
  erasedAt: orNone(date),
});

// biome-ignore lint/suspicious/noExplicitAny: a record of an older version may have any values.
type Stored = any;

/** The state as it follows from the object. */
function stateOf({ status, deletedAt, erasedAt, ...one }: Stored): number {
  const survey = { ...one, status, takesPart: one.takesPart ?? undefined };
  const isCompleted = status === 'COMPLETED';
  const review = one.review?.state ?? 'RECEIVED';
  const state = bits.STORED_BIT | (isCompleted ? bits.COMPLETED_BIT : 0);
  if (deletedAt) return state | bits.DELETED_BIT;
  let more = 0;
  if (isCompletedParticipation(survey)) more |= bits.COUNTED_BIT;
  if (isRefusalOrIneligible(survey)) more |= bits.NOT_TAKING_PART_BIT;
  if (isSurveyInSample(survey)) more |= bits.IN_SAMPLE_BIT;
  if (one.flags.length > 0) more |= bits.FLAGGED_BIT;
  if (erasedAt) more |= bits.ERASED_BIT;
  if (review === 'REJECTED') more |= bits.REJECTED_BIT;
  if (review === 'HAS_ISSUES') more |= bits.HAS_ISSUES_BIT;
  if (review === 'RECEIVED' && isCompleted) more |= bits.TO_REVIEW_BIT;
  return state | more;
}

function answerOf(key: string, value: unknown): unknown {
  if (value instanceof Date || typeof value !== 'object' || value === null)
    return key === 'homelessMonths' && value === '6-11' ? '6to11' : (value ?? undefined);
  return 'value' in value ? { value: value.value } : value;
}

/** As a column of integers has it: 0 for NaN and for -0. */
const integer = (value: number, round = Math.trunc) => round(value) || 0;

function rowOfObject(one: Stored): object {
  const isKept = !one.deletedAt;
  const flagged = (code: string) =>
    isKept ? one.flags.find((flag: Stored) => flag.code === code) : undefined;
  const [twice, odd] = [flagged('REFERRAL_CODE_USED'), flagged('CLOCK_ODD')];
  const answers = one.responses && !Array.isArray(one.responses) ? one.responses : {};
  const point = one.coordinates;
  const { askedKeys, countables } = VERSIONS.find(
    ({ id }) => id === String(one.questionnaire),
  ) as QuestionnaireVersion;
  const asked = one.erasedAt ? [] : askedKeys;
  const rounded = (value: unknown) => integer(Number(value ?? 0) * 1e7, Math.round) / 1e7;
  return {
    state: stateOf(one),
    recruiter: one.recruiter?.toHexString() ?? null,
    seed: one.seed?.toHexString() ?? null,
    wave: integer(one.wave ?? -1),
    site: one.location.toHexString(),
    round: one.round?.toHexString() ?? '',
    interviewer: one.createdBy.toHexString(),
    version: one.questionnaire.toHexString(),
    times: [one.heldAt, one.startedAt, one.completedAt, one.createdAt].map(
      (at) => at?.getTime() ?? Number.NaN,
    ),
    networkSize: Number(one.networkSize ?? Number.NaN),
    issued: one.issuedCodes?.length ?? 0,
    asked: asked.length,
    skipped: asked.filter((key) => (answers[key] ?? null) === null).length,
    position: point
      ? {
          latitude: rounded(point.latitude),
          longitude: rounded(point.longitude),
          accuracy: Math.fround(point.accuracy ?? 0),
        }
      : null,
    presentedTwice: twice && { referralCode: twice.referralCode, at: twice.at },
    clockOdd: odd?.at,
    repeat: isKept && one.repeat ? { strength: one.repeat.strength, at: one.repeat.at } : undefined,
    answers: COUNTED_KEYS.map((key) => (countables.has(key) ? answerOf(key, answers[key]) : undefined)),
  };
}

function rowOf({ interviews, seeds }: StudyTable, row: number): object {
  const { heldAt, startedAt, completedAt, createdAt } = interviews;
  const hex = (ids: typeof seeds.ids, at: number) => (at < 0 ? null : ids.hex(at));
  return {
    state: interviews.state[row],
    recruiter: hex(interviews.ids, interviews.recruiter[row]!),
    seed: hex(seeds.ids, interviews.seed[row]!),
    wave: interviews.wave[row],
    site: interviews.site.valueOf(row),
    round: interviews.round.valueOf(row),
    interviewer: interviews.interviewer.valueOf(row),
    version: interviews.version.valueOf(row),
    times: [heldAt, startedAt, completedAt, createdAt].map((column) => column[row]),
    networkSize: interviews.networkSize[row],
    issued: interviews.issued[row],
    asked: interviews.askedCounts[row],
    skipped: interviews.skipped[row],
    position: interviews.positionOf(row),
    presentedTwice: interviews.presentedTwice.get(row),
    clockOdd: interviews.clockOdd.get(row),
    repeat: interviews.repeats.get(row),
    answers: COUNTED_KEYS.map((key) => interviews.answers.get(key)?.valueOf(row)),
  };
}

function emptyTable(): StudyTable {
  const table = new StudyTable({ interviews: 0, coupons: 0, seeds: 0 });
  for (const one of VERSIONS) table.versions.add(one);
  return table;
}

/** The record after other bytes, as in a batch. */
function put(table: StudyTable, one: object): Stored {
  const bytes = BSON.serialize(one, { ignoreUndefined: true });
  expect(
    table.interviews.put(Buffer.concat([Buffer.alloc(7, 1), bytes, Buffer.alloc(5, 1)]), 7),
  ).toBeUndefined();
  return BSON.deserialize(bytes);
}

test('an interview has the same row from its bytes as from its object', () => {
  const table = emptyTable();
  fc.assert(
    fc.property(record, (one) => {
      const object = put(table, one);
      const row = table.interviews.ids.find(object._id);
      expect(rowOf(table, row)).toEqual(rowOfObject(object));
    }),
    { numRuns: 2_000 },
  );
  expect(table.interviews.size).toBeGreaterThan(1_900);
});

test('an interview that changed has the row of its current state', () => {
  const table = emptyTable();
  fc.assert(
    fc.property(record, record, (before, after) => {
      put(table, before);
      const object = put(table, { ...after, _id: before._id });
      expect(rowOf(table, table.interviews.ids.find(object._id))).toEqual(rowOfObject(object));
    }),
    { numRuns: 500 },
  );
});

test('a record without a required field, or with another type there, is refused by the name of the field', () => {
  const complete = fc.sample(record, 1)[0] as Stored;
  for (const field of [
    '_id',
    'location',
    'createdBy',
    'questionnaire',
    'heldAt',
    'startedAt',
    'createdAt',
    'flags',
  ])
    for (const value of [undefined, null, 'text'])
      expect(() => put(emptyTable(), { ...complete, [field]: value })).toThrow(`"${field}"`);
  for (const field of ['recruiter', 'seed', 'round', 'completedAt'])
    expect(() => put(emptyTable(), { ...complete, [field]: 'text' })).toThrow(`"${field}"`);
});

test('a coupon has the same row from its bytes as from its object', () => {
  const table = emptyTable();
  const coupon = fc.record({
    _id: id,
    code: text,
    state: fc.constantFrom('RESERVED', 'LIVE', 'USED', 'VOID'),
    seed: orNone(someId),
    chain: orNone(someId),
    location: orNone(someId),
    handedOutAt: orNone(date),
    daysOut: orNone(number),
    expiresAt: orNone(date),
    round: orNone(someId),
  });
  fc.assert(
    fc.property(coupon, (one) => {
      const bytes = Buffer.from(BSON.serialize(one, { ignoreUndefined: true }));
      table.coupons.put(bytes, 0);
      const object: Stored = BSON.deserialize(bytes);
      const { coupons, seeds } = table;
      const row = coupons.ids.find(object._id);
      const chain = coupons.chain[row]!;
      expect({
        state: coupons.state[row],
        ofSeed: coupons.ofSeed[row],
        chain: chain < 0 ? null : seeds.ids.hex(chain),
        site: coupons.site.valueOf(row),
        round: coupons.round.valueOf(row),
        daysOut: coupons.daysOut[row],
        times: [coupons.handedOutAt[row], coupons.expiresAt[row]],
      }).toEqual({
        state: 1 + ['RESERVED', 'LIVE', 'USED', 'VOID'].indexOf(object.state),
        ofSeed: object.seed ? 1 : 0,
        chain: object.chain?.toHexString() ?? null,
        site: object.location?.toHexString() ?? '',
        round: object.round?.toHexString() ?? '',
        daysOut: integer(object.daysOut ?? -1),
        times: [object.handedOutAt, object.expiresAt].map((at) => at?.getTime() ?? Number.NaN),
      });
    }),
    { numRuns: 1_000 },
  );
});
