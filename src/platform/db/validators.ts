/**
 * Makes MongoDB reject writes that don't match the model, because raw calls (`Model.collection`) bypass the model's own
 * `strict: 'throw'`. Level `moderate`: a record that doesn't match, because an earlier version wrote it, can still be
 * updated.
 */
import mongoose from 'mongoose';
import { isDeepEqual } from '../lib/objects/deep-equal.ts';
import type { Log } from '../log.ts';
import type { AnyModel } from './schema-options.ts';

interface Validation {
  validator: Record<string, unknown>;
  validationLevel: 'moderate';
  validationAction: 'error';
}

/** The title is in MongoDB's error, which doesn't name the collection (log.ts). */
export const collectionValidationOf = ({ schema, collection }: AnyModel): Validation => ({
  validator: {
    $jsonSchema: {
      title: collection.collectionName,
      ...schema.toJSONSchema({ useBsonType: true }),
      additionalProperties: false,
    },
  },
  validationLevel: 'moderate',
  validationAction: 'error',
});

/** Call after the migrations. Writes nothing if the stored validators are the same. */
export async function applyCollectionValidators(models: readonly AnyModel[], log?: Log): Promise<void> {
  const stored = await storedValidations();
  for (const model of models) {
    const name = model.collection.collectionName;
    const validation = collectionValidationOf(model);
    const before = stored.get(name);
    if (isDeepEqual(before, validation) || (await collMod(name, validation))) continue;
    if (before) throw mayNotChange(name);
    // All others would be refused too.
    log?.warn(
      'The database user may not set validators (collMod), so MongoDB doesn’t check what the service writes; see docs/deploy.md, “The rights in the database”',
    );
    return;
  }
}

/** For migrations, which write the format of their time: an earlier version's validator may refuse it. */
export async function suspendDbValidators(): Promise<void> {
  for (const [name, { validationLevel }] of await storedValidations()) {
    if (validationLevel !== 'off' && !(await collMod(name, { validationLevel: 'off' })))
      throw mayNotChange(name);
  }
}

async function storedValidations() {
  const collections = (await database()?.listCollections().toArray()) ?? [];
  const validations = new Map<string, Record<string, unknown>>();
  for (const { name, options = {} } of collections as mongoose.mongo.CollectionInfo[]) {
    const { validator, validationLevel, validationAction } = options;
    if (validator) validations.set(name, { validator, validationLevel, validationAction });
  }
  return validations;
}

/** False if the database user may not do it: MongoDB's `readWrite` doesn't include it. */
async function collMod(name: string, options: object): Promise<boolean> {
  try {
    await database()?.command({ collMod: name, ...options });
    return true;
  } catch (error) {
    if ((error as { code?: number }).code === UNAUTHORIZED) return false;
    throw error;
  }
}

const UNAUTHORIZED = 13;
const database = () => mongoose.connection.db;

const mayNotChange = (name: string) =>
  new Error(
    `The collection ${name} has a validator of another version, which the database user may not change (collMod). Nothing was changed. See docs/deploy.md, “The rights in the database”.`,
  );
