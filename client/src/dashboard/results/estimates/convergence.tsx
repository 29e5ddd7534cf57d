/** Convergence: has the estimate settled? The estimate after the first interviews and after each further step. */
import { useMemo } from 'react';
import { type Mark, useMarks, withSigns } from '../../kit/charts/chart-marks.ts';
import { MarksLegend } from '../../kit/charts/marks-legend.tsx';
import { type DrawnMark, LinesChart, type Panel } from '../chart/lines-chart.tsx';
import { useFigures } from '../kit/format-figures.ts';
import { headLevels, useLevelTitle } from '../kit/levels.ts';
import type { Estimates } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';

const MAX_PANELS = 8;

export function Convergence({ estimates, title }: { estimates: Estimates; title: string }) {
  const { t, number, moment } = useResultsText();
  const { kind, convergence } = estimates;
  const { exact, tick, count, short } = useFigures(kind);
  const titleOf = useLevelTitle();
  const { marks, open } = useMarks();
  const panels = usePanels(estimates);
  const { drawn, labelled } = useMemo(() => placed(marks, convergence), [marks, convergence]);
  const head = panels[0]?.points.filter(({ y }) => y !== null) ?? [];
  const shown = estimates.levels.filter(({ hidden }) => !hidden);
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
      marks={drawn}
      fromZero={kind === 'CATEGORY'}
      tickX={(value) => number(value)}
      tickY={tick}
      table={{
        head: [t('interviews'), t('convergence.until'), ...shown.map((level) => titleOf(level))],
        rows: convergence.map(({ n, at, levels }) => [
          n,
          at,
          ...shown.map(({ value }) => levels.find((one) => one.value === value)?.rds2 ?? null),
        ]),
      }}
      write={(cell, column) => {
        if (column === 0) return count(Number(cell));
        if (column === 1 && cell) return moment(String(cell));
        return typeof cell === 'number' ? exact(cell) : '–';
      }}
    >
      <MarksLegend marks={labelled} open={open} />
    </LinesChart>
  );
}

/** Of two answers one: the other is what is left. */
function usePanels(estimates: Estimates): Panel[] {
  const titleOf = useLevelTitle();
  const { convergence } = estimates;
  const levels = estimates.levels.filter(({ hidden }) => !hidden);
  const shown = levels.length === 2 ? headLevels(estimates).slice(0, 1) : levels.slice(0, MAX_PANELS);
  return shown.map((level) => ({
    key: level.value ?? '',
    title: titleOf(level),
    points: convergence.map(({ n, levels: then }) => ({
      x: n,
      y: then.find(({ value }) => value === level.value)?.rds2 ?? null,
    })),
    band:
      typeof level.interval?.low === 'number' && typeof level.interval.high === 'number'
        ? { low: level.interval.low, high: level.interval.high }
        : null,
  }));
}

/** A change stands where the number of interviews was then. */
function placed(marks: Mark[], convergence: Estimates['convergence']) {
  const first = convergence[0];
  const last = convergence.at(-1);
  const labelled = withSigns(marks.filter(({ at }) => first && last && at >= first.at && at <= last.at));
  const drawn = labelled.map(({ sign, at }): DrawnMark => {
    const after = convergence.findIndex((one) => one.at >= at);
    const [b, a] = [convergence[after], convergence[after - 1]];
    if (!b) return { sign, x: 0 };
    if (!a) return { sign, x: b.n };
    const [from, to] = [Date.parse(a.at), Date.parse(b.at)];
    const part = to > from ? (Date.parse(at) - from) / (to - from) : 1;
    return { sign, x: a.n + part * (b.n - a.n) };
  });
  return { drawn, labelled };
}
