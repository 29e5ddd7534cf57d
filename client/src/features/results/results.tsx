/** The estimates of one outcome: the figure with its interval in words first, then what speaks against it, then the rest. */
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { FilterBar, useFilters } from '../../desk/filters.tsx';
import { ListSkeleton } from '../../desk/list-page.tsx';
import { PartByPart } from '../../desk/part-by-part.tsx';
import { useGet } from '../../desk/use-list.tsx';
import { useProblemText } from '../../problem-text.ts';
import { FormError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { AsOf } from './as-of.tsx';
import { Between } from './between.tsx';
import { Bottleneck } from './bottleneck.tsx';
import { Convergence } from './convergence.tsx';
import { EstimatesChart } from './estimates-chart.tsx';
import { Headline } from './headline.tsx';
import { levelsOf } from './levels.ts';
import { type EstimateFilters, PopulationSize } from './population-size.tsx';
import { ResultsPage } from './results-page.tsx';
import { useResultsText } from './results-text.ts';
import { ESTIMATE_FILTERS, type Estimates, estimatesPath } from './results-wire.ts';
import { SampleCard } from './sample-card.tsx';
import { NoOutcomes, OutcomeSelect, SampleFilters } from './sample-filter.tsx';
import { NetworkSizes, Waves } from './sample-pictures.tsx';
import { type Outcomes, useOutcomes } from './use-outcomes.ts';
import { useIntervalRuns } from './use-runs.ts';
import { Warnings } from './warnings.tsx';

export default function Results() {
  const filters = useFilters(ESTIMATE_FILTERS);
  const [isThere, setThere] = useState(false);
  const outcomes = useOutcomes({ counted: isThere });
  const outcome = filters.values.outcome || outcomes.first;
  return (
    <ResultsPage page="estimates">
      {outcomes.error && !outcomes.outcomes ? <FormError error={outcomes.error} /> : null}
      {outcomes.outcomes?.length === 0 ? <NoOutcomes /> : null}
      {outcome ? (
        <>
          <Choice filters={filters} outcomes={outcomes} outcome={outcome} />
          <Answer filters={filters} outcomes={outcomes} outcome={outcome} whenThere={() => setThere(true)} />
        </>
      ) : null}
      {!outcome && !outcomes.outcomes && !outcomes.error ? <Waiting /> : null}
    </ResultsPage>
  );
}

function Waiting() {
  const { t } = useResultsText();
  return <ListSkeleton label={t('estimates.title')} rows={10} />;
}

interface PartProps {
  filters: EstimateFilters;
  outcomes: Outcomes;
  outcome: string;
}

function Choice({ filters, outcomes, outcome }: PartProps): ReactNode {
  const { t } = useResultsText();
  const narrowed = ESTIMATE_FILTERS.filter((name) => name !== 'outcome' && filters.values[name] !== '');
  const clear = () => {
    for (const name of narrowed) filters.set(name, '');
  };
  return (
    <>
      <FilterBar filters={{ any: narrowed.length > 0, clear }}>
        <OutcomeSelect
          label={t('outcome')}
          value={outcome}
          outcomes={outcomes.outcomes ?? []}
          onChange={(name) => filters.set('outcome', name)}
        />
        <SampleFilters filters={filters} />
      </FilterBar>
      <PopulationSize filters={filters} />
    </>
  );
}

function Answer({ filters, outcomes, outcome, whenThere }: PartProps & { whenThere(): void }) {
  const problem = useProblemText();
  const { desk } = useResultsText();
  const query = { ...filters.values, outcome };
  const asked = useGet<Estimates>(estimatesPath(query), { every: 60_000 });
  const runs = useIntervalRuns(query, () => void asked.refetch());
  const estimates = asked.data;
  const isThere = estimates !== undefined;
  useEffect(() => {
    if (isThere) whenThere();
  });
  if (!estimates) return asked.error ? <FormError error={asked.error} /> : <Waiting />;
  const title = outcomes.titleOf(estimates.outcome);
  return (
    <div className="results-answer" data-stale={asked.isPlaceholderData || undefined}>
      {asked.error ? (
        <Notice tone="warn" title={desk('common.old')}>
          {problem(asked.error)}
        </Notice>
      ) : null}
      <Told estimates={estimates} title={title} runs={runs} />
      <AsOf at={estimates.asOf} anew={asked.isFetching} />
    </div>
  );
}

interface ToldProps {
  estimates: Estimates;
  title: string;
  runs: ReturnType<typeof useIntervalRuns>;
}

function Told({ estimates, title, runs }: ToldProps) {
  const { t } = useResultsText();
  // The figures at once, the pictures as soon as there is time.
  const drawn = useDeferredValue(estimates, null);
  const { sample, warnings } = estimates;
  if (sample.n === 0)
    return (
      <Notice tone="info" title={t('estimates.nobody')}>
        {t('estimates.nobodyWhat')}
      </Notice>
    );
  return (
    <>
      <Headline estimates={estimates} title={title} runs={runs} />
      <Warnings warnings={warnings} />
      {drawn ? (
        <PartByPart>
          <EstimatesChart estimates={drawn} title={title} gile={runs.gile} />
          <Convergence estimates={drawn} title={title} />
          <div className="results-pair">
            <PartByPart>
              {drawn.bottleneck.length > 0 ? <Bottleneck estimates={drawn} title={title} /> : null}
              {drawn.transitions && levelsOf(drawn).length > 1 ? <Between estimates={drawn} /> : null}
              <SampleCard estimates={drawn} />
              {drawn.byWave.length > 0 ? (
                <>
                  <Waves byWave={drawn.byWave} />
                  <NetworkSizes networkSizes={drawn.networkSizes} />
                </>
              ) : null}
            </PartByPart>
          </div>
        </PartByPart>
      ) : null}
    </>
  );
}
