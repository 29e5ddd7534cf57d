/**
 * Lists of surveys. By default without answers, coordinates and network size, which the database leaves out. With `fields=full` they include answers
 * and second copies, and a page ends before it gets too large.
 */
import type { Logger } from 'pino';
import { declaredFields } from '../../../platform/http/lists/declared-fields.ts';
import { MAX_PAGE_BYTES } from '../../../platform/http/lists/page.ts';
import { type SerializedJson, serializedPage } from '../../../platform/http/lists/serialized-page.ts';
import type { Actor } from '../../../platform/rights/actor.ts';
import { type SurveyRecord, Surveys } from '../model.ts';
import { withRepeatFlag } from '../repeats/repeat-detection.ts';
import { ListedSurvey, type SurveyQuery } from '../schema.ts';
import { withCopies } from '../submit/second-copies.ts';
import { listReader } from './read.ts';

const serialize = declaredFields(ListedSurvey);
/** Reading where or how somebody was found is recorded, so a light list leaves it out. */
const LIGHT = {
  serialize,
  projection: { responses: 0, coordinates: 0, networkSize: 0, requestHash: 0 },
} as const;

export async function listSurveys(
  actor: Actor,
  filter: object,
  query: SurveyQuery,
  log: Logger,
): Promise<SerializedJson> {
  const reader = listReader(actor, 'surveys', log);
  const known = async (survey: SurveyRecord) => await withRepeatFlag(actor, survey);
  const whole = async (survey: SurveyRecord) => {
    reader.see(survey);
    return await known(await withCopies(survey));
  };
  const shape =
    query.fields === 'full'
      ? { serialize, complete: whole, maxBytes: MAX_PAGE_BYTES }
      : { ...LIGHT, complete: known };
  const page = await serializedPage(Surveys, filter, query, shape);
  await reader.record();
  return page;
}
