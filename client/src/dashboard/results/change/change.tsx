/** The change between two rounds: of an answer's share, and of the number of people. */
import { withQuery } from '../../../session/api.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { type ListedRound, useRounds } from '../../kit/data/rounds.ts';
import { useGet } from '../../kit/data/use-list.tsx';
import { useFilters } from '../../kit/list/address.ts';
import { PendingContent } from '../../kit/list/dashboard-page.tsx';
import { FilterBar } from '../../kit/list/filters.tsx';
import { ResultsPageFrame } from '../kit/results-page.tsx';
import type { OutcomeComparison } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { OutcomeSelect } from '../sample-filter.tsx';
import { type LoadedOutcomes, useOutcomes } from '../use-outcomes.ts';
import { OutcomeChangeView } from './change-view.tsx';
import { CountComparisonCard } from './count-change.tsx';
import { DetectableChangeCard } from './planned-change.tsx';

const FILTERS = ['outcome', 'from', 'to'] as const;

export default function RoundComparisonPage() {
  const { t } = useResultsPageText();
  const { rounds, isKnown, error } = useRounds();
  const outcomes = useOutcomes();
  return (
    <ResultsPageFrame page="change">
      {isKnown && rounds.length > 0 && outcomes.outcomes ? (
        <ChangeFilters rounds={rounds} outcomes={outcomes} />
      ) : (
        <PendingContent error={error ?? outcomes.error} label={t('change.title')} />
      )}
    </ResultsPageFrame>
  );
}

interface ChosenProps {
  /** Latest first. */
  rounds: ListedRound[];
  outcomes: LoadedOutcomes;
}

function ChangeFilters({ rounds, outcomes }: ChosenProps) {
  const { t } = useResultsPageText();
  const { values, set, ...filters } = useFilters(FILTERS);
  const offered = (outcomes.outcomes ?? []).filter(({ decidesEligibility }) => !decidesEligibility);
  const outcome =
    values.outcome || (offered.find(({ coversEveryone }) => coversEveryone) ?? offered[0])?.name || '';
  const find = (id: string) => rounds.find((one) => one.id === id);
  const to = find(values.to) ?? rounds[0];
  const from = find(values.from) ?? rounds[1];
  const round = (name: 'from' | 'to', value: string) => (
    <SelectField
      label={t(`change.${name}`)}
      value={value}
      options={rounds.map((one) => ({ value: one.id, label: one.name }))}
      onChange={(id) => set(name, id)}
    />
  );
  return (
    <>
      <FilterBar filters={filters}>
        <OutcomeSelect
          label={t('outcome')}
          value={outcome}
          outcomes={offered}
          onChange={(name) => set('outcome', name)}
        />
        {from && to ? (
          <>
            {round('from', from.id)}
            {round('to', to.id)}
          </>
        ) : null}
      </FilterBar>
      {from && to ? (
        <ChangeBetween outcome={outcome} title={outcomes.titleOf(outcome)} from={from} to={to} />
      ) : (
        <>
          <Notice tone="info" title={t('change.oneRound')} />
          {to ? <DetectableChangeCard outcome={outcome} from={to} to={null} /> : null}
        </>
      )}
    </>
  );
}

interface BetweenProps {
  outcome: string;
  title: string;
  from: ListedRound;
  to: ListedRound;
}

function ChangeBetween({ outcome, title, from, to }: BetweenProps) {
  const { t } = useResultsPageText();
  if (from.id === to.id) return <Notice tone="info" title={t('change.sameRound')} />;
  return <ChangeLoader outcome={outcome} title={title} from={from} to={to} />;
}

function ChangeLoader({ outcome, title, from, to }: BetweenProps) {
  const { t } = useResultsPageText();
  const path = withQuery('/api/analysis/change', { outcome, from: from.id, to: to.id });
  const change = useGet<OutcomeComparison>(path, { refetchInterval: 5 * 60_000 });
  return (
    <>
      {change.data ? (
        <OutcomeChangeView change={change.data} title={title} again={() => void change.refetch()} />
      ) : (
        <PendingContent error={change.error} label={t('change.title')} />
      )}
      {to.state === 'OPEN' ? <DetectableChangeCard outcome={outcome} from={from} to={to} /> : null}
      <CountComparisonCard from={from} to={to} above={change.data} />
    </>
  );
}
