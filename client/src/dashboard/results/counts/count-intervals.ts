/** Writes both intervals of a total in one sentence, the one that comes first at its beginning. */
import { shareOf, useFigures } from '../kit/format-figures.ts';
import type { CountTables } from '../kit/results-wire.ts';
import { useResultsText } from '../results-text.ts';

export function useCountIntervals() {
  const { t, language } = useResultsText();
  const { count } = useFigures('NUMBER');
  const confidence = shareOf(0.95, language);
  return ({ totals, other, method }: CountTables, key: keyof CountTables['totals']): string => {
    const { low = null, high = null } = totals[key] ?? {};
    if (low === null && high === null) return '';
    const first = { low: count(low), high: count(high) };
    const second = other?.[key];
    if (!second || (second.low === null && second.high === null))
      return t('headline.onlyOne', { ...first, confidence });
    const otherRange = { low: count(second.low), high: count(second.high) };
    const [narrow, wide] = method === 'TREE' ? [otherRange, first] : [first, otherRange];
    return t(method === 'TREE' ? 'headline.treeFirst' : 'headline.chainFirst', {
      ...{ ...narrow, wideLow: wide.low, wideHigh: wide.high, confidence },
    });
  };
}
