/** The estimates page's first request, sent while the page itself loads. */
import { defaultOutcome } from '../../../../../src/statistics/results/default-choice.ts';
import { readParams } from '../../../session/api.ts';
import { ESTIMATE_FILTERS, estimatesRequestPath, type ListedOutcome } from './results-wire.ts';

export function firstEstimatesRequestPath(search: URLSearchParams, outcomes: ListedOutcome[]): string {
  const filters = readParams(search, ESTIMATE_FILTERS);
  return estimatesRequestPath({ ...filters, outcome: (filters.outcome || defaultOutcome(outcomes)) ?? '' });
}
