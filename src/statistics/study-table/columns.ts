/** Columns of typed arrays that grow with the table. */

type Numbers = Uint8Array | Uint16Array | Uint32Array | Int16Array | Int32Array | Float32Array | Float64Array;

/** Grows by a quarter: with a million rows, doubling would leave half of the memory unused. */
export const grownCapacityFor = (size: number, capacity: number): number =>
  Math.max(size, 64, Math.ceil(1.25 * capacity));

function resized<T extends Numbers>(column: T, capacity: number): T {
  const more = new (column.constructor as new (size: number) => T)(capacity);
  more.set(column);
  return more;
}

/** Resizes every column that is a property of `table` to this number of rows. */
export function resizeColumns(table: object, capacity: number): void {
  const columns = table as Record<string, unknown>;
  for (const [name, column] of Object.entries(table)) {
    if (ArrayBuffer.isView(column)) columns[name] = resized(column as Numbers, capacity);
    if (column instanceof DictionaryColumn) column.resize(capacity);
  }
}

type Codes = Uint8Array | Uint16Array | Uint32Array;

/**
 * Values shared by many rows: each row stores the code of its value, in as few bytes as the number of values allows.
 */
export class DictionaryColumn<V> {
  /** [rows] */
  codes: Codes;
  /** Indexed by code. Rows that were never set have code 0. */
  readonly values: V[];
  readonly #codeOf = new Map<unknown, number>();

  constructor(capacity: number, ofUnset: V) {
    this.codes = new Uint8Array(capacity);
    this.values = [ofUnset];
    this.#codeOf.set(keyOf(ofUnset), 0);
  }

  valueOf(row: number): V {
    return this.values[this.codes[row]!]!;
  }

  /** The code of this value; -1 if no row ever had it. */
  codeOf(value: V): number {
    return this.#codeOf.get(keyOf(value)) ?? -1;
  }

  set(row: number, value: V): void {
    // This may replace `codes`.
    const code = this.addCode(value);
    this.codes[row] = code;
  }

  /** The code of this value, which is added if no row ever had it. */
  addCode(value: V): number {
    const key = keyOf(value);
    const existing = this.#codeOf.get(key);
    if (existing !== undefined) return existing;
    const code = this.values.length;
    this.values.push(value);
    this.#codeOf.set(key, code);
    if (code === 2 ** (8 * this.codes.BYTES_PER_ELEMENT)) this.#widen();
    return code;
  }

  resize(capacity: number): void {
    this.codes = resized(this.codes, capacity);
  }

  #widen(): void {
    const Wider = this.codes.BYTES_PER_ELEMENT === 1 ? Uint16Array : Uint32Array;
    const wider = new Wider(this.codes.length);
    wider.set(this.codes);
    this.codes = wider;
  }
}

/** Lists and objects are equal if their JSON is equal. */
const keyOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null ? `\0${JSON.stringify(value)}` : value;
