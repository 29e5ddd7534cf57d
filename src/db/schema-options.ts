import type { Model, SchemaOptions } from 'mongoose';

// biome-ignore lint/suspicious/noExplicitAny: models of any record.
export type AnyModel = Model<any>;

/**
 * For every schema. Empty objects are kept (`minimize`), unknown fields and filters are errors instead of being
 * dropped or sent, `__v` is not used, and indexes are made by `ensureIndexes` before the service listens.
 */
export const schemaOptions = {
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
} as const satisfies SchemaOptions;
