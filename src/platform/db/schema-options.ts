import mongoose, { type Model } from 'mongoose';

// biome-ignore lint/suspicious/noExplicitAny: models of any record.
export type AnyModel = Model<any>;

/** For partial indexes of records with an id in a field: every id is greater than this one. */
export const SMALLEST_ID = new mongoose.Types.ObjectId('000000000000000000000000');

/**
 * For every schema. Empty objects are stored (`minimize`), unknown fields and filters are errors, `__v` is not used, and
 * `ensureIndexes` creates the indexes before the service listens. Raw calls bypass this, but not validators.ts.
 */
export const schemaOptions = (collection: string) =>
  ({
    collection,
    minimize: false,
    strict: 'throw',
    strictQuery: 'throw',
    versionKey: false,
    autoIndex: false,
    autoCreate: false,
  }) as const;
