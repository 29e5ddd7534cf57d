/** Reads the collections into the table: all records, or those that have changed. */
import type mongoose from 'mongoose';
import type { Types } from 'mongoose';
import { ReferralCodes } from '../../coupons/referral-codes/model.ts';
import { Seeds } from '../../coupons/seeds/model.ts';
import { Surveys } from '../../interviews/surveys/model.ts';
import { findField, type StoredField, splitField, wholeRecord } from '../../platform/lib/bson/elements.ts';
import { COUPON_FIELDS } from './coupons.ts';
import type { InterviewFields } from './interviews.ts';
import type { SeedFields } from './seeds.ts';
import { StudyTable } from './table.ts';

type Id = Types.ObjectId;
const AT_ONCE = 1_000;

interface Source {
  collection: () => mongoose.Collection;
  projection: object;
  /** Returns a promise only if something else must be read first. */
  put(table: StudyTable, record: Buffer): Promise<void> | void;
  remove(table: StudyTable, id: Id): void;
}

const interviews: Source = {
  collection: () => Surveys.collection,
  projection: {
    recruiter: 1,
    seed: 1,
    wave: 1,
    location: 1,
    round: 1,
    createdBy: 1,
    questionnaire: 1,
    heldAt: 1,
    startedAt: 1,
    completedAt: 1,
    createdAt: 1,
    status: 1,
    takesPart: 1,
    deletedAt: 1,
    erasedAt: 1,
    networkSize: 1,
    responses: 1,
    'flags.code': 1,
    'flags.referralCode': 1,
    'flags.at': 1,
    'review.state': 1,
    'repeat.strength': 1,
    'repeat.at': 1,
    coordinates: 1,
    issued: { $size: { $ifNull: ['$issuedCodes', []] } },
  },
  put(table, record) {
    const { rest, value: responses } = splitField(record, 'responses');
    const survey = { ...wholeRecord<Omit<InterviewFields, 'responses'>>(rest), responses };
    const id = survey.questionnaire.toHexString();
    const put = () => table.interviews.put(survey, table.versions.get(id));
    // A questionnaire version is stored before its interviews.
    return table.versions.get(id) ? put() : table.versions.update().then(put);
  },
  remove: (table, id) => table.interviews.remove(id),
};

const coupons: Source = {
  collection: () => ReferralCodes.collection,
  projection: Object.fromEntries(COUPON_FIELDS.map((field) => [field, 1])),
  put: (table, code) => table.coupons.put(code),
  remove: (table, id) => table.coupons.remove(id),
};

const seeds: Source = {
  collection: () => Seeds.collection,
  projection: { referralCode: 1, kind: 1, location: 1, round: 1, survey: 1, deletedAt: 1 },
  put: (table, seed) => table.seeds.put(wholeRecord<SeedFields>(seed)),
  remove: (table, id) => table.seeds.remove(id),
};

const SOURCES = { surveys: interviews, referralcodes: coupons, seeds };
type Name = keyof typeof SOURCES;
const QUESTIONNAIRES = 'questionnaires';

/** The collections behind the table. */
export const COLLECTIONS = [...Object.keys(SOURCES), QUESTIONNAIRES];

export async function readTable(): Promise<StudyTable> {
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

async function readAll(table: StudyTable, source: Source): Promise<void> {
  const { projection } = source;
  const cursor = source
    .collection()
    .find({}, { projection, batchSize: AT_ONCE, sort: { $natural: 1 }, raw: true });
  // Reads raw bytes, one record at a time, so that it needs hardly any memory.
  for await (const record of cursor as AsyncIterable<unknown> as AsyncIterable<Buffer>) {
    const reading = source.put(table, record);
    if (reading) await reading;
  }
}

/** By collection, the ids of records that have changed. */
export type ChangedIds = Map<string, Map<string, Id>>;

export async function readChanged(table: StudyTable, changed: ChangedIds): Promise<void> {
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
    // One at a time, as above: interviews may be large.
    for await (const record of cursor as AsyncIterable<unknown> as AsyncIterable<Buffer>) {
      const { at } = findField(record, '_id') as StoredField;
      present.add(record.toString('hex', at, at + 12));
      await source.put(table, record);
    }
    for (const id of some) if (!present.has(id.toHexString())) source.remove(table, id);
  }
}
