/** How a population count depends on the estimator and the assumed population size. */
import { useGet } from '../../kit/data/use-list.tsx';
import { type PointRow, PointsChart } from '../chart/points-chart.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import {
  type CountEstimate,
  type Estimates,
  estimatesRequestPath,
  type KnownCount,
} from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

const ORDER = ['RDS_II', 'TRIMMED', 'SS', 'RDS_I', 'MEAN'] as const;
const NAMES = { RDS_II: 'rds2', TRIMMED: 'trimmed', SS: 'ss', RDS_I: 'rds1', MEAN: 'mean' } as const;

export function CountEstimateChart({ count, estimate }: { count: KnownCount; estimate: CountEstimate }) {
  const { t } = useResultsPageText();
  const number = useFigureFormatters('NUMBER').count;
  const { cells } = useFigureFormatters('CATEGORY');
  const { outcome, round, value, known, location, from, to } = count;
  const query = { outcome, round, location: location ?? '', from: from ?? '', to: to ?? '' };
  const level = useGet<Estimates>(estimatesRequestPath(query)).data?.levels.find(
    (one) => one.value === value,
  );
  const whole = (share: number | null | undefined) => (share ? known / share : null);
  const row = (key: string, label: string, total: number | null, more: Partial<PointRow> = {}): PointRow => ({
    key,
    label,
    value: total,
    says: number(total),
    ...more,
  });
  const { low = null, high = null } = estimate.total ?? {};
  const byEstimator = ORDER.flatMap((name) => {
    const result = estimate.byEstimator.find(({ estimator }) => estimator === name);
    if (!result) return [];
    const main = name === 'RDS_II';
    return [row(name, t(`estimator.${NAMES[name]}`), result.total, main ? { low, high, main } : {})];
  });
  const bySize = [
    row('low', t('count.ssLow'), whole(level?.ssLow)),
    row('high', t('count.ssHigh'), whole(level?.ssHigh)),
  ].filter((one) => one.value !== null);
  const groups = [
    { key: 'estimators', title: t('count.byEstimator'), rows: byEstimator },
    ...(bySize.length > 0 ? [{ key: 'sizes', title: t('count.bySize'), rows: bySize }] : []),
  ];
  if (byEstimator.every(({ value: total }) => total === null)) return null;
  const shares: Partial<Record<string, number | null>> = { low: level?.ssLow, high: level?.ssHigh };
  for (const { estimator, share } of estimate.byEstimator) shares[estimator] = share;
  return (
    <PointsChart
      name={t('count.picture')}
      says={byEstimator.map(({ label, says }) => `${label}: ${says}`).join('; ')}
      how={t('count.pictureHow')}
      groups={groups}
      fromZero={false}
      tick={number}
      axis={t('count.total')}
      table={{
        head: [
          t('count.way'),
          t('count.shareHead'),
          t('count.total'),
          t('count.others'),
          t('table.low'),
          t('table.high'),
        ],
        rows: [...byEstimator, ...bySize].map(({ key, label, value: total, low: from_, high: to_ }) => [
          label,
          shares[key] ?? null,
          total,
          total === null ? null : total - known,
          from_ ?? null,
          to_ ?? null,
        ]),
      }}
      write={cells({ 1: 'short' }, { all: 'count' })}
    />
  );
}
