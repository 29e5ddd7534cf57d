/** Formats a change. Shares change in percentage points: from 20% to 30% is 10 points, not 10%. */
import { textDirection } from '../../../../../src/platform/lib/languages/text-direction.ts';
import { numberInLanguage } from '../../../texts/i18n.ts';
import { type OutcomeKind, useFigureFormatters } from '../kit/format-figures.ts';
import { useResultsPageText } from '../results-text.ts';

/** Keeps signs before their numbers, and lower bounds first, in right-to-left text. */
export const isolateLeftToRight = (text: string, language: string): string =>
  textDirection(language) === 'ltr' ? text : `\u2066${text}\u2069`;

export function useChangeFormat(kind: OutcomeKind) {
  const { t, language } = useResultsPageText();
  const { short, exact } = useFigureFormatters(kind);
  const isShare = kind === 'CATEGORY';
  const points = (figure: number | null) =>
    figure === null
      ? '–'
      : isolateLeftToRight(numberInLanguage(Number((100 * figure).toFixed(1)), language), language);
  return {
    /** Without a unit. */
    plain: (figure: number | null) => (isShare ? points(figure) : short(figure)),
    amount: (figure: number | null) =>
      isShare ? t('change.points', { number: points(figure) }) : short(figure),
    /** For tables whose heading names the unit. */
    cell: (figure: number | null | undefined) => (isShare ? points(figure ?? null) : exact(figure)),
  };
}
