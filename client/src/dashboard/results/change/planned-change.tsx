/** How large a change must be to be detected, before the later round has interviews. */
import { Card } from '../../../ui/page.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { useFigureFormatters } from '../kit/format-figures.ts';
import { headlineLevels, mainInterval, useLevelTitle } from '../kit/levels.ts';
import { type Estimates, estimatesRequestPath } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';
import { useChangeFormat } from './use-points.ts';

/** Standard normal quantiles for a 95% interval and for 80% power. */
const IN_95_PERCENT = 1.96;
const IN_FOUR_OF_FIVE = 0.84;

interface PlannedChangeProps {
  outcome: string;
  from: { id: string; name: string };
  /** The planned or open round; null if it isn't open yet. */
  to: { name: string; targetSampleSize: number | null } | null;
}

export function DetectableChangeCard({ outcome, from, to }: PlannedChangeProps) {
  const { t } = useResultsPageText();
  const { data: estimates } = useGet<Estimates>(estimatesRequestPath({ outcome, round: from.id }));
  const titleOf = useLevelTitle();
  const { count } = useFigureFormatters('NUMBER');
  const { amount } = useChangeFormat(estimates?.kind ?? 'CATEGORY');
  if (!estimates || estimates.sample.known === 0) return null;
  const { known } = estimates.sample;
  const level = headlineLevels(estimates).find(({ hidden }) => !hidden);
  if (!level) return null;
  const interval = mainInterval(estimates, level);
  const number = to?.targetSampleSize ?? known;
  const names = { level: titleOf(level), from: from.name, to: to?.name ?? t('change.plan.next') };
  const figures = { number: count(number), known: count(known) };
  return (
    <Card heading={t('change.plan.title')}>
      {interval?.low == null || interval.high == null ? (
        <p>{t('change.plan.noInterval', names)}</p>
      ) : (
        <>
          <p className="results-sentence">
            {t('change.plan.sentence', {
              ...names,
              ...figures,
              by: amount(detectableChange(interval.high - interval.low, known, number)),
            })}
          </p>
          {to?.targetSampleSize ? null : <p className="note">{t('change.plan.noTarget')}</p>}
          <details className="more">
            <summary>{t('headline.how')}</summary>
            <p className="note">{t('change.plan.how', { ...names, ...figures })}</p>
          </details>
        </>
      )}
    </Card>
  );
}

/** The change detected in four of five samples of this size, if their chains resemble the earlier ones. */
function detectableChange(width: number, known: number, planned: number): number {
  const error = width / (2 * IN_95_PERCENT);
  return (IN_95_PERCENT + IN_FOUR_OF_FIVE) * error * Math.sqrt(1 + known / planned);
}
