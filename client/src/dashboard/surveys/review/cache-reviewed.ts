import { queryKeys } from '../../../session/query-keys.ts';
import { currentQueryClient } from '../../../session/records.ts';
import type { Survey } from '../../../wire.ts';
import { refreshQueries, refreshQueriesSoon } from '../../kit/data/use-list.tsx';
import { commentsPath, surveyApiPath } from '../survey-paths.ts';

/**
 * Caches the interview from the reply to a review. Its answers, people, and rounds haven't changed, so they aren't
 * refetched.
 */
export function cacheReviewed(owner: string, survey: Survey, isCommented: boolean): void {
  const own = surveyApiPath(survey.id);
  const untouched = [
    '/api/users',
    '/api/rounds',
    'waiting-people',
    `${own}/answers`,
    commentsPath(survey.id),
  ];
  refreshQueriesSoon((path) => path !== own && !untouched.some((start) => path.startsWith(start)));
  currentQueryClient().setQueryData(queryKeys.answer(owner, own), survey);
  if (isCommented) void refreshQueries((path) => path.startsWith(commentsPath(survey.id)));
}
