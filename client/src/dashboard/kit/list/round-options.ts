/** Options of a round select, latest first. */
import { useRounds } from '../data/rounds.ts';
import { useDashboardText } from '../words/dashboard-text.ts';

export function useRoundOptions(): { value: string; label: string }[] {
  const { t } = useDashboardText();
  return useRounds().rounds.map(({ id, name, state }) => ({
    value: id,
    label: state === 'OPEN' ? name : t('rounds.closedName', { name }),
  }));
}
