/** Distributions: waves, chains, and recruits for the current filters; coupons and seeds for the whole study. */

import { useLocationName } from '../../session/records.ts';
import { Bars } from '../kit/charts/bars.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { type FullRecruitmentSummary, handedOutCouponTotals } from './board-wire.ts';

/** A chart with more rows isn't readable; the rest is summed in the last one. */
const MAX_LINES = 10;

/** The first rows, and one for the rest. */
function firstRowsAndRest<T>(
  rows: T[],
  value: (row: T) => number,
  label: (row: T) => string,
  rest: (row: T) => string,
) {
  const bars = rows.map((row) => ({ key: label(row), label: label(row), value: value(row) }));
  if (bars.length <= MAX_LINES) return bars;
  const last = rows[MAX_LINES - 1];
  const sum = bars.slice(MAX_LINES - 1).reduce((all, bar) => all + bar.value, 0);
  return [...bars.slice(0, MAX_LINES - 1), { key: 'rest', label: last ? rest(last) : '', value: sum }];
}

export function RecruitmentDistributions({ summary }: { summary: FullRecruitmentSummary }) {
  const { t } = useDashboardText();
  const orMore = (count: number) => t('board.orMore', { count });
  return (
    <>
      <Bars
        title={t('board.waves')}
        what={[t('tree.waveWord'), t('board.surveys')]}
        bars={firstRowsAndRest(
          summary.waves,
          ({ surveys }) => surveys,
          ({ wave }) => (wave === null ? t('board.waveUnknown') : t('tree.wave', { wave })),
          ({ wave }) => orMore(wave ?? 0),
        )}
      />
      <Bars
        title={t('board.chainLengths')}
        what={[t('board.lastWave'), t('board.chains')]}
        bars={firstRowsAndRest(
          summary.chainLengths,
          ({ chains }) => chains,
          ({ maxWave }) => t('board.toWave', { wave: maxWave }),
          ({ maxWave }) => orMore(maxWave),
        )}
        note={t('board.chainLengthsWhat')}
      />
      <Bars
        title={t('board.recruitsEach')}
        what={[t('tree.recruits'), t('board.surveys')]}
        bars={firstRowsAndRest(
          summary.recruitsEach,
          ({ surveys }) => surveys,
          ({ recruits }) => t('board.recruits', { count: recruits }),
          ({ recruits }) => orMore(recruits),
        )}
        note={t('board.recruitsEachWhat')}
      />
    </>
  );
}

export function AcrossSitesFigures({ summary }: { summary: FullRecruitmentSummary }) {
  const { t, number, percent } = useDashboardText();
  const siteOf = useLocationName();
  const { coupons, seeds, bySiteCoupons, daysToReturn } = summary;
  const orMore = (count: number) => t('board.orMore', { count });
  const states = { ...coupons, live: handedOutCouponTotals(summary).live, ofSeeds: coupons.ofSeeds.live };
  const bar = (key: keyof typeof states) => ({ key, label: t(`board.coupon.${key}`), value: states[key] });
  const seed = (key: 'planned' | 'walkIn' | 'used' | 'unused' | 'productive' | 'silent') => ({
    key,
    label: t(`board.seed.${key}`),
    value: seeds[key],
  });
  return (
    <>
      <Bars
        title={t('board.daysToReturn')}
        what={[t('board.daysWord'), t('board.coupons')]}
        bars={firstRowsAndRest(
          daysToReturn,
          ({ coupons: count }) => count,
          ({ days }) => t('board.days', { count: days }),
          ({ days }) => orMore(days),
        )}
        note={t('board.daysToReturnWhat')}
      />
      <Bars
        title={t('board.coupons')}
        what={[t('common.status'), t('board.coupons')]}
        bars={(['live', 'ofSeeds', 'returned', 'expired', 'reserved', 'void'] as const).map(bar)}
        note={t('board.couponsWhat')}
      />
      <Bars
        title={t('board.seeds')}
        what={[t('common.type'), t('board.seeds')]}
        bars={(['planned', 'walkIn', 'used', 'unused', 'productive', 'silent'] as const).map(seed)}
        note={t('board.seedsWhat')}
      />
      <Bars
        title={t('board.bySite')}
        what={[t('common.site'), t('board.coupon.returned')]}
        bars={bySiteCoupons.map(({ location, issued, returned }) => ({
          key: location,
          label: siteOf(location),
          value: returned,
          of: issued,
          note: t('board.ofIssued', {
            issued: number(issued),
            percent: percent(issued === 0 ? 0 : returned / issued),
          }),
        }))}
        note={t('board.bySiteWhat')}
      />
    </>
  );
}
