/** One sentence with both intervals of a figure, starting with the one shown first. */
import type { useResultsPageText } from '../results-text.ts';

interface Range {
  low: string;
  high: string;
}

interface Intervals {
  first: 'CHAIN' | 'TREE' | null;
  /** From CHAIN. */
  narrow: Range | null;
  /** From TREE. */
  wide: Range | null;
}

type Translate = ReturnType<typeof useResultsPageText>['t'];

/** For an estimate; null without intervals. `confidence` is formatted. */
export const intervalSentence = (t: Translate, intervals: Intervals, confidence: string): string | null =>
  sentence(t, 'headline', intervals, { confidence });

/** For a change; null without intervals. */
export const changeIntervalSentence = (t: Translate, intervals: Intervals): string | null =>
  sentence(t, 'change', intervals, {});

function sentence(
  t: Translate,
  of: 'headline' | 'change',
  { first, narrow, wide }: Intervals,
  words: Record<string, string>,
): string | null {
  if (narrow && wide)
    return t(`${of}.${first === 'TREE' ? 'treeFirst' : 'chainFirst'}`, {
      ...narrow,
      wideLow: wide.low,
      wideHigh: wide.high,
      ...words,
    });
  const only = narrow ?? wide;
  return only && t(`${of}.onlyOne`, { ...only, ...words });
}
