/** Whom the figures are made of: how many, how many steps from where it began, how many others they know. */
import { FactList } from '../../desk/fact-list.tsx';
import { Card } from '../../ui/page.tsx';
import { useFigures } from './figures.ts';
import { useResultsText } from './results-text.ts';
import type { Estimates } from './results-wire.ts';

export function SampleCard({ estimates: { sample } }: { estimates: Estimates }) {
  const { t } = useResultsText();
  const { count, short } = useFigures('CATEGORY');
  return (
    <Card heading={t('sample.title')}>
      <FactList
        facts={[
          [t('sample.n'), count(sample.n)],
          [t('sample.known'), count(sample.known)],
          [t('sample.missing'), count(sample.missing)],
          [t('sample.seeds'), count(sample.seeds)],
          [t('sample.orphans'), count(sample.orphans)],
          [t('sample.waves'), count(sample.waves)],
          [t('sample.largestChain'), short(sample.largestChain)],
          [t('sample.sizeMissing'), count(sample.sizeMissing + sample.sizeZero)],
          [t('sample.populationSize'), count(sample.populationSize)],
        ]}
      />
      <p className="note">{t('sample.what')}</p>
    </Card>
  );
}
