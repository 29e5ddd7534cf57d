/** The select field for the round in the page's URL. Hidden if there is only one round. */
import { SelectField } from '../../../ui/choice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { useRounds, useSelectedRound } from '../data/rounds.ts';
import { useDashboardText } from '../words/dashboard-text.ts';
import { useFilters } from './address.ts';
import { useRoundOptions } from './round-options.ts';

export function RoundSelect() {
  const { t } = useDashboardText();
  const filters = useFilters(['round']);
  const options = useRoundOptions();
  const { current } = useRounds();
  if (options.length < 2) return null;
  return (
    <SelectField
      className="no-print"
      aria-label={t('audit.field.round')}
      value={filters.values.round || (current?.id ?? '')}
      onChange={(value) => filters.set('round', value)}
      options={options}
    />
  );
}

/** Explains why a page offers less than usual; renders nothing for an open round. */
export function SelectedRoundClosedNotice() {
  const round = useSelectedRound();
  return round ? <RoundClosedNotice round={round.id} /> : null;
}

export function RoundClosedNotice({ round }: { round: string }) {
  const { t } = useDashboardText();
  const chosen = useRounds().rounds.find(({ id }) => id === round);
  return chosen?.state === 'CLOSED' ? (
    <Notice tone="info" title={t('rounds.isClosed', { name: chosen.name })}>
      {t('rounds.readOnly')}
    </Notice>
  ) : null;
}
