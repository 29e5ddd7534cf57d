/** Writes a change: that of a share in percentage points, because from 20% to 30% it is 10 points and not 10%. */
import { numberOf } from '../../../texts/i18n.ts';
import { type OutcomeKind, useFigures } from '../kit/format-figures.ts';
import { useResultsText } from '../results-text.ts';

export function usePoints(kind: OutcomeKind) {
  const { t, language } = useResultsText();
  const { short, exact } = useFigures(kind);
  const isShare = kind === 'CATEGORY';
  const points = (figure: number | null) =>
    figure === null ? '–' : numberOf(Number((100 * figure).toFixed(1)), language);
  return {
    /** Without a unit. */
    plain: (figure: number | null) => (isShare ? points(figure) : short(figure)),
    amount: (figure: number | null) =>
      isShare ? t('change.points', { number: points(figure) }) : short(figure),
    /** In a table whose head names the unit. */
    cell: (figure: number | null | undefined) => (isShare ? points(figure ?? null) : exact(figure)),
  };
}
