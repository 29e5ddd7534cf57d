/**
 * Lists of surveys. Mostly light: what a page of them shows, picked in the database. With `fields=full` answers and
 * second copies come too, and a page ends before its bytes are too many, however large each survey is.
 */
import { PAGE_BYTES } from '../http/budget.ts';
import { onlyDeclared } from '../http/reply.ts';
import { type Written, writtenPage } from '../http/written-page.ts';
import { withCopies } from './copies.ts';
import { Surveys } from './model.ts';
import { ListedSurvey, type SurveyQuery } from './schema.ts';

const cut = onlyDeclared(ListedSurvey);
const LIGHT = { cut, projection: { responses: 0, requestHash: 0 } } as const;
const FULL = { cut, complete: withCopies, bytes: PAGE_BYTES };

export async function listSurveys(filter: object, query: SurveyQuery): Promise<Written> {
  return await writtenPage(Surveys, filter, query, query.fields === 'full' ? FULL : LIGHT);
}
