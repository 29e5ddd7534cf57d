/**
 * Lists of surveys. By default without answers, coordinates and network size, which aren't even read from the database.
 * With `fields=full` they include answers and second copies, and a page ends before it gets too large.
 */
import mongoose from 'mongoose';
import type { Logger } from 'pino';
import { MAX_LIST_PAGE_BYTES } from '../../../platform/http/lists/page.ts';
import { readSerializedPage, type SerializedJson } from '../../../platform/http/lists/serialized-page.ts';
import { serializerForSchema } from '../../../platform/http/lists/stored-fields.ts';
import { BSON_TYPE, findBsonField } from '../../../platform/lib/bson/elements.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { SurveyModel, type SurveyRecord } from '../model.ts';
import { withRepeatFlag } from '../repeats/repeat-detection.ts';
import { ListedSurvey, type SurveyQuery } from '../schema.ts';
import { withDuplicateSubmissions } from '../submit/second-copies.ts';
import { auditListReads } from './read.ts';

const fields = serializerForSchema(ListedSurvey);
/** Reading where a person was, or their network size, is audited, so the light list omits it. */
const LIGHT_REPLY = {
  fields,
  projection: { responses: 0, coordinates: 0, networkSize: 0, requestHash: 0 },
} as const;

const hasNoRepeat = (record: Buffer) => findBsonField(record, 'repeat') === null;

/** The size of a stored `[]`. */
const EMPTY_ARRAY_BYTES = 5;

/** Whether the record has no flags. Flags may have copies, which are stored elsewhere. */
function isWithoutFlags(record: Buffer): boolean {
  const flags = findBsonField(record, 'flags');
  return flags?.type === BSON_TYPE.array && record.readInt32LE(flags.at) === EMPTY_ARRAY_BYTES;
}

export async function listSurveys(
  actor: Actor,
  filter: object,
  query: SurveyQuery,
  log: Logger,
): Promise<SerializedJson> {
  const reader = auditListReads(actor, 'surveys', log);
  const flagRepeat = async (survey: SurveyRecord) => await withRepeatFlag(actor, survey);
  const whole = async (survey: SurveyRecord) => {
    reader.see(survey);
    return await flagRepeat(await withDuplicateSubmissions(survey));
  };
  const isWhole = (record: Buffer) => {
    const author = findBsonField(record, 'createdBy');
    if (!author || !isWithoutFlags(record) || !hasNoRepeat(record)) return false;
    reader.see({ createdBy: new mongoose.Types.ObjectId(record.subarray(author.at, author.at + 12)) });
    return true;
  };
  const shape =
    query.fields === 'full'
      ? { fields, complete: whole, isComplete: isWhole, maxBytes: MAX_LIST_PAGE_BYTES }
      : { ...LIGHT_REPLY, complete: flagRepeat, isComplete: hasNoRepeat };
  const page = await readSerializedPage(SurveyModel, filter, query, shape);
  await reader.record();
  return page;
}
