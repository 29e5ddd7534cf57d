/**
 * Lists of surveys. Mostly light: what a page of them shows, picked in the database. With `fields=full` answers and
 * second copies come too, and a page ends before its bytes are too many, however large each survey is.
 */
import { PAGE_BYTES } from '../http/budget.ts';
import { onlyDeclared } from '../http/reply.ts';
import { type Written, writtenPage } from '../http/written-page.ts';
import type { Actor } from '../rights/actor.ts';
import { withCopies } from './copies.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { asKnownTo } from './repeat.ts';
import { ListedSurvey, type SurveyQuery } from './schema.ts';

const cut = onlyDeclared(ListedSurvey);
const LIGHT = { cut, projection: { responses: 0, requestHash: 0 } } as const;

export async function listSurveys(actor: Actor, filter: object, query: SurveyQuery): Promise<Written> {
  const known = async (survey: SurveyRecord) => await asKnownTo(actor, survey);
  const whole = async (survey: SurveyRecord) => await known(await withCopies(survey));
  const shape =
    query.fields === 'full' ? { cut, complete: whole, bytes: PAGE_BYTES } : { ...LIGHT, complete: known };
  return await writtenPage(Surveys, filter, query, shape);
}
