/**
 * The interviews, one row each, including deleted ones because other interviews descend from them. A row without STORED
 * is a recruiter that was referred to before its own interview was read.
 */
import type { Types } from 'mongoose';
import {
  isCompletedParticipation,
  isRefusalOrIneligible,
  isSurveyInSample,
} from '../../interviews/surveys/counted-interviews.ts';
import type { FlagRecord, RepeatRecord } from '../../interviews/surveys/model.ts';
import {
  BSON_TYPE,
  BsonFieldNames,
  bsonElementsEnd,
  bsonValueSize,
  decodeValueAt,
  valueOffsetAfterName,
} from '../../platform/lib/bson/elements.ts';
import { RecordFieldReader } from '../../platform/lib/bson/record-fields.ts';
import { renamedAnswer } from '../../questionnaires/renamed-values.ts';
import { DictionaryColumn, grownCapacityFor, resizeColumns } from './columns.ts';
import { IdTable } from './ids.ts';
import { FIELD_NUMBERS, GPS_FIELD_NUMBERS, INTERVIEW_FIELD_NAMES, POINT_FIELDS } from './interview-fields.ts';
import type { SeedColumns } from './seeds.ts';
import { StoredValueDecoder } from './stored-values.ts';
import type { QuestionnaireVersion, QuestionnaireVersions } from './versions.ts';

/** Bits of `state`. From COUNTED on, they are never set for a deleted interview. */
export const STORED_BIT = 1;
export const DELETED_BIT = 2;
export const COMPLETED_BIT = 4;
export const COUNTED_BIT = 8;
export const NOT_TAKING_PART_BIT = 16;
export const IN_SAMPLE_BIT = 32;
export const FLAGGED_BIT = 64;
/** A reviewer rejected it. */
export const REJECTED_BIT = 128;
/** Completed, and nobody has reviewed it. */
export const TO_REVIEW_BIT = 256;
/** Sent back to the interviewer. */
export const HAS_ISSUES_BIT = 512;
/** Its answers were erased. */
export const ERASED_BIT = 1024;

/** Stored with a coupon that another interview had already redeemed; unresolved. */
export type PresentedTwice = Pick<FlagRecord, 'referralCode' | 'at'>;

/** Its identity answers match an earlier interview. */
export type RepeatParticipation = Pick<RepeatRecord, 'strength' | 'at'>;

/** `latitude` and `longitude` are stored as integers, in ten-millionths of a degree (about a centimeter). */
const DEGREE = 1e7;
/** Marks a missing position. */
const NOWHERE = -(2 ** 31);

/** How to read the answers to one version; indexed by key number. */
interface AnswersTo {
  names: BsonFieldNames;
  columns: (StoredValueDecoder<unknown> | null)[];
  isAsked: boolean[];
  askedCount: number;
}

/** The questionnaire version is not stored. */
const NO_VERSION: AnswersTo = { names: new BsonFieldNames([]), columns: [], isAsked: [], askedCount: 0 };
const REVIEW_STATE = 0;
const NO_FLAGS: readonly FlagRecord[] = [];
/** The size of a stored `[]`. */
const EMPTY_ARRAY_BYTES = 5;

export class InterviewColumnStore {
  readonly ids: IdTable;
  /** [rows], like all columns below. */
  state: Uint16Array;
  /** Interview rows; -1 if there is none. */
  recruiter: Int32Array;
  /** Seed rows; -1 if the chain is unknown. */
  seed: Int32Array;
  /** -1 if unknown. */
  wave: Int32Array;
  /** Ids of the location, the round, the user and the questionnaire. */
  readonly site: DictionaryColumn<string>;
  readonly round: DictionaryColumn<string>;
  readonly interviewer: DictionaryColumn<string>;
  readonly version: DictionaryColumn<string>;
  /** In milliseconds; NaN if there is none. */
  heldAt: Float64Array;
  startedAt: Float64Array;
  completedAt: Float64Array;
  createdAt: Float64Array;
  /** NaN if missing. */
  networkSize: Float64Array;
  /** Number of coupons handed out. */
  issued: Uint16Array;
  /** Number of questions that everyone who takes part is asked, and how many of them have no answer. */
  askedCounts: Uint16Array;
  skipped: Uint16Array;
  /** Where it was held; see `positionOf`. */
  latitude: Int32Array;
  longitude: Int32Array;
  /** Accuracy of the position, in meters. */
  accuracy: Float32Array;
  /** By row. */
  readonly presentedTwice = new Map<number, PresentedTwice>();
  /** By row, for interviews with the flag CLOCK_ODD: since when they have had it. */
  readonly clockOdd = new Map<number, Date>();
  /** By row. */
  readonly repeats = new Map<number, RepeatParticipation>();
  /** By question key; undefined if the row's version does not count the question or it has no answer. */
  readonly answers = new Map<string, DictionaryColumn<unknown>>();
  /** By the code of the version. */
  readonly #answersTo: AnswersTo[] = [];
  readonly #seeds: SeedColumns;
  readonly #versions: QuestionnaireVersions;
  readonly #fields = new RecordFieldReader(INTERVIEW_FIELD_NAMES);
  readonly #point = new RecordFieldReader(POINT_FIELDS);
  readonly #review = new RecordFieldReader(['state']);
  readonly #sites: StoredValueDecoder<string>;
  readonly #rounds: StoredValueDecoder<string>;
  readonly #interviewers: StoredValueDecoder<string>;
  readonly #versionIds: StoredValueDecoder<string>;

  constructor(expected: number, seeds: SeedColumns, versions: QuestionnaireVersions) {
    this.#seeds = seeds;
    this.#versions = versions;
    this.ids = new IdTable(expected);
    this.state = new Uint16Array(expected);
    this.recruiter = new Int32Array(expected);
    this.seed = new Int32Array(expected);
    this.wave = new Int32Array(expected);
    this.site = new DictionaryColumn(expected, '');
    this.round = new DictionaryColumn(expected, '');
    this.interviewer = new DictionaryColumn(expected, '');
    this.version = new DictionaryColumn(expected, '');
    this.#sites = new StoredValueDecoder(this.site, String);
    this.#rounds = new StoredValueDecoder(this.round, String);
    this.#interviewers = new StoredValueDecoder(this.interviewer, String);
    this.#versionIds = new StoredValueDecoder(this.version, String);
    this.heldAt = new Float64Array(expected);
    this.startedAt = new Float64Array(expected);
    this.completedAt = new Float64Array(expected);
    this.createdAt = new Float64Array(expected);
    this.networkSize = new Float64Array(expected);
    this.issued = new Uint16Array(expected);
    this.askedCounts = new Uint16Array(expected);
    this.skipped = new Uint16Array(expected);
    this.latitude = new Int32Array(expected);
    this.longitude = new Int32Array(expected);
    this.accuracy = new Float32Array(expected);
  }

  get size(): number {
    return this.ids.size;
  }

  /** Whether all of these bits are set. */
  is(row: number, bits: number): boolean {
    return (this.state[row]! & bits) === bits;
  }

  /** Stored and not deleted. */
  isPresent(row: number): boolean {
    return (this.state[row]! & (STORED_BIT | DELETED_BIT)) === STORED_BIT;
  }

  /**
   * Reads the record that begins at `from`. Returns a promise only if its questionnaire version must be read first, which
   * is stored before its interviews.
   */
  put(bytes: Buffer, from: number): Promise<void> | void {
    this.#fields.find(bytes, from);
    const id = this.#fields.requiredPlaceOf(FIELD_NUMBERS.questionnaire, BSON_TYPE.id);
    const version = this.#versionIds.codeOf(bytes, BSON_TYPE.id, id);
    const answersTo = this.#answersOf(version);
    if (answersTo) return this.#put(bytes, version, answersTo);
    return this.#versions.update().then(() => {
      this.#fields.find(bytes, from);
      this.#put(bytes, version, this.#answersOf(version) ?? NO_VERSION);
    });
  }

  #put(bytes: Buffer, version: number, answersTo: AnswersTo): void {
    const fields = this.#fields;
    const row = this.#rowFor(bytes, fields.requiredPlaceOf(FIELD_NUMBERS._id, BSON_TYPE.id));
    // Do this first, because it may resize all columns.
    const recruiter = fields.placeOf(FIELD_NUMBERS.recruiter, BSON_TYPE.id);
    const recruiterRow = recruiter > 0 ? this.#rowFor(bytes, recruiter) : -1;
    this.recruiter[row] = recruiterRow;
    const seed = fields.placeOf(FIELD_NUMBERS.seed, BSON_TYPE.id);
    this.seed[row] = seed > 0 ? this.#seeds.rowOf(bytes, seed) : -1;
    this.wave[row] = fields.number(bytes, FIELD_NUMBERS.wave, -1);
    this.#sites.set(row, bytes, BSON_TYPE.id, fields.requiredPlaceOf(FIELD_NUMBERS.location, BSON_TYPE.id));
    this.#rounds.setId(row, bytes, fields.placeOf(FIELD_NUMBERS.round, BSON_TYPE.id));
    this.#interviewers.set(
      row,
      bytes,
      BSON_TYPE.id,
      fields.requiredPlaceOf(FIELD_NUMBERS.createdBy, BSON_TYPE.id),
    );
    const isOther = this.version.codes[row] !== 0 && this.version.codes[row] !== version;
    this.version.codes[row] = version;
    this.heldAt[row] = fields.requiredTime(bytes, FIELD_NUMBERS.heldAt);
    this.startedAt[row] = fields.requiredTime(bytes, FIELD_NUMBERS.startedAt);
    this.completedAt[row] = fields.time(bytes, FIELD_NUMBERS.completedAt);
    this.createdAt[row] = fields.requiredTime(bytes, FIELD_NUMBERS.createdAt);
    this.networkSize[row] = fields.number(bytes, FIELD_NUMBERS.networkSize);
    this.issued[row] = lengthOf(bytes, fields.placeOf(FIELD_NUMBERS.issuedCodes, BSON_TYPE.array));
    this.#putPosition(row, bytes, fields.placeOf(FIELD_NUMBERS.coordinates, BSON_TYPE.object));
    this.#putState(row, bytes);
    if (isOther) for (const column of this.answers.values()) column.set(row, undefined);
    this.#putAnswers(row, bytes, answersTo);
    // The answers were erased, not skipped.
    if (fields.has(FIELD_NUMBERS.erasedAt)) this.askedCounts[row] = this.skipped[row] = 0;
  }

  remove(id: Types.ObjectId): void {
    const row = this.ids.find(id);
    if (row < 0) return;
    this.state[row] = 0;
    this.recruiter[row] = -1;
    this.#removeFlags(row);
  }

  /** In degrees; null if there is none. */
  positionOf(row: number): { latitude: number; longitude: number; accuracy: number } | null {
    const latitude = this.latitude[row]!;
    if (latitude === NOWHERE) return null;
    return {
      latitude: latitude / DEGREE,
      longitude: this.longitude[row]! / DEGREE,
      accuracy: this.accuracy[row]!,
    };
  }

  #putPosition(row: number, bytes: Buffer, coordinates: number): void {
    const point = this.#point;
    if (coordinates > 0) point.find(bytes, coordinates);
    this.latitude[row] =
      coordinates > 0 ? Math.round(point.number(bytes, GPS_FIELD_NUMBERS.latitude, 0) * DEGREE) : NOWHERE;
    this.longitude[row] =
      coordinates > 0 ? Math.round(point.number(bytes, GPS_FIELD_NUMBERS.longitude, 0) * DEGREE) : 0;
    this.accuracy[row] = coordinates > 0 ? point.number(bytes, GPS_FIELD_NUMBERS.accuracy, 0) : 0;
  }

  #putState(row: number, bytes: Buffer): void {
    const fields = this.#fields;
    const status = fields.text(bytes, FIELD_NUMBERS.status) ?? '';
    const takesPart = fields.placeOf(FIELD_NUMBERS.takesPart, BSON_TYPE.boolean);
    const isDeleted = fields.has(FIELD_NUMBERS.deletedAt);
    const flags = this.#flags(bytes);
    this.state[row] = stateOf({
      status,
      takesPart: takesPart === 0 || bytes[takesPart] === 1,
      flags,
      review: this.#reviewOf(bytes),
      isDeleted,
      isErased: fields.has(FIELD_NUMBERS.erasedAt),
    });
    this.#removeFlags(row);
    if (isDeleted) return;
    const twice = flags.find(({ code }) => code === 'REFERRAL_CODE_USED');
    if (twice) this.presentedTwice.set(row, { referralCode: twice.referralCode, at: twice.at });
    const odd = flags.find(({ code }) => code === 'CLOCK_ODD');
    if (odd) this.clockOdd.set(row, odd.at);
    const repeat = fields.placeOf(FIELD_NUMBERS.repeat, BSON_TYPE.object);
    if (repeat === 0) return;
    const { strength, at } = decodeValueAt(bytes, BSON_TYPE.object, repeat) as RepeatParticipation;
    this.repeats.set(row, { strength, at });
  }

  #flags(bytes: Buffer): readonly FlagRecord[] {
    const at = this.#fields.requiredPlaceOf(FIELD_NUMBERS.flags, BSON_TYPE.array);
    // Few interviews have flags.
    if (bytes.readInt32LE(at) === EMPTY_ARRAY_BYTES) return NO_FLAGS;
    return decodeValueAt(bytes, BSON_TYPE.array, at) as FlagRecord[];
  }

  #reviewOf(bytes: Buffer): string {
    const review = this.#fields.placeOf(FIELD_NUMBERS.review, BSON_TYPE.object);
    if (review === 0) return 'RECEIVED';
    this.#review.find(bytes, review);
    return this.#review.text(bytes, REVIEW_STATE) ?? 'RECEIVED';
  }

  #removeFlags(row: number): void {
    for (const flagged of [this.presentedTwice, this.clockOdd, this.repeats]) flagged.delete(row);
  }

  #rowFor(bytes: Uint8Array, id: number): number {
    const nextRow = this.ids.size;
    const row = this.ids.rowOf(bytes, id);
    if (row >= this.state.length) this.#resize(grownCapacityFor(row + 1, this.state.length));
    if (row === nextRow) this.recruiter[row] = -1;
    return row;
  }

  #resize(capacity: number): void {
    resizeColumns(this, capacity);
    for (const column of this.answers.values()) column.resize(capacity);
  }

  #putAnswers(row: number, bytes: Buffer, { names, columns, isAsked, askedCount }: AnswersTo): void {
    for (const one of columns) if (one) one.column.codes[row] = 0;
    this.askedCounts[row] = this.skipped[row] = askedCount;
    if (this.#fields.types[FIELD_NUMBERS.responses] !== BSON_TYPE.object) return;
    const responses = this.#fields.placeOf(FIELD_NUMBERS.responses, BSON_TYPE.object);
    if (responses === 0) return;
    const end = bsonElementsEnd(bytes, responses);
    for (let at = responses + 4; at < end; ) {
      const type = bytes[at]!;
      const number = names.find(bytes, at + 1);
      const value = names.end;
      if (number >= 0 && type !== BSON_TYPE.null) {
        if (isAsked[number]) this.skipped[row]!--;
        columns[number]?.set(row, bytes, type, value);
      }
      at = value + bsonValueSize(bytes, type, value);
    }
  }

  /** Undefined if the version was not read. */
  #answersOf(code: number): AnswersTo | undefined {
    const existing = this.#answersTo[code];
    if (existing) return existing;
    const version = this.#versions.get(this.version.values[code]!);
    if (version) this.#answersTo[code] = this.#prepare(version);
    return this.#answersTo[code];
  }

  #prepare(version: QuestionnaireVersion): AnswersTo {
    const askedKeys = new Set(version.askedKeys);
    const keys = [...new Set([...version.countables.keys(), ...askedKeys])];
    return {
      names: new BsonFieldNames(keys),
      columns: keys.map((key) =>
        version.countables.has(key)
          ? new StoredValueDecoder(this.#columnOf(key), (answer) => renamedAnswer(key, withoutRemark(answer)))
          : null,
      ),
      isAsked: keys.map((key) => askedKeys.has(key)),
      askedCount: askedKeys.size,
    };
  }

  #columnOf(key: string): DictionaryColumn<unknown> {
    const existing = this.answers.get(key);
    if (existing) return existing;
    const column = new DictionaryColumn<unknown>(this.state.length, undefined);
    this.answers.set(key, column);
    return column;
  }
}

interface StateFields {
  status: string;
  takesPart: boolean;
  flags: readonly FlagRecord[];
  review: string;
  isDeleted: boolean;
  isErased: boolean;
}

function stateOf({ status, takesPart, flags, review, isDeleted, isErased }: StateFields): number {
  const stored = STORED_BIT | (status === 'COMPLETED' ? COMPLETED_BIT : 0);
  if (isDeleted) return stored | DELETED_BIT;
  const outcome = { status, takesPart, flags, review: { state: review } };
  return (
    stored |
    (isCompletedParticipation(outcome) ? COUNTED_BIT : 0) |
    (isRefusalOrIneligible(outcome) ? NOT_TAKING_PART_BIT : 0) |
    (isSurveyInSample(outcome) ? IN_SAMPLE_BIT : 0) |
    (flags.length > 0 ? FLAGGED_BIT : 0) |
    (isErased ? ERASED_BIT : 0) |
    reviewBits(status, review)
  );
}

function reviewBits(status: string, review: string): number {
  if (review === 'REJECTED') return REJECTED_BIT;
  if (review === 'HAS_ISSUES') return HAS_ISSUES_BIT;
  return review === 'RECEIVED' && status === 'COMPLETED' ? TO_REVIEW_BIT : 0;
}

/** The number of elements of the array at `at`; 0 if there is none. */
function lengthOf(bytes: Buffer, at: number): number {
  if (at === 0) return 0;
  let length = 0;
  const end = bsonElementsEnd(bytes, at);
  for (let element = at + 4; element < end; length++) {
    const value = valueOffsetAfterName(bytes, element);
    element = value + bsonValueSize(bytes, bytes[element]!, value);
  }
  return length;
}

/** A choice with a comment is `{ value, comment }`; free text is not counted. */
function withoutRemark(answer: unknown): unknown {
  if (answer === null || typeof answer !== 'object') return answer ?? undefined;
  if (Array.isArray(answer)) return answer.map(withoutRemark);
  return 'value' in answer ? { value: answer.value } : answer;
}
