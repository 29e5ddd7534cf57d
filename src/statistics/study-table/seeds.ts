/** The seeds, one row each. */
import type { SeedRecord } from '../../coupons/seeds/model.ts';
import { CodeColumn, resizeColumns, roomFor } from './columns.ts';
import { IdTable } from './ids.ts';

export type SeedFields = Pick<
  SeedRecord,
  '_id' | 'referralCode' | 'kind' | 'location' | 'survey' | 'deletedAt'
> &
  Partial<Pick<SeedRecord, 'round'>>;

/** Bits of `state`; a row has none of them where only an interview or a coupon named the seed so far. */
export const [SEED_STORED, SEED_WALK_IN, SEED_USED] = [1, 2, 4];

export class SeedColumns {
  readonly ids: IdTable;
  /** By row. */
  readonly codes: string[] = [];
  /** [rows] */
  state: Uint8Array;
  /** Ids of locations. */
  readonly site: CodeColumn<string>;
  /** Ids of rounds. */
  readonly round: CodeColumn<string>;

  constructor(expected: number) {
    this.ids = new IdTable(expected);
    this.state = new Uint8Array(expected);
    this.site = new CodeColumn(expected, '');
    this.round = new CodeColumn(expected, '');
  }

  get size(): number {
    return this.ids.size;
  }

  rowFor(id: SeedRecord['_id']): number {
    return this.rowOf(id.id, 0);
  }

  /** Of the id that begins at `from` in these bytes. */
  rowOf(bytes: Uint8Array, from: number): number {
    const row = this.ids.rowOf(bytes, from);
    if (row >= this.state.length) resizeColumns(this, roomFor(row + 1, this.state.length));
    return row;
  }

  /** A deleted seed is no seed any more. */
  put({ _id, referralCode, kind, location, round, survey, deletedAt }: SeedFields): void {
    const row = this.rowFor(_id);
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
