/** Options of a round select, latest first. */
import { useRounds } from '../data/rounds.ts';
import { useDeskText } from '../words/desk-text.ts';

export function useRoundOptions(): { value: string; label: string }[] {
  const { t } = useDeskText();
  return useRounds().rounds.map(({ id, name, state }) => ({
    value: id,
    label: state === 'OPEN' ? name : t('rounds.closedName', { name }),
  }));
}
