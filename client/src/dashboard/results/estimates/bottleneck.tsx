/** Bottleneck plot: do the chains agree? If each settles at a different estimate, the sample depends on its seeds. */
import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { BubblesChart } from '../chart/bubbles-chart.tsx';
import { useFigures } from '../kit/format-figures.ts';
import { headlineLevels, useLevelTitle } from '../kit/levels.ts';
import type { Estimates } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';

const MAX_LEVELS = 8;

export function Bottleneck({ estimates, title }: { estimates: Estimates; title: string }) {
  const { t } = useResultsText();
  const { kind, bottleneck } = estimates;
  const { short, count, tick, cells } = useFigures(kind);
  const titleOf = useLevelTitle();
  const levels = estimates.levels.filter(({ hidden }) => !hidden);
  const visibleLevels =
    levels.length === 2 ? headlineLevels(estimates).slice(0, 1) : levels.slice(0, MAX_LEVELS);
  const of = (chain: (typeof bottleneck)[number], value: string | null) =>
    chain.levels.find((one) => one.value === value)?.rds2 ?? null;
  const chainName = (at: number) => t('bottleneck.chain', { number: at + 1 });
  return (
    <BubblesChart
      name={t('bottleneck.title')}
      about={title}
      says={t('bottleneck.says', { number: bottleneck.length })}
      how={t('bottleneck.how')}
      rows={visibleLevels.map((level) => ({
        key: level.value ?? '',
        title: titleOf(level),
        whole: level.rds2,
        bubbles: bottleneck.flatMap((chain, at) => {
          const value = of(chain, level.value);
          return value === null
            ? []
            : [
                {
                  key: chain.seed,
                  value,
                  size: chain.n,
                  label: `${chainName(at)}: ${short(value)} (${count(chain.n)})`,
                },
              ];
        }),
      }))}
      fromZero={kind === 'CATEGORY'}
      tick={tick}
      table={{
        head: [t('bottleneck.chainHead'), t('people'), ...levels.map((level) => titleOf(level))],
        rows: bottleneck.map((chain, at) => [
          chainName(at),
          chain.n,
          ...levels.map((level) => of(chain, level.value)),
        ]),
      }}
      write={cells({ 1: 'count' })}
    >
      {bottleneck[0] ? (
        <Anchor component={Link} className="tall-link no-print" to={`/desk/surveys/${bottleneck[0].seed}`}>
          {t('bottleneck.open')}
        </Anchor>
      ) : null}
    </BubblesChart>
  );
}
