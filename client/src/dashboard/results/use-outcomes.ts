/** The outcomes that can be estimated, and the names of their levels. */
import { defaultOutcome } from '../../../../src/statistics/results/default-choice.ts';
import { withQuery } from '../../session/api.ts';
import { useRoundParam } from '../kit/data/rounds.ts';
import { useGet } from '../kit/data/use-list.tsx';
import { titleIn } from './kit/format-figures.ts';
import { OUTCOMES_PATH, type OutcomeChoices } from './kit/outcome-paths.ts';
import { useResultsPageText } from './results-text.ts';

const MINUTE = 60_000;

/**
 * `counted`: loads how many people answered each question and what. With many interviews, counting takes seconds of
 * server time, so pages request it only after showing their main content.
 */
export function useOutcomes({ counted = true } = {}) {
  const { language } = useResultsPageText();
  const round = useRoundParam();
  const offered = useGet<OutcomeChoices>(withQuery(OUTCOMES_PATH, { counted: 'false', round }));
  const query = useGet<OutcomeChoices>(withQuery(OUTCOMES_PATH, { round }), {
    refetchInterval: 5 * MINUTE,
    enabled: counted,
  });
  const outcomes = (query.data ?? offered.data)?.data;
  const find = (name: string | null) => outcomes?.find((outcome) => outcome.name === name);
  return {
    outcomes,
    isCounted: query.data !== undefined,
    error: query.error ?? offered.error,
    find,
    // Doesn't change when the counts arrive.
    first: defaultOutcome(outcomes ?? []) ?? '',
    titleOf: (name: string) => titleIn(find(name)?.title, language, name),
    levelOf: (name: string, value: string) =>
      titleIn(find(name)?.levels?.find((level) => level.value === value)?.title, language, value),
  };
}

export type LoadedOutcomes = ReturnType<typeof useOutcomes>;
