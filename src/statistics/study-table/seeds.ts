/** The seeds, one row each. */
import type { SeedRecord } from '../../coupons/seeds/model.ts';
import { bsonElementsEnd, decodeWholeRecord } from '../../platform/lib/bson/elements.ts';
import { DictionaryColumn, grownCapacityFor, resizeColumns } from './columns.ts';
import { IdTable } from './ids.ts';

type SeedFields = Pick<SeedRecord, '_id' | 'referralCode' | 'kind' | 'location' | 'survey' | 'deletedAt'> &
  Partial<Pick<SeedRecord, 'round'>>;

/** Bits of `state`. None are set if a row exists only because an interview or a coupon referred to the seed. */
export const [SEED_STORED, SEED_WALK_IN, SEED_USED] = [1, 2, 4];

export class SeedColumns {
  readonly ids: IdTable;
  /** By row. */
  readonly codes: string[] = [];
  /** [rows] */
  state: Uint8Array;
  /** Location ids. */
  readonly site: DictionaryColumn<string>;
  /** Round ids. */
  readonly round: DictionaryColumn<string>;

  constructor(expected: number) {
    this.ids = new IdTable(expected);
    this.state = new Uint8Array(expected);
    this.site = new DictionaryColumn(expected, '');
    this.round = new DictionaryColumn(expected, '');
  }

  get size(): number {
    return this.ids.size;
  }

  /** The row of the id that begins at `from`. */
  rowOf(bytes: Uint8Array, from: number): number {
    const row = this.ids.rowOf(bytes, from);
    if (row >= this.state.length) resizeColumns(this, grownCapacityFor(row + 1, this.state.length));
    return row;
  }

  /** Reads the record that begins at `from`. A deleted seed no longer counts as one. */
  put(bytes: Buffer, from: number): void {
    const record = decodeWholeRecord<SeedFields>(bytes.subarray(from, bsonElementsEnd(bytes, from) + 1));
    const { _id, referralCode, kind, location, round, survey, deletedAt } = record;
    const row = this.rowOf(_id.id, 0);
    this.codes[row] = referralCode;
    this.site.set(row, location.toHexString());
    this.round.set(row, round?.toHexString() ?? '');
    const state = SEED_STORED | (kind === 'WALK_IN' ? SEED_WALK_IN : 0) | (survey ? SEED_USED : 0);
    this.state[row] = deletedAt ? 0 : state;
  }

  remove(id: SeedRecord['_id']): void {
    const row = this.ids.find(id);
    if (row >= 0) this.state[row] = 0;
  }
}
