/** The estimates of one outcome: first the figure and its interval in words, then warnings, then details. */
import { type ReactNode, useDeferredValue, useEffect, useState } from 'react';
import { FormError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import { StagedRender } from '../kit/data/staged-render.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import { useFilters } from '../kit/list/address.ts';
import { PendingContent, StaleDataNotice } from '../kit/list/dashboard-page.tsx';
import { FilterBar } from '../kit/list/filters.tsx';
import { FactList } from '../kit/words/fact-list.tsx';
import { BarsChart } from './chart/bars-chart.tsx';
import { type EstimateFilters, PopulationSize } from './counts/population-size.tsx';
import { Bottleneck } from './estimates/bottleneck.tsx';
import { Convergence } from './estimates/convergence.tsx';
import { EstimatesChart } from './estimates/estimates-chart.tsx';
import { EstimatesHeadline } from './estimates/headline.tsx';
import { RecruitmentMatrix } from './estimates/recruitment-matrix.tsx';
import { AnswerHistogram } from './estimates/spread-chart.tsx';
import { Standardized } from './estimates/standardized.tsx';
import { EstimateWarnings } from './estimates/warnings.tsx';
import { AsOf } from './kit/as-of.tsx';
import { useFigureFormatters } from './kit/format-figures.ts';
import { NotAskedCount } from './kit/not-asked.tsx';
import { ResultsPageFrame } from './kit/results-page.tsx';
import { ESTIMATE_FILTERS, type Estimates, estimatesRequestPath } from './kit/results-wire.ts';
import { useResultsPageText } from './results-text.ts';
import { NoOutcomes, OutcomeSelect, SampleFilters } from './sample-filter.tsx';
import { type LoadedOutcomes, useOutcomes } from './use-outcomes.ts';
import { useIntervalRuns } from './use-runs.ts';

export default function EstimatesPage() {
  const filters = useFilters(ESTIMATE_FILTERS);
  const [isThere, setThere] = useState(false);
  const outcomes = useOutcomes({ counted: isThere });
  const outcome = filters.values.outcome || outcomes.first;
  return (
    <ResultsPageFrame page="estimates">
      {outcome && !outcomes.outcomes ? <FormError error={outcomes.error} /> : null}
      {outcomes.outcomes?.length === 0 ? <NoOutcomes /> : null}
      {outcome ? (
        <>
          <FilterFields filters={filters} outcomes={outcomes} outcome={outcome} />
          <Estimate
            filters={filters}
            outcomes={outcomes}
            outcome={outcome}
            whenThere={() => setThere(true)}
          />
        </>
      ) : null}
      {outcome || outcomes.outcomes ? null : <PendingEstimates error={outcomes.error} />}
    </ResultsPageFrame>
  );
}

function PendingEstimates({ error }: { error: unknown }) {
  const { t } = useResultsPageText();
  return <PendingContent error={error} label={t('estimates.title')} rows={10} />;
}

interface PartProps {
  filters: EstimateFilters;
  outcomes: LoadedOutcomes;
  outcome: string;
}

function FilterFields({ filters, outcomes, outcome }: PartProps): ReactNode {
  const { t } = useResultsPageText();
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

function Estimate({ filters, outcomes, outcome, whenThere }: PartProps & { whenThere(): void }) {
  const query = { ...filters.values, outcome };
  const estimatesQuery = useGet<Estimates>(estimatesRequestPath(query), { refetchInterval: 60_000 });
  const runs = useIntervalRuns(query, () => void estimatesQuery.refetch());
  const estimates = estimatesQuery.data;
  const isThere = estimates !== undefined;
  useEffect(() => {
    if (isThere) whenThere();
  });
  if (!estimates) return <PendingEstimates error={estimatesQuery.error} />;
  const title = outcomes.titleOf(estimates.outcome);
  return (
    <div className="column results-answer" data-stale={estimatesQuery.isPlaceholderData || undefined}>
      <StaleDataNotice error={estimatesQuery.error} />
      <EstimateDetails estimates={estimates} title={title} runs={runs} />
      <AsOf at={estimates.asOf} anew={estimatesQuery.isFetching} />
    </div>
  );
}

interface EstimateDetailsProps {
  estimates: Estimates;
  title: string;
  runs: ReturnType<typeof useIntervalRuns>;
}

function EstimateDetails({ estimates, title, runs }: EstimateDetailsProps) {
  const { t } = useResultsPageText();
  // Figures render first, charts when there is time.
  const drawn = useDeferredValue(estimates, null);
  const { sample, warnings } = estimates;
  if (sample.n === 0)
    return (
      <Notice tone="info" title={t('estimates.nobody')}>
        {t('estimates.nobodyWhat')}
      </Notice>
    );
  if (sample.known === 0)
    return (
      <>
        <Card heading={title}>
          <p>{t('answers.nothing')}</p>
          <NotAskedCount people={sample.notAsked} />
        </Card>
        <SampleCard estimates={estimates} />
      </>
    );
  return (
    <>
      <div className="results-pair">
        <div className="column">
          <EstimatesHeadline estimates={estimates} title={title} runs={runs} />
          <EstimateWarnings warnings={warnings} />
        </div>
        {drawn ? <EstimatesChart estimates={drawn} title={title} /> : null}
      </div>
      {drawn ? (
        <StagedRender>
          {drawn.standardised ? <Standardized estimates={drawn} standardized={drawn.standardised} /> : null}
          <Convergence estimates={drawn} title={title} />
          {drawn.bottleneck.length > 0 ? <Bottleneck estimates={drawn} title={title} /> : null}
          <div className="dashboard-cards" style={{ columns: '2 420px' }}>
            <StagedRender>
              {drawn.transitions && drawn.levels.length > 1 ? <RecruitmentMatrix estimates={drawn} /> : null}
              <SampleCard estimates={drawn} />
              {drawn.byWave.length > 0 ? (
                <>
                  <Waves byWave={drawn.byWave} />
                  <NetworkSizes networkSizes={drawn.networkSizes} />
                </>
              ) : null}
            </StagedRender>
          </div>
        </StagedRender>
      ) : null}
    </>
  );
}

/** The sample: its size, its waves, and how many others its people know. */
function SampleCard({ estimates: { sample } }: { estimates: Estimates }) {
  const { t } = useResultsPageText();
  const { count, short, ratio } = useFigureFormatters('CATEGORY');
  return (
    <Card heading={t('sample.title')}>
      <FactList
        facts={[
          [t('sample.n'), count(sample.n)],
          [t('sample.known'), count(sample.known)],
          [t('sample.missing'), count(sample.missing)],
          sample.notAsked > 0 && [t('sample.notAsked'), count(sample.notAsked)],
          [t('sample.seeds'), count(sample.seeds)],
          [t('sample.orphans'), count(sample.orphans)],
          [t('sample.waves'), count(sample.waves)],
          [t('sample.largestChain'), short(sample.largestChain)],
          [t('sample.numberOfChains'), ratio(sample.numberOfChains)],
          [t('sample.sizeMissing'), count(sample.sizeMissing + sample.sizeZero)],
          [t('sample.populationSize'), count(sample.populationSize)],
        ]}
      />
      <p className="note">{t('sample.what')}</p>
    </Card>
  );
}

/** Later waves share one bar; the table has all. */
const MAX_WAVES = 20;

/** How far the chains have reached, and how many others people know, which determines the weights. */
function Waves({ byWave }: Pick<Estimates, 'byWave'>) {
  const { t, shared } = useResultsPageText();
  const { count } = useFigureFormatters('CATEGORY');
  const nameOf = (wave: number) => (wave === 0 ? shared('board.seeds') : shared('tree.wave', { wave }));
  const rows = byWave.slice(0, MAX_WAVES).map((people, wave) => ({ label: nameOf(wave), people }));
  const later = byWave.slice(MAX_WAVES).reduce((sum, people) => sum + people, 0);
  if (later > 0) rows.push({ label: t('sample.laterWaves'), people: later });
  return (
    <BarsChart
      name={shared('board.waves')}
      how={t('sample.byWaveHow')}
      rows={rows.map(({ label, people }) => ({ key: label, label, value: people, says: count(people) }))}
      table={{
        head: [shared('tree.waveWord'), t('answers.count')],
        rows: byWave.map((people, wave) => [nameOf(wave), people]),
      }}
    />
  );
}

function NetworkSizes({ networkSizes }: Pick<Estimates, 'networkSizes'>) {
  const { t } = useResultsPageText();
  const { short } = useFigureFormatters('NUMBER');
  const name = t('sample.sizes');
  if (!networkSizes)
    return (
      <Card heading={name}>
        <p className="note">{t('sample.sizesNot')}</p>
      </Card>
    );
  const { bars, lowerQuartile, median, upperQuartile } = networkSizes;
  const quartiles = { low: short(lowerQuartile), high: short(upperQuartile), median: short(median) };
  const how = t('sample.sizesHow', quartiles);
  // If all values are equal, there is a single bar without bounds.
  return bars.length > 1 ? (
    <AnswerHistogram name={name} how={how} bars={bars} />
  ) : (
    <Card heading={name}>
      <p className="note">{how}</p>
    </Card>
  );
}
