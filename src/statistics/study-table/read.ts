/** Reads the collections into the table: all records, or those that have changed. */
import type mongoose from 'mongoose';
import type { Types } from 'mongoose';
import { ReferralCodeModel } from '../../coupons/referral-codes/model.ts';
import { SeedModel } from '../../coupons/seeds/model.ts';
import { SurveyModel } from '../../interviews/surveys/model.ts';
import { forEachRecordInCollection } from '../../platform/db/each-record.ts';
import { type BsonFieldPosition, findBsonField } from '../../platform/lib/bson/elements.ts';
import { COUPON_FIELDS } from './coupons.ts';
import { INTERVIEW_FIELD_PATHS } from './interview-fields.ts';
import { StudyTable } from './table.ts';

type Id = Types.ObjectId;
const AT_ONCE = 1_000;

interface Source {
  collection: () => mongoose.Collection;
  projection: Record<string, 1>;
  /** Reads the record that begins at `from`. Returns a promise only if something else must be read first. */
  put(table: StudyTable, bytes: Buffer, from: number): Promise<void> | void;
  remove(table: StudyTable, id: Id): void;
}

/** Only names: a calculated field made the database take twice as long. */
const projectionOf = (fields: readonly string[]) =>
  Object.fromEntries(fields.map((field) => [field, 1] as const));

const interviews: Source = {
  collection: () => SurveyModel.collection,
  projection: projectionOf(INTERVIEW_FIELD_PATHS),
  put: (table, bytes, from) => table.interviews.put(bytes, from),
  remove: (table, id) => table.interviews.remove(id),
};

const coupons: Source = {
  collection: () => ReferralCodeModel.collection,
  projection: projectionOf(COUPON_FIELDS),
  put: (table, bytes, from) => table.coupons.put(bytes, from),
  remove: (table, id) => table.coupons.remove(id),
};

const seeds: Source = {
  collection: () => SeedModel.collection,
  projection: projectionOf(['referralCode', 'kind', 'location', 'round', 'survey', 'deletedAt']),
  put: (table, bytes, from) => table.seeds.put(bytes, from),
  remove: (table, id) => table.seeds.remove(id),
};

const SOURCES = { surveys: interviews, referralcodes: coupons, seeds };
type Name = keyof typeof SOURCES;
const QUESTIONNAIRES = 'questionnaires';

/** The collections behind the table. */
export const STUDY_TABLE_SOURCES = [...Object.keys(SOURCES), QUESTIONNAIRES];

export async function readStudyTable(): Promise<StudyTable> {
  const size = async (name: Name) =>
    Math.ceil(1.02 * (await SOURCES[name].collection().estimatedDocumentCount()));
  const table = new StudyTable({
    interviews: await size('surveys'),
    coupons: await size('referralcodes'),
    seeds: await size('seeds'),
  });
  await table.versions.update();
  await readAll(table, seeds);
  await Promise.all([readAll(table, interviews), readAll(table, coupons)]);
  return table;
}

async function readAll(table: StudyTable, { collection, projection, put }: Source): Promise<void> {
  await forEachRecordInCollection(collection(), { projection, batchSize: AT_ONCE }, (bytes, from) =>
    put(table, bytes, from),
  );
}

/** By collection, the ids of records that have changed. */
export type ChangedIds = Map<string, Map<string, Id>>;

export async function readChangedRecords(table: StudyTable, changed: ChangedIds): Promise<void> {
  for (const [name, ids] of changed) {
    if (name === QUESTIONNAIRES) await table.versions.update();
    else await readSome(table, SOURCES[name as Name], [...ids.values()]);
  }
}

async function readSome(table: StudyTable, source: Source, ids: Id[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE) {
    const some = ids.slice(from, from + AT_ONCE);
    const cursor = source
      .collection()
      .find({ _id: { $in: some } } as object, { projection: source.projection, raw: true });
    const present = new Set<string>();
    // One at a time: interviews may be large.
    for await (const record of cursor as AsyncIterable<unknown> as AsyncIterable<Buffer>) {
      const { at } = findBsonField(record, '_id') as BsonFieldPosition;
      present.add(record.toString('hex', at, at + 12));
      await source.put(table, record, 0);
    }
    for (const id of some) if (!present.has(id.toHexString())) source.remove(table, id);
  }
}
