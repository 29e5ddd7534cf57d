/** How far the chains have gone, and how many others people know: what the weights are made of. */
import { Card } from '../../ui/page.tsx';
import { BarsChart } from './chart/bars-chart.tsx';
import { useFigures } from './figures.ts';
import { useResultsText } from './results-text.ts';
import type { Estimates } from './results-wire.ts';
import { SpreadChart } from './spread-chart.tsx';

/** Later ones are one bar; the table has all. */
const MOST_WAVES = 20;

export function Waves({ byWave }: Pick<Estimates, 'byWave'>) {
  const { t, desk } = useResultsText();
  const { count } = useFigures('CATEGORY');
  const nameOf = (wave: number) => (wave === 0 ? desk('board.seeds') : desk('tree.wave', { wave }));
  const rows = byWave.slice(0, MOST_WAVES).map((people, wave) => ({ label: nameOf(wave), people }));
  const later = byWave.slice(MOST_WAVES).reduce((sum, people) => sum + people, 0);
  if (later > 0) rows.push({ label: t('sample.laterWaves'), people: later });
  return (
    <BarsChart
      name={desk('board.waves')}
      how={t('sample.byWaveHow')}
      rows={rows.map(({ label, people }) => ({ key: label, label, value: people, says: count(people) }))}
      table={{
        head: [desk('tree.waveWord'), t('answers.count')],
        rows: byWave.map((people, wave) => [nameOf(wave), people]),
      }}
    />
  );
}

export function NetworkSizes({ networkSizes }: Pick<Estimates, 'networkSizes'>) {
  const { t } = useResultsText();
  const { short } = useFigures('NUMBER');
  const name = t('sample.sizes');
  if (!networkSizes)
    return (
      <Card heading={name}>
        <p className="note">{t('sample.sizesNot')}</p>
      </Card>
    );
  const { bars, lowerQuartile, median, upperQuartile } = networkSizes;
  const quartiles = { low: short(lowerQuartile), high: short(upperQuartile), median: short(median) };
  return <SpreadChart name={name} how={t('sample.sizesHow', quartiles)} bars={bars} />;
}
