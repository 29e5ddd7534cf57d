/** Convergence: has the estimate settled? Shows the estimate as the number of interviews grows. */
import { StudyHistoryLink } from '../../kit/charts/history-link.tsx';
import { LinesChart, type LinesChartPanel } from '../chart/lines-chart.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { headlineLevels, mainInterval, useLevelTitle } from '../kit/levels.ts';
import type { EstimateLevel, Estimates } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

const MAX_PANELS = 8;

export function Convergence({ estimates, title }: { estimates: Estimates; title: string }) {
  const { t, number, moment } = useResultsPageText();
  const { kind, convergence } = estimates;
  const { exact, tick, count, short } = useFigureFormatters(kind);
  const titleOf = useLevelTitle();
  const panels = usePanels(estimates);
  const head = panels[0]?.points.filter(({ y }) => y !== null) ?? [];
  const visibleLevels = estimates.levels.filter(({ hidden }) => !hidden);
  if (convergence.length < 2 || panels.length === 0) return null;
  return (
    <LinesChart
      name={t('convergence.title')}
      about={title}
      says={t('convergence.says', {
        level: panels[0]?.title ?? '',
        first: short(head[0]?.y),
        last: short(head.at(-1)?.y),
      })}
      how={t('convergence.how')}
      panels={panels}
      fromZero={kind === 'CATEGORY'}
      tickX={(value) => number(value)}
      tickY={tick}
      axisX={t('interviews')}
      axisY={t('table.estimate')}
      table={{
        head: [t('interviews'), t('convergence.until'), ...visibleLevels.map((level) => titleOf(level))],
        rows: convergence.map(({ n, at, levels }) => [
          n,
          at,
          ...visibleLevels.map(({ value }) => levels.find((one) => one.value === value)?.rds2 ?? null),
        ]),
      }}
      write={(cell, column) => {
        if (column === 0) return count(Number(cell));
        if (column === 1 && cell) return moment(String(cell));
        return typeof cell === 'number' ? exact(cell) : '–';
      }}
    >
      <StudyHistoryLink />
    </LinesChart>
  );
}

/** With two answers, one panel is enough: the other is the complement. */
function usePanels(estimates: Estimates): LinesChartPanel[] {
  const titleOf = useLevelTitle();
  const { convergence } = estimates;
  const levels = estimates.levels.filter(({ hidden }) => !hidden);
  const visibleLevels =
    levels.length === 2 ? headlineLevels(estimates).slice(0, 1) : levels.slice(0, MAX_PANELS);
  return visibleLevels.map((level) => ({
    key: level.value ?? '',
    title: titleOf(level),
    points: convergence.map(({ n, levels: then }) => ({
      x: n,
      y: then.find(({ value }) => value === level.value)?.rds2 ?? null,
    })),
    band: bandOf(mainInterval(estimates, level)),
  }));
}

function bandOf(interval: EstimateLevel['interval']) {
  const { low = null, high = null } = interval ?? {};
  return low === null || high === null ? null : { low, high };
}
