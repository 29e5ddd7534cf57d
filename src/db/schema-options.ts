import type { Model, SchemaOptions } from 'mongoose';

// biome-ignore lint/suspicious/noExplicitAny: models of any record.
export type AnyModel = Model<any>;

/**
 * For every schema. Empty objects are stored (`minimize`), unknown fields and filters are errors, `__v` is not used, and
 * `ensureIndexes` creates the indexes before the service listens.
 */
export const schemaOptions = {
  minimize: false,
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
  autoIndex: false,
  autoCreate: false,
} as const satisfies SchemaOptions;
