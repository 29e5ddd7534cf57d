/** The referral codes, including those of seeds: one row each. */
import type { ReferralCodeRecord } from '../../coupons/referral-codes/model.ts';
import { BSON_TYPE } from '../../platform/lib/bson/elements.ts';
import { positionsByName, RecordFieldReader } from '../../platform/lib/bson/record-fields.ts';
import { DictionaryColumn, grownCapacityFor, resizeColumns } from './columns.ts';
import { IdTable } from './ids.ts';
import type { SeedColumns } from './seeds.ts';
import { StoredValueDecoder } from './stored-values.ts';

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
const FIELD = positionsByName(COUPON_FIELDS);
/** A BSON string starts after its length. */
const TEXT_START = 4;

export const COUPON_STATES = ['RESERVED', 'LIVE', 'USED', 'VOID'] as const;
/** No two start with the same letter. */
const FIRST_LETTERS = COUPON_STATES.map((state) => state.charCodeAt(0));
/** Values of `state`; 0: not stored, or deleted. */
export const [RESERVED, LIVE, USED, VOID] = [1, 2, 3, 4];

export class CouponColumnStore {
  readonly ids: IdTable;
  /** [rows], like all columns below. */
  state: Uint8Array;
  /** 1: a seed's code, which was not handed out in an interview. */
  ofSeed: Uint8Array;
  /** Seed rows; -1 if the chain is unknown. */
  chain: Int32Array;
  /** Location ids; empty if the code was not handed out in an interview. */
  readonly site: DictionaryColumn<string>;
  /** Round ids; empty while the code is reserved. */
  readonly round: DictionaryColumn<string>;
  /** -1 if there is none. */
  daysOut: Int16Array;
  /** In milliseconds; NaN if there is none. */
  expiresAt: Float64Array;
  handedOutAt: Float64Array;
  readonly #seeds: SeedColumns;
  readonly #sites: StoredValueDecoder<string>;
  readonly #rounds: StoredValueDecoder<string>;
  readonly #fields = new RecordFieldReader(COUPON_FIELDS);

  constructor(expected: number, seeds: SeedColumns) {
    this.#seeds = seeds;
    this.ids = new IdTable(expected);
    this.state = new Uint8Array(expected);
    this.ofSeed = new Uint8Array(expected);
    this.chain = new Int32Array(expected);
    this.site = new DictionaryColumn(expected, '');
    this.#sites = new StoredValueDecoder(this.site, String);
    this.round = new DictionaryColumn(expected, '');
    this.#rounds = new StoredValueDecoder(this.round, String);
    this.daysOut = new Int16Array(expected);
    this.expiresAt = new Float64Array(expected);
    this.handedOutAt = new Float64Array(expected);
  }

  get size(): number {
    return this.ids.size;
  }

  /** Reads the record that begins at `from`. */
  put(bytes: Buffer, from: number): void {
    const fields = this.#fields;
    fields.find(bytes, from);
    const row = this.ids.rowOf(bytes, fields.requiredPlaceOf(FIELD._id, BSON_TYPE.id));
    if (row >= this.state.length) resizeColumns(this, grownCapacityFor(row + 1, this.state.length));
    const state = fields.placeOf(FIELD.state, BSON_TYPE.string);
    this.state[row] = state > 0 ? 1 + FIRST_LETTERS.indexOf(bytes[state + TEXT_START]!) : 0;
    this.ofSeed[row] = fields.has(FIELD.seed) ? 1 : 0;
    const chain = fields.placeOf(FIELD.chain, BSON_TYPE.id);
    this.chain[row] = chain > 0 ? this.#seeds.rowOf(bytes, chain) : -1;
    this.#sites.setId(row, bytes, fields.placeOf(FIELD.location, BSON_TYPE.id));
    this.#rounds.setId(row, bytes, fields.placeOf(FIELD.round, BSON_TYPE.id));
    this.daysOut[row] = Math.min(fields.number(bytes, FIELD.daysOut, -1), 2 ** 15 - 1);
    this.expiresAt[row] = fields.time(bytes, FIELD.expiresAt);
    this.handedOutAt[row] = fields.time(bytes, FIELD.handedOutAt);
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
