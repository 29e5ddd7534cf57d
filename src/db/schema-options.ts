import type { SchemaOptions } from 'mongoose';

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
