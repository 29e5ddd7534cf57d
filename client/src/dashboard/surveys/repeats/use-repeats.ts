import type { SurveyListItem } from '../../../wire.ts';
import { useList } from '../../kit/data/use-list.tsx';

const PAGE_SIZE = '200';

/** Interviews with people who may have been interviewed before, without those decided or rejected. */
export function usePossibleRepeats(asking: { enabled?: boolean; refetchInterval?: number } = {}) {
  const { rows, error } = useList<SurveyListItem>(
    '/api/surveys',
    { flag: 'POSSIBLE_REPEAT', limit: PAGE_SIZE },
    asking,
  );
  return { repeats: rows?.filter(({ review }) => review.state !== 'REJECTED'), error };
}
