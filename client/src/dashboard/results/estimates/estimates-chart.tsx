/** Estimators compared. If they differ a lot, none can be trusted much. */
import { FactList } from '../../kit/words/fact-list.tsx';
import { type PointGroup, type PointRow, PointsChart } from '../chart/points-chart.tsx';
import type { TableData } from '../chart/save-chart.ts';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { mainInterval, useLevelTitle, useSuppressedFigureText } from '../kit/levels.ts';
import { NotAskedCount } from '../kit/not-asked.tsx';
import type { EstimateLevel, Estimates } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

const ESTIMATORS = ['rds2', 'trimmed', 'ss', 'rds1', 'mean'] as const;
type EstimatorName = (typeof ESTIMATORS)[number];
/** Names of the estimators in the service's notes. */
const ESTIMATOR_CODES: Record<EstimatorName, string> = {
  rds2: 'RDS_II',
  trimmed: 'TRIMMED',
  ss: 'SS',
  rds1: 'RDS_I',
  mean: 'MEAN',
};

/** More would be too much for a chart; the table has all of them. */
const MAX_LEVELS = 12;

interface EstimatesChartProps {
  estimates: Estimates;
  title: string;
}

export function EstimatesChart({ estimates, title }: EstimatesChartProps) {
  const { t } = useResultsPageText();
  const { kind, levels } = estimates;
  const { short, tick, cells } = useFigureFormatters(kind);
  const titleOf = useLevelTitle();
  const hidden = useSuppressedFigureText();
  const why = useMissingReason(estimates);
  const intervalOf = (level: EstimateLevel, name: EstimatorName) =>
    name === 'rds2' ? mainInterval(estimates, level) : name === 'ss' ? level.ssInterval : null;
  const row = (level: EstimateLevel, name: EstimatorName): PointRow => {
    const value = level[name];
    const interval = intervalOf(level, name);
    return {
      key: name,
      label: t(`estimator.${name}`),
      value,
      low: interval?.low,
      high: interval?.high,
      says: value === null ? why(name) : short(value),
      main: name === 'rds2',
    };
  };
  const groups = levels.slice(0, MAX_LEVELS).map(
    (level): PointGroup => ({
      key: level.value ?? '',
      title: titleOf(level),
      rows: level.hidden
        ? [{ key: 'hidden', label: '', value: null, says: hidden }]
        : ESTIMATORS.map((name) => row(level, name)),
    }),
  );
  const table: TableData = {
    head: [
      t('level'),
      t('people'),
      ...ESTIMATORS.map((name) => t(`estimator.${name}`)),
      t('table.low'),
      t('table.high'),
      t('table.standardError'),
      t('table.effectiveSize'),
      t('table.cautiousLow'),
      t('table.cautiousHigh'),
      t('table.ssLow'),
      t('table.ssHigh'),
    ],
    rows: levels.map((level) => {
      if (level.hidden) return [titleOf(level), hidden, ...Array(13).fill(null)];
      const { interval, cautious, ssInterval } = level;
      return [
        titleOf(level),
        level.count,
        ...ESTIMATORS.map((name) => level[name]),
        interval?.low ?? null,
        interval?.high ?? null,
        interval?.standardError ?? null,
        interval?.effectiveSize ?? null,
        cautious?.low ?? null,
        cautious?.high ?? null,
        ssInterval?.low ?? null,
        ssInterval?.high ?? null,
      ];
    }),
  };
  return (
    <PointsChart
      name={t('picture.title')}
      about={title}
      says={groups.map((group) => `${group.title}: ${group.rows[0]?.says ?? ''}`).join('; ')}
      how={t('picture.how')}
      groups={groups}
      fromZero={kind === 'CATEGORY'}
      tick={tick}
      axis={t('table.estimate')}
      table={table}
      write={cells({ 1: 'count', 10: 'count' })}
    >
      {levels.length > MAX_LEVELS ? (
        <p className="note">{t('picture.rest', { number: levels.length - MAX_LEVELS })}</p>
      ) : null}
      <NotAskedCount people={estimates.sample.notAsked} />
      <details className="more">
        <summary>{t('picture.which')}</summary>
        <FactList
          look="below"
          facts={ESTIMATORS.map((name) => [t(`estimator.${name}`), t(`estimatorWhat.${name}`)])}
        />
      </details>
    </PointsChart>
  );
}

/** Returns the reason to show instead of a missing figure. */
function useMissingReason({ notes }: Pick<Estimates, 'notes'>): (name: EstimatorName) => string {
  const { t } = useResultsPageText();
  const words = t('notes', { returnObjects: true }) as Partial<Record<string, string>>;
  return (name) => {
    const note = notes.find(
      ({ estimator }) =>
        estimator.replace(/_/g, '').toUpperCase() === ESTIMATOR_CODES[name].replace(/_/g, ''),
    );
    return note ? (words[note.code] ?? note.message) : '–';
  };
}
