/** Compares one outcome across groups, such as women and men, or two sites. */
import { useEffect, useState } from 'react';
import { defaultGroupingVariable } from '../../../../src/statistics/results/default-choice.ts';
import { withQuery } from '../../session/api.ts';
import { SelectField } from '../../ui/choice.tsx';
import { FormError } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useGet } from '../kit/data/use-list.tsx';
import { type ListFilters, useFilters } from '../kit/list/address.ts';
import { PendingContent } from '../kit/list/dashboard-page.tsx';
import { FilterBar } from '../kit/list/filters.tsx';
import { type PointGroup, PointsChart } from './chart/points-chart.tsx';
import { AsOf } from './kit/as-of.tsx';
import { percentageText, titleIn, useFigureFormatters } from './kit/format-figures.ts';
import { headlineLevels, useLevelTitle, useSuppressedFigureText } from './kit/levels.ts';
import { NotAskedCount } from './kit/not-asked.tsx';
import { ResultsPageFrame } from './kit/results-page.tsx';
import { type EstimateLevel, type GroupComparison, SAMPLE_FILTERS } from './kit/results-wire.ts';
import { useResultsPageText } from './results-text.ts';
import { NoOutcomes, OutcomeSelect, SampleFilters } from './sample-filter.tsx';
import { type LoadedOutcomes, useOutcomes } from './use-outcomes.ts';

const NAMES = ['outcome', 'by', ...SAMPLE_FILTERS] as const;
type CompareFilters = ListFilters<(typeof NAMES)[number]>;

export default function OutcomeComparisonPage() {
  const { t } = useResultsPageText();
  const filters = useFilters(NAMES);
  const [isThere, setThere] = useState(false);
  const outcomes = useOutcomes({ counted: isThere });
  const all = outcomes.outcomes ?? [];
  const groups = all.filter(({ kind }) => kind === 'CATEGORY');
  const outcome = filters.values.outcome || outcomes.first;
  const by = filters.values.by || (defaultGroupingVariable(all, outcome) ?? '');
  return (
    <ResultsPageFrame page="compare">
      {outcomes.error && !outcomes.outcomes ? <FormError error={outcomes.error} /> : null}
      {outcomes.outcomes?.length === 0 ? <NoOutcomes /> : null}
      {all.length > 0 ? (
        <FilterBar filters={filters}>
          <OutcomeSelect
            label={t('outcome')}
            value={outcome}
            outcomes={all}
            onChange={(name) => filters.set('outcome', name)}
          />
          <OutcomeSelect
            label={t('compare.by')}
            value={by}
            outcomes={groups}
            onChange={(name) => filters.set('by', name)}
          />
          <SampleFilters filters={filters} />
        </FilterBar>
      ) : null}
      {outcome && by ? (
        <Compared
          filters={filters}
          outcomes={outcomes}
          outcome={outcome}
          by={by}
          whenThere={() => setThere(true)}
        />
      ) : null}
    </ResultsPageFrame>
  );
}

interface ComparedProps {
  filters: CompareFilters;
  outcomes: LoadedOutcomes;
  outcome: string;
  by: string;
  whenThere(): void;
}

function Compared({ filters, outcomes, outcome, by, whenThere }: ComparedProps) {
  const { t } = useResultsPageText();
  const { round, location, from, to } = filters.values;
  const query = useGet<GroupComparison>(
    withQuery('/api/analysis/compare', { outcome, by, round, location, from, to }),
    {
      refetchInterval: 60_000,
    },
  );
  const comparison = query.data;
  const isThere = comparison !== undefined;
  useEffect(() => {
    if (isThere) whenThere();
  });
  if (!comparison || (query.error && query.isPlaceholderData))
    return <PendingContent error={query.error} label={t('compare.title')} rows={8} />;
  if (comparison.groups.length === 0) return <Notice tone="info" title={t('compare.nobody')} />;
  return (
    <div className="column results-answer" data-stale={query.isPlaceholderData || undefined}>
      <ComparisonChart comparison={comparison} outcomes={outcomes} />
      <AsOf at={comparison.asOf} anew={query.isFetching} />
    </div>
  );
}

function ComparisonChart({
  comparison,
  outcomes,
}: {
  comparison: GroupComparison;
  outcomes: LoadedOutcomes;
}) {
  const { t, language } = useResultsPageText();
  const { groups, outcome, by, notAsked } = comparison;
  const kind = outcomes.find(outcome)?.kind ?? 'CATEGORY';
  const { short, exact, count, tick, cells } = useFigureFormatters(kind);
  const hidden = useSuppressedFigureText();
  const titleOf = useLevelTitle();
  const levels = levelsIn(comparison);
  const [wished, wish] = useState<string | null>(null);
  const chosen = levels.find(({ value }) => value === wished) ?? headlineLevel(levels) ?? levels[0];
  const names = { outcome: outcomes.titleOf(outcome), by: outcomes.titleOf(by) };
  // The answer in the chart, also for the title of the saved picture.
  const about = kind === 'CATEGORY' && chosen ? `${names.outcome}: ${titleOf(chosen)}` : names.outcome;
  const nameOf = (value: string | null) =>
    titleIn(groups.find((group) => group.value === value)?.title, language, value ?? '–');
  const differences = comparison.differences.filter(({ value }) => value === (chosen?.value ?? null));
  const rows = groups.map((group): PointGroup => {
    const level = group.levels.find(({ value }) => value === chosen?.value);
    const closed = group.hidden || level?.hidden;
    const says = closed ? hidden : short(level?.rds2);
    return {
      key: group.value ?? '',
      title: `${titleIn(group.title, language, group.value ?? '–')} (${group.known === null ? hidden : t('compare.people', { number: count(group.known) })})`,
      rows: closed
        ? [{ key: 'hidden', label: '', value: null, says: hidden }]
        : [
            {
              key: 'rds2',
              label: t('estimator.rds2'),
              value: level?.rds2 ?? null,
              low: level?.interval?.low,
              high: level?.interval?.high,
              says,
              main: true,
            },
            { key: 'mean', label: t('estimator.mean'), value: level?.mean ?? null, says: short(level?.mean) },
          ],
    };
  });
  return (
    <>
      {levels.length > 1 ? (
        <div className="dashboard-filters">
          <SelectField
            className="dashboard-filter-wide"
            label={t('compare.level')}
            value={chosen?.value ?? ''}
            onChange={wish}
            options={levels.map((level) => ({ value: level.value ?? '', label: titleOf(level) }))}
          />
        </div>
      ) : null}
      <PointsChart
        name={t('compare.picture', { ...names, outcome: about })}
        says={`${chosen ? titleOf(chosen) : ''}. ${rows.map(({ title, rows: [row] }) => `${title}: ${row?.says ?? ''}`).join('; ')}`}
        how={t('compare.how', { confidence: percentageText(0.95, language) })}
        groups={rows}
        fromZero={kind === 'CATEGORY'}
        tick={tick}
        axis={kind === 'CATEGORY' && chosen ? titleOf(chosen) : t('table.estimate')}
        table={{
          head: [names.by, t('people'), t('known'), ...levels.map((level) => titleOf(level))],
          rows: groups.map((group) => [
            titleIn(group.title, language, group.value ?? '–'),
            group.count,
            group.known,
            ...levels.map(({ value }) => {
              const level = group.levels.find((one) => one.value === value);
              return group.hidden || level?.hidden ? hidden : (level?.rds2 ?? null);
            }),
          ]),
        }}
        write={(cell, column) =>
          cells({ 1: 'count', 2: 'count' }, { none: column === 1 || column === 2 ? hidden : '–' })(
            cell,
            column,
          )
        }
      >
        {differences.length > 0 ? (
          <details className="more">
            <summary>{t('compare.differences')}</summary>
            <p className="note">{t('compare.differencesHow')}</p>
            <ul>
              {differences.map(({ one, other, difference, low, high }) => (
                <li key={`${one} ${other}`}>
                  {`${t('compare.difference', { one: nameOf(one), other: nameOf(other) })}: ${exact(difference)} (${exact(low)} – ${exact(high)})`}
                </li>
              ))}
            </ul>
          </details>
        ) : null}
        {([outcome, by] as const).map((name, at) => (
          <NotAskedCount
            key={name}
            people={at === 0 ? notAsked.outcome : notAsked.by}
            question={at === 0 ? names.outcome : names.by}
          />
        ))}
      </PointsChart>
    </>
  );
}

type ComparedLevel = Pick<EstimateLevel, 'value' | 'title' | 'rds2'>;

/** The levels of all groups, in order of first appearance. */
function levelsIn({ groups }: GroupComparison): ComparedLevel[] {
  const levelByValue = new Map<string | null, ComparedLevel>();
  for (const { levels } of groups)
    for (const { value, title, rds2 } of levels)
      if (!levelByValue.has(value)) levelByValue.set(value, { value, title, rds2 });
  return [...levelByValue.values()];
}

const headlineLevel = (levels: ComparedLevel[]) => headlineLevels({ levels: levels as EstimateLevel[] })[0];
