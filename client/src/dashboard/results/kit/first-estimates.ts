/** The estimates page's first request, sent while the page itself loads. */
import { defaultOutcome } from '../../../../../src/statistics/results/default-choice.ts';
import { paramsIn } from '../../../session/api.ts';
import { ESTIMATE_FILTERS, estimatesPath, type ListedOutcome } from './results-wire.ts';

export function firstEstimatesPath(search: URLSearchParams, outcomes: ListedOutcome[]): string {
  const filters = paramsIn(search, ESTIMATE_FILTERS);
  return estimatesPath({ ...filters, outcome: (filters.outcome || defaultOutcome(outcomes)) ?? '' });
}
