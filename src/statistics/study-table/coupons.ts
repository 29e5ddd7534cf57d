/** The referral codes, including those of seeds: one row each. */
import type { ReferralCodeRecord } from '../../coupons/referral-codes/model.ts';
import { BSON_TYPE, FieldNames, readLong, readNumber, valueSize } from '../../platform/lib/bson/elements.ts';
import { CodeColumn, resizeColumns, roomFor } from './columns.ts';
import { IdTable } from './ids.ts';
import type { SeedColumns } from './seeds.ts';
import { StoredValues } from './stored-values.ts';

/** The fields that are read. */
export const COUPON_FIELDS = [
  '_id',
  'state',
  'seed',
  'chain',
  'location',
  'handedOutAt',
  'daysOut',
  'expiresAt',
  'round',
] as const satisfies (keyof ReferralCodeRecord)[];
type NumberOfEach<Fields> = { [Field in keyof Fields]: number };
type Places = NumberOfEach<typeof COUPON_FIELDS>;
const DAYS_OUT = COUPON_FIELDS.indexOf('daysOut');
/** A BSON string starts after its length. */
const TEXT_START = 4;
const NAMES = new FieldNames(COUPON_FIELDS);

export const COUPON_STATES = ['RESERVED', 'LIVE', 'USED', 'VOID'] as const;
/** No two start with the same letter. */
const FIRST_LETTERS = COUPON_STATES.map((state) => state.charCodeAt(0));
/** Values of `state`; 0: not stored, or deleted. */
export const [RESERVED, LIVE, USED, VOID] = [1, 2, 3, 4];

export class CouponColumns {
  readonly ids: IdTable;
  /** [rows], like all columns below. */
  state: Uint8Array;
  /** 1: a seed's code, which was not handed out in an interview. */
  ofSeed: Uint8Array;
  /** Seed rows; -1 if the chain is unknown. */
  chain: Int32Array;
  /** Location ids; empty if the code was not handed out in an interview. */
  readonly site: CodeColumn<string>;
  /** Round ids; empty while the code is reserved. */
  readonly round: CodeColumn<string>;
  /** -1 if there is none. */
  daysOut: Int16Array;
  /** In milliseconds; NaN if there is none. */
  expiresAt: Float64Array;
  handedOutAt: Float64Array;
  readonly #seeds: SeedColumns;
  readonly #sites: StoredValues<string>;
  readonly #rounds: StoredValues<string>;
  /** The fields of the current record, by field number: the type of the value and its position, 0 if missing. */
  readonly #types = new Uint8Array(COUPON_FIELDS.length);
  readonly #places = new Int32Array(COUPON_FIELDS.length);

  constructor(expected: number, seeds: SeedColumns) {
    this.#seeds = seeds;
    this.ids = new IdTable(expected);
    this.state = new Uint8Array(expected);
    this.ofSeed = new Uint8Array(expected);
    this.chain = new Int32Array(expected);
    this.site = new CodeColumn(expected, '');
    this.#sites = new StoredValues(this.site, String);
    this.round = new CodeColumn(expected, '');
    this.#rounds = new StoredValues(this.round, String);
    this.daysOut = new Int16Array(expected);
    this.expiresAt = new Float64Array(expected);
    this.handedOutAt = new Float64Array(expected);
  }

  get size(): number {
    return this.ids.size;
  }

  /** Reads the raw record, for speed: there are several coupons per interview. */
  put(record: Buffer): void {
    this.#find(record);
    const [id, state, seed, chain, location, handedOutAt, daysOut, expiresAt, round] = this
      .#places as Iterable<number> as Places;
    const row = this.ids.rowOf(record, id);
    if (row >= this.state.length) resizeColumns(this, roomFor(row + 1, this.state.length));
    this.state[row] = 1 + FIRST_LETTERS.indexOf(record[state + TEXT_START]!);
    this.ofSeed[row] = seed > 0 ? 1 : 0;
    this.chain[row] = chain > 0 ? this.#seeds.rowOf(record, chain) : -1;
    this.site.codes[row] = 0;
    if (location > 0) this.#sites.set(row, record, BSON_TYPE.id, location);
    this.round.codes[row] = 0;
    if (round > 0) this.#rounds.set(row, record, BSON_TYPE.id, round);
    const days = daysOut > 0 ? readNumber(record, this.#types[DAYS_OUT]!, daysOut) : -1;
    this.daysOut[row] = Math.min(days, 2 ** 15 - 1);
    this.expiresAt[row] = expiresAt > 0 ? readLong(record, expiresAt) : Number.NaN;
    this.handedOutAt[row] = handedOutAt > 0 ? readLong(record, handedOutAt) : Number.NaN;
  }

  #find(record: Buffer): void {
    this.#places.fill(0);
    for (let at = 4; at < record.length - 1; ) {
      const type = record[at]!;
      const number = NAMES.find(record, at + 1);
      const value = NAMES.end;
      if (number >= 0 && type !== BSON_TYPE.null) {
        this.#places[number] = value;
        this.#types[number] = type;
      }
      at = value + valueSize(record, type, value);
    }
  }

  remove(id: ReferralCodeRecord['_id']): void {
    const row = this.ids.find(id);
    if (row >= 0) this.state[row] = 0;
  }

  isLive(row: number, now: number): boolean {
    // Comparing with NaN is always false: such a coupon never expires.
    return this.state[row] === LIVE && !(this.expiresAt[row]! <= now);
  }
}
