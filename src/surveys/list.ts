/**
 * Lists of surveys. Mostly light: what a page of them shows, picked in the database. With `fields=full` answers and
 * second copies come too, and a page ends before its bytes are too many, however large each survey is.
 */
import { type Page, page } from '../http/page.ts';
import { cutTo } from '../http/reply.ts';
import { withCopies } from './copies.ts';
import { type SurveyRecord, Surveys } from './model.ts';
import { ListedSurvey, type SurveyQuery } from './schema.ts';

/** Of the JSON that a page with answers may have, unless a single survey has more. */
const FULL_BYTES = 2 * 1024 * 1024;
/** Around the surveys: cursor and total. */
const FRAME_BYTES = 1_000;
/** Of them at once in memory, however many fit: a survey may have a megabyte. */
const READ_AHEAD = 8;

const LIGHT = { responses: 0, requestHash: 0 } as const;

export async function listSurveys(filter: object, query: SurveyQuery): Promise<Page<SurveyRecord>> {
  if (query.fields !== 'full') return await page(Surveys, filter, query, { projection: LIGHT });
  return await page(Surveys, filter, query, {
    readAhead: READ_AHEAD,
    room: roomFor(FULL_BYTES - FRAME_BYTES),
  });
}

const cut = cutTo(ListedSurvey);

/** Takes surveys, as they go out, while there is room for them; the first one always. */
function roomFor(bytes: number): (survey: SurveyRecord) => Promise<SurveyRecord | null> {
  let left = bytes;
  let isFirst = true;
  return async (survey) => {
    const shown = await withCopies(survey);
    left -= Buffer.byteLength(JSON.stringify(cut(shown))) + 1;
    if (left < 0 && !isFirst) return null;
    isFirst = false;
    return shown;
  };
}
