/** Bottleneck plot: do the chains agree? If each settles at a different estimate, the sample depends on its seeds. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { Card } from '../../../ui/page.tsx';
import { BubblesChart } from '../chart/bubbles-chart.tsx';
import { LinesChart } from '../chart/lines-chart.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { headlineLevels, useLevelTitle } from '../kit/levels.ts';
import type { EstimateLevel, Estimates } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

const MAX_LEVELS = 8;

/** The chains of each answer on one line as bubbles, and beside it by the number of their interviews. */
export function Bottleneck({ estimates, title }: { estimates: Estimates; title: string }) {
  const { t, number } = useResultsPageText();
  const { kind, bottleneck } = estimates;
  const { short, count, tick, cells } = useFigureFormatters(kind);
  const titleOf = useLevelTitle();
  const levels = estimates.levels.filter(({ hidden }) => !hidden);
  const visibleLevels =
    levels.length === 2 ? headlineLevels(estimates).slice(0, 1) : levels.slice(0, MAX_LEVELS);
  const estimateOf = (chain: (typeof bottleneck)[number], value: string | null) =>
    chain.levels.find((one) => one.value === value)?.rds2 ?? null;
  const chainName = (at: number) => t('bottleneck.chain', { number: at + 1 });
  const chainsOf = (level: EstimateLevel) =>
    bottleneck.flatMap((chain, at) => {
      const value = estimateOf(chain, level.value);
      if (value === null) return [];
      const label = `${chainName(at)}: ${short(value)} (${count(chain.n)})`;
      return [{ key: chain.seed, value, size: chain.n, label }];
    });
  const rows = visibleLevels.map((level) => ({
    key: level.value ?? '',
    title: titleOf(level),
    whole: level.rds2,
    bubbles: chainsOf(level),
  }));
  const chart = {
    about: title,
    says: t('bottleneck.says', { number: bottleneck.length }),
    plain: true,
    fromZero: kind === 'CATEGORY',
    table: {
      head: [t('bottleneck.chainHead'), t('people'), ...levels.map((level) => titleOf(level))],
      rows: bottleneck.map((chain, at) => [
        chainName(at),
        chain.n,
        ...levels.map((level) => estimateOf(chain, level.value)),
      ]),
    },
    write: cells({ 1: 'count' }),
  };
  return (
    <Card heading={t('bottleneck.title')}>
      <p className="note">{t('bottleneck.how')}</p>
      <div className="results-pair">
        <div>
          <BubblesChart
            {...chart}
            name={t('bottleneck.title')}
            rows={rows}
            tick={tick}
            axis={t('table.estimate')}
          >
            {bottleneck[0] ? (
              <Anchor
                component={Link}
                className="tall-link no-print"
                to={`/desk/surveys/${bottleneck[0].seed}`}
              >
                {t('bottleneck.open')}
              </Anchor>
            ) : null}
          </BubblesChart>
        </div>
        <div>
          <LinesChart
            {...chart}
            name={t('bottleneck.bySize')}
            panels={rows.map(({ bubbles, ...row }) => ({
              ...row,
              points: [],
              dots: bubbles.map(({ size, value, label }) => ({ x: size, y: value, label })),
              band: null,
            }))}
            tickX={(value) => number(value)}
            tickY={tick}
            axisX={t('bottleneck.size')}
            axisY={t('table.estimate')}
          />
        </div>
      </div>
    </Card>
  );
}
