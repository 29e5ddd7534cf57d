import mongoose, { type Model, Schema, type SchemaOptions, type Types } from 'mongoose';

// biome-ignore lint/suspicious/noExplicitAny: models of any record.
export type AnyModel = Model<any>;

/** For partial indexes of records that have an id in a field: every id is greater. */
export const SMALLEST_ID = new mongoose.Types.ObjectId('000000000000000000000000');

/**
 * For every schema. Empty objects are stored (`minimize`), unknown fields and filters are errors, `__v` is not used, and
 * `ensureIndexes` creates the indexes before the service listens.
 */
const schemaOptions = {
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
} as const satisfies SchemaOptions;

type FieldsOf<R, Value> = {
  [Field in keyof R]-?: Exclude<R[Field], null | undefined> extends Value ? Field : never;
}[keyof R][];

/** The fields of a record but its id, by what they hold. */
interface Fields<R> {
  text?: FieldsOf<R, string>;
  number?: FieldsOf<R, number>;
  flag?: FieldsOf<R, boolean>;
  date?: FieldsOf<R, Date>;
  id?: FieldsOf<R, Types.ObjectId>;
  texts?: FieldsOf<R, string[]>;
  /** Lists of anything but texts. */
  list?: FieldsOf<R, unknown[]>;
  mixed?: (keyof R)[];
}

const TYPES = {
  text: String,
  number: Number,
  flag: Boolean,
  date: Date,
  id: Schema.Types.ObjectId,
  texts: [String],
  list: [Schema.Types.Mixed],
  mixed: Schema.Types.Mixed,
};

/** The schema of a collection. */
export function schemaOf<R>(collection: string, fields: Fields<R>, options: SchemaOptions = {}): Schema<R> {
  const indexedFields = Object.entries(fields as Record<keyof Fields<R>, string[]>);
  const types = indexedFields.flatMap(([kind, names]) =>
    names.map((name) => [name, TYPES[kind as keyof Fields<R>]] as const),
  );
  return new Schema<R>(
    Object.fromEntries(types) as never,
    { ...schemaOptions, ...options, collection } as never,
  );
}
