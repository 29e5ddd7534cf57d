import {
  BSON_TYPE,
  BsonFieldNames,
  bsonElementsEnd,
  bsonValueSize,
  decodeValueAt,
  readBsonDate,
  readBsonNumber,
} from './elements.ts';

/** Each name's index in the list: the `number` in the methods below. */
export const positionsByName = <Name extends string>(names: readonly Name[]): Record<Name, number> =>
  Object.fromEntries(names.map((name, number) => [name, number])) as Record<Name, number>;

/** The values of some fields in one record at a time, found without creating an object for each record. */
export class RecordFieldReader {
  readonly #names: readonly string[];
  readonly #numbers: BsonFieldNames;
  /** By the field's number: where its value begins, 0 if it is missing. */
  readonly places: Int32Array;
  readonly types: Uint8Array;

  constructor(names: readonly string[]) {
    this.#names = names;
    this.#numbers = new BsonFieldNames(names);
    this.places = new Int32Array(names.length);
    this.types = new Uint8Array(names.length);
  }

  /** Finds the fields of the record or embedded object that begins at `from`. */
  find(bytes: Buffer, from: number): void {
    this.places.fill(0);
    const end = bsonElementsEnd(bytes, from);
    for (let at = from + 4; at < end; ) {
      const type = bytes[at]!;
      const number = this.#numbers.find(bytes, at + 1);
      const value = this.#numbers.end;
      if (number >= 0) {
        this.places[number] = value;
        this.types[number] = type;
      }
      at = value + bsonValueSize(bytes, type, value);
    }
  }

  /** Neither missing nor null. */
  has(number: number): boolean {
    return this.places[number]! > 0 && this.types[number] !== BSON_TYPE.null;
  }

  /** Where the value begins; 0 if there is none. Throws if it has another type. */
  placeOf(number: number, type: number): number {
    if (!this.has(number)) return 0;
    if (this.types[number] !== type)
      throw new TypeError(
        `"${this.#names[number]}" of a stored record has the BSON type ${this.types[number]}`,
      );
    return this.places[number]!;
  }

  /** The same for a field that every record has. */
  requiredPlaceOf(number: number, type: number): number {
    const place = this.placeOf(number, type);
    if (place === 0) throw new TypeError(`"${this.#names[number]}" of a stored record is missing`);
    return place;
  }

  /** As `Number` converts what the driver reads; `absent` if there is none. */
  number(bytes: Buffer, number: number, absent = Number.NaN): number {
    if (!this.has(number)) return absent;
    const [type, place] = [this.types[number]!, this.places[number]!];
    const isNumber = type === BSON_TYPE.int || type === BSON_TYPE.double || type === BSON_TYPE.long;
    return isNumber ? readBsonNumber(bytes, type, place) : Number(decodeValueAt(bytes, type, place));
  }

  /** Null if there is none. */
  text(bytes: Buffer, number: number): string | null {
    const place = this.placeOf(number, BSON_TYPE.string);
    return place > 0 ? bytes.toString('utf8', place + 4, place + 3 + bytes.readInt32LE(place)) : null;
  }

  /** In milliseconds; NaN if there is none. */
  time(bytes: Buffer, number: number): number {
    const place = this.placeOf(number, BSON_TYPE.date);
    return place > 0 ? readBsonDate(bytes, place) : Number.NaN;
  }

  requiredTime(bytes: Buffer, number: number): number {
    return readBsonDate(bytes, this.requiredPlaceOf(number, BSON_TYPE.date));
  }
}
