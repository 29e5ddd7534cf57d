/** A histogram of numeric answers. */
import { BarsChart } from '../chart/bars-chart.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import type { NetworkSizeDistribution } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

interface SpreadChartProps {
  name: string;
  /** Text next to the bars. */
  how?: string;
  bars: NetworkSizeDistribution['bars'];
  plain?: boolean;
}

export function AnswerHistogram({ bars, ...chart }: SpreadChartProps) {
  const { t } = useResultsPageText();
  const { short, count } = useFigureFormatters('NUMBER');
  const labelOf = ({ from, to }: NetworkSizeDistribution['bars'][number]) => {
    if (from === null) return t('answers.below', { to: short(to) });
    if (to === null) return t('answers.atLeast', { from: short(from) });
    return to - from === 1 ? short(from) : t('answers.between', { from: short(from), to: short(to) });
  };
  const rows = bars.map((bar) => ({
    key: `${bar.from}`,
    label: labelOf(bar),
    value: bar.count,
    says: count(bar.count),
  }));
  return (
    <BarsChart
      {...chart}
      rows={rows}
      table={{
        head: [t('level'), t('answers.count')],
        rows: rows.map(({ label, value }) => [label, value]),
      }}
    />
  );
}
