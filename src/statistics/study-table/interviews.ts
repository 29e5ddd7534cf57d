/**
 * The interviews, one row each, including deleted ones because other interviews descend from them. A row without STORED
 * is a recruiter that was referred to before its own interview was read.
 */
import type { Types } from 'mongoose';
import { isCounted, isInTheSample, isRefusal } from '../../interviews/surveys/counted-interviews.ts';
import type { FlagRecord, RepeatRecord, SurveyRecord } from '../../interviews/surveys/model.ts';
import { BSON_TYPE, FieldNames, valueSize } from '../../platform/lib/bson/elements.ts';
import { renamedAnswer } from '../../questionnaires/renamed-values.ts';
import { CodeColumn, resizeColumns, roomFor } from './columns.ts';
import { IdTable } from './ids.ts';
import type { SeedColumns } from './seeds.ts';
import { StoredValues } from './stored-values.ts';
import type { Version } from './versions.ts';

/** Bits of `state`. From COUNTED on, they are never set for a deleted interview. */
export const STORED = 1;
export const DELETED = 2;
export const COMPLETED = 4;
export const COUNTED = 8;
export const REFUSED = 16;
export const SAMPLED = 32;
export const FLAGGED = 64;
/** A reviewer rejected it. */
export const REJECTED = 128;
/** Completed, and nobody has reviewed it. */
export const TO_REVIEW = 256;
/** Sent back to the interviewer. */
export const HAS_ISSUES = 512;
/** Its answers were erased. */
export const ERASED = 1024;

export type InterviewFields = Pick<
  SurveyRecord,
  | '_id'
  | 'recruiter'
  | 'seed'
  | 'wave'
  | 'location'
  | 'createdBy'
  | 'questionnaire'
  | 'heldAt'
  | 'startedAt'
  | 'completedAt'
  | 'createdAt'
  | 'status'
  | 'takesPart'
  | 'deletedAt'
  | 'erasedAt'
  | 'networkSize'
  | 'flags'
  | 'coordinates'
> &
  Partial<Pick<SurveyRecord, 'round'>> & {
    issued: number;
    responses: Buffer | null;
    review?: { state: string };
    repeat?: TableRepeat;
  };

/** Stored with a coupon that another interview had already redeemed; unresolved. */
export type PresentedTwice = Pick<FlagRecord, 'referralCode' | 'at'>;

/** Its identity answers match an earlier interview. */
export type TableRepeat = Pick<RepeatRecord, 'strength' | 'at'>;

/** `latitude` and `longitude` are stored as integers, in ten-millionths of a degree (about a centimeter). */
const DEGREE = 1e7;
/** Marks a missing position. */
const NOWHERE = -(2 ** 31);

/** How to read the answers to one version; indexed by key number. */
interface AnswersTo {
  names: FieldNames;
  columns: (StoredValues<unknown> | null)[];
  isAsked: boolean[];
  askedCount: number;
}

export class Interviews {
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
  readonly site: CodeColumn<string>;
  readonly round: CodeColumn<string>;
  readonly interviewer: CodeColumn<string>;
  readonly version: CodeColumn<string>;
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
  readonly repeats = new Map<number, TableRepeat>();
  /** By question key; undefined if the row's version does not count the question or it has no answer. */
  readonly answers = new Map<string, CodeColumn<unknown>>();
  readonly #columns = new Map<Version, AnswersTo>();
  readonly #seeds: SeedColumns;

  constructor(expected: number, seeds: SeedColumns) {
    this.#seeds = seeds;
    this.ids = new IdTable(expected);
    this.state = new Uint16Array(expected);
    this.recruiter = new Int32Array(expected);
    this.seed = new Int32Array(expected);
    this.wave = new Int32Array(expected);
    this.site = new CodeColumn(expected, '');
    this.round = new CodeColumn(expected, '');
    this.interviewer = new CodeColumn(expected, '');
    this.version = new CodeColumn(expected, '');
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
    return (this.state[row]! & (STORED | DELETED)) === STORED;
  }

  put(survey: InterviewFields, version: Version | null): void {
    const row = this.#rowFor(survey._id);
    this.state[row] = stateOf(survey);
    // Do this first, because it may resize all columns.
    const recruiter = survey.recruiter ? this.#rowFor(survey.recruiter) : -1;
    this.recruiter[row] = recruiter;
    this.seed[row] = survey.seed ? this.#seeds.rowFor(survey.seed) : -1;
    this.wave[row] = survey.wave ?? -1;
    this.site.set(row, survey.location.toHexString());
    this.round.set(row, survey.round?.toHexString() ?? '');
    this.interviewer.set(row, survey.createdBy.toHexString());
    const questionnaire = survey.questionnaire.toHexString();
    const isOther = this.version.codes[row] !== 0 && this.version.valueOf(row) !== questionnaire;
    this.version.set(row, questionnaire);
    this.heldAt[row] = survey.heldAt.getTime();
    this.startedAt[row] = survey.startedAt.getTime();
    this.completedAt[row] = survey.completedAt?.getTime() ?? Number.NaN;
    this.createdAt[row] = survey.createdAt.getTime();
    this.networkSize[row] = survey.networkSize ?? Number.NaN;
    this.issued[row] = survey.issued;
    this.#putPosition(row, survey.coordinates);
    this.#putFlags(row, survey);
    if (isOther) for (const column of this.answers.values()) column.set(row, undefined);
    this.#putAnswers(row, survey.responses, version);
    // The answers were erased, not skipped.
    if (survey.erasedAt) this.askedCounts[row] = this.skipped[row] = 0;
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

  #putPosition(row: number, coordinates: InterviewFields['coordinates']): void {
    this.latitude[row] = coordinates ? Math.round(coordinates.latitude * DEGREE) : NOWHERE;
    this.longitude[row] = Math.round((coordinates?.longitude ?? 0) * DEGREE);
    this.accuracy[row] = coordinates?.accuracy ?? 0;
  }

  #putFlags(row: number, { flags, repeat, deletedAt }: InterviewFields): void {
    this.#removeFlags(row);
    if (deletedAt) return;
    const twice = flags.find(({ code }) => code === 'REFERRAL_CODE_USED');
    if (twice) this.presentedTwice.set(row, { referralCode: twice.referralCode, at: twice.at });
    const odd = flags.find(({ code }) => code === 'CLOCK_ODD');
    if (odd) this.clockOdd.set(row, odd.at);
    if (repeat) this.repeats.set(row, { strength: repeat.strength, at: repeat.at });
  }

  #removeFlags(row: number): void {
    for (const flagged of [this.presentedTwice, this.clockOdd, this.repeats]) flagged.delete(row);
  }

  #rowFor(id: Types.ObjectId): number {
    const nextRow = this.ids.size;
    const row = this.ids.rowFor(id);
    if (row >= this.state.length) this.#resize(roomFor(row + 1, this.state.length));
    if (row === nextRow) this.recruiter[row] = -1;
    return row;
  }

  #resize(capacity: number): void {
    resizeColumns(this, capacity);
    for (const column of this.answers.values()) column.resize(capacity);
  }

  #putAnswers(row: number, responses: Buffer | null, version: Version | null): void {
    const { names, columns, isAsked, askedCount } = this.#columnsOf(version);
    for (const one of columns) if (one) one.column.codes[row] = 0;
    this.askedCounts[row] = this.skipped[row] = askedCount;
    if (!responses) return;
    for (let at = 4; at < responses.length - 1; ) {
      const type = responses[at]!;
      const number = names.find(responses, at + 1);
      const value = names.end;
      if (number >= 0 && type !== BSON_TYPE.null) {
        if (isAsked[number]) this.skipped[row]!--;
        columns[number]?.set(row, responses, type, value);
      }
      at = value + valueSize(responses, type, value);
    }
  }

  #columnsOf(version: Version | null): AnswersTo {
    const existing = version && this.#columns.get(version);
    if (existing) return existing;
    const askedKeys = new Set(version?.askedKeys);
    const keys = [...new Set([...(version?.countables.keys() ?? []), ...askedKeys])];
    const columns = keys.map((key) =>
      version?.countables.has(key)
        ? new StoredValues(this.#answersTo(key), (answer) => renamedAnswer(key, withoutRemark(answer)))
        : null,
    );
    const names = new FieldNames(keys);
    const answerColumns = {
      names,
      columns,
      isAsked: keys.map((key) => askedKeys.has(key)),
      askedCount: askedKeys.size,
    };
    if (version) this.#columns.set(version, answerColumns);
    return answerColumns;
  }

  #answersTo(key: string): CodeColumn<unknown> {
    const existing = this.answers.get(key);
    if (existing) return existing;
    const column = new CodeColumn<unknown>(this.state.length, undefined);
    this.answers.set(key, column);
    return column;
  }
}

function stateOf(survey: InterviewFields): number {
  const { status, deletedAt, flags } = survey;
  const stored = STORED | (status === 'COMPLETED' ? COMPLETED : 0);
  if (deletedAt) return stored | DELETED;
  return (
    stored |
    (isCounted(survey) ? COUNTED : 0) |
    (isRefusal(survey) ? REFUSED : 0) |
    (isInTheSample(survey) ? SAMPLED : 0) |
    (flags.length > 0 ? FLAGGED : 0) |
    (survey.erasedAt ? ERASED : 0) |
    reviewBits(survey)
  );
}

function reviewBits({ status, review }: InterviewFields): number {
  const state = review?.state ?? 'RECEIVED';
  if (state === 'REJECTED') return REJECTED;
  if (state === 'HAS_ISSUES') return HAS_ISSUES;
  return state === 'RECEIVED' && status === 'COMPLETED' ? TO_REVIEW : 0;
}

/** A choice with a comment is `{ value, comment }`; free text is not counted. */
function withoutRemark(answer: unknown): unknown {
  if (answer === null || typeof answer !== 'object') return answer ?? undefined;
  if (Array.isArray(answer)) return answer.map(withoutRemark);
  return 'value' in answer ? { value: answer.value } : answer;
}
