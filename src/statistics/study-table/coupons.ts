/** The referral codes, including those of seeds: one row each. */
import type { ReferralCodeRecord } from '../../coupons/referral-codes/model.ts';
import { CodeColumn, resizeColumns, roomFor } from './columns.ts';
import { Ids } from './ids.ts';
import type { Seeds } from './seeds.ts';

export type CouponFields = Pick<
  ReferralCodeRecord,
  '_id' | 'state' | 'seed' | 'chain' | 'location' | 'handedOutAt' | 'daysOut' | 'expiresAt'
>;

export const COUPON_STATES = ['RESERVED', 'LIVE', 'USED', 'VOID'] as const;
/** Values of `state`; 0: not stored (any more). */
export const [RESERVED, LIVE, USED, VOID] = [1, 2, 3, 4];

export class Coupons {
  readonly ids: Ids;
  /** [rows] each. */
  state: Uint8Array;
  /** 1: the code of a seed, which no interview handed out. */
  ofSeed: Uint8Array;
  /** Rows of seeds; -1 where the chain is not known. */
  chain: Int32Array;
  /** Ids of locations; an empty one where no interview handed it out. */
  readonly site: CodeColumn<string>;
  /** -1 where there is none. */
  daysOut: Int16Array;
  /** In milliseconds; NaN where there is none. */
  expiresAt: Float64Array;
  handedOutAt: Float64Array;
  readonly #seeds: Seeds;

  constructor(expected: number, seeds: Seeds) {
    this.#seeds = seeds;
    this.ids = new Ids(expected);
    this.state = new Uint8Array(expected);
    this.ofSeed = new Uint8Array(expected);
    this.chain = new Int32Array(expected);
    this.site = new CodeColumn(expected, '');
    this.daysOut = new Int16Array(expected);
    this.expiresAt = new Float64Array(expected);
    this.handedOutAt = new Float64Array(expected);
  }

  get size(): number {
    return this.ids.size;
  }

  put(code: CouponFields): void {
    const row = this.ids.rowFor(code._id);
    if (row >= this.state.length) resizeColumns(this, roomFor(row + 1, this.state.length));
    this.state[row] = 1 + COUPON_STATES.indexOf(code.state);
    this.ofSeed[row] = code.seed ? 1 : 0;
    this.chain[row] = code.chain ? this.#seeds.rowFor(code.chain) : -1;
    this.site.set(row, code.location?.toHexString() ?? '');
    this.daysOut[row] = Math.min(code.daysOut ?? -1, 2 ** 15 - 1);
    this.expiresAt[row] = code.expiresAt?.getTime() ?? Number.NaN;
    this.handedOutAt[row] = code.handedOutAt?.getTime() ?? Number.NaN;
  }

  remove(id: ReferralCodeRecord['_id']): void {
    const row = this.ids.find(id);
    if (row >= 0) this.state[row] = 0;
  }

  isLive(row: number, now: number): boolean {
    // NaN is not less than or equal to anything: such a coupon never expires.
    return this.state[row] === LIVE && !(this.expiresAt[row]! <= now);
  }
}
