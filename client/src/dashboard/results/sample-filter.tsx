/** Selects the outcome and the part of the sample. */
import { useAbility } from '../../session/session.tsx';
import { SelectField } from '../../ui/choice.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { ListFilters } from '../kit/list/address.ts';
import { DayFilter, SiteFilter } from '../kit/list/filter-fields.tsx';
import { titleIn } from './kit/format-figures.ts';
import type { ListedOutcome } from './kit/results-wire.ts';
import { useResultsPageText } from './results-text.ts';

interface OutcomeSelectProps {
  label: string;
  value: string;
  outcomes: ListedOutcome[];
  onChange(name: string): void;
  error?: string | undefined;
}

/** Once the counts are known, questions without answers come last, under their own heading. */
function useChoices(outcomes: ListedOutcome[]) {
  const { t, language } = useResultsPageText();
  const [answered, unanswered] = [true, false].map((isAnswered) =>
    outcomes
      .filter(({ known }) => (known !== 0) === isAnswered)
      .map(({ name, title }) => ({ value: name, label: titleIn(title, language, name) })),
  );
  if (!unanswered?.length) return answered ?? [];
  return [
    ...(answered?.length ? [{ group: t('answered'), items: answered }] : []),
    { group: t('unanswered'), items: unanswered },
  ];
}

export function OutcomeSelect({ label, value, outcomes, onChange, error }: OutcomeSelectProps) {
  const { t } = useResultsPageText();
  const choices = useChoices(outcomes);
  return (
    <SelectField
      className="dashboard-filter-wide"
      label={label}
      value={value}
      error={error}
      onChange={onChange}
      none={value === '' && t('chooseOutcome')}
      options={choices}
    />
  );
}

/** Only super admins can filter by day: subtracting two results could reveal what a few people said. */
export const useMayNarrowDays = (): boolean => useAbility().can('manage', 'all');

/** Site and days, as in the list of interviews. */
export function SampleFilters({ filters }: { filters: ListFilters<'location' | 'from' | 'to'> }) {
  const { t } = useResultsPageText();
  const { location, from, to } = filters.values;
  return (
    <>
      <SiteFilter value={location} onChange={(value) => filters.set('location', value)} />
      {useMayNarrowDays() ? (
        <>
          <DayFilter label={t('arrivedFrom')} value={from} onChange={(value) => filters.set('from', value)} />
          <DayFilter label={t('arrivedTo')} value={to} onChange={(value) => filters.set('to', value)} />
        </>
      ) : null}
    </>
  );
}

export function NoOutcomes() {
  const { t } = useResultsPageText();
  return (
    <Notice tone="info" title={t('noOutcomes')}>
      {t('noOutcomesWhat')}
    </Notice>
  );
}
