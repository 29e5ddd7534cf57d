/**
 * Lists of surveys. Mostly light: what a page of them shows, picked in the database. With `fields=full` answers and
 * second copies come too, and a page ends before its bytes are too many, however large each survey is.
 */
import { withinBudget } from '../http/budget.ts';
import { type Page, page } from '../http/page.ts';
import { withCopies } from './copies.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { ListedSurvey, type SurveyQuery } from './schema.ts';

const LIGHT = { projection: { responses: 0, requestHash: 0 } } as const;
const full = withinBudget<SurveyRecord>(ListedSurvey, withCopies);

export async function listSurveys(filter: object, query: SurveyQuery): Promise<Page<SurveyRecord>> {
  return await page(Surveys, filter, query, query.fields === 'full' ? full() : LIGHT);
}
