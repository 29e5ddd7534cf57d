/** Describes both intervals of a total in one sentence. */
import { percentageText, useFigureFormatters } from '../kit/format-figures.ts';
import { intervalSentence } from '../kit/interval-sentence.ts';
import type { CountTables } from '../kit/results-wire.ts';
import { useResultsPageText } from '../results-text.ts';

export function useCountIntervalText() {
  const { t, language } = useResultsPageText();
  const { count } = useFigureFormatters('NUMBER');
  const confidence = percentageText(0.95, language);
  const rangeOf = (total: { low: number | null; high: number | null } | null | undefined) =>
    total && (total.low !== null || total.high !== null)
      ? { low: count(total.low), high: count(total.high) }
      : null;
  return ({ totals, other, method }: CountTables, key: keyof CountTables['totals']): string => {
    const [first, second] = [rangeOf(totals[key]), rangeOf(other?.[key])];
    if (!first) return '';
    const [narrow, wide] = method === 'TREE' ? [second, first] : [first, second];
    return intervalSentence(t, { first: method, narrow, wide }, confidence) ?? '';
  };
}
