/** One sentence with both intervals of a figure, beginning with the one that is shown first. */
import type { useResultsText } from '../results-text.ts';

interface Range {
  low: string;
  high: string;
}

interface Intervals {
  first: 'CHAIN' | 'TREE' | null;
  /** CHAIN's. */
  narrow: Range | null;
  /** TREE's. */
  wide: Range | null;
}

type Translate = ReturnType<typeof useResultsText>['t'];

/** Of an estimate; null without any. `confidence` as text. */
export const intervalSentence = (t: Translate, intervals: Intervals, confidence: string): string | null =>
  sentence(t, 'headline', intervals, { confidence });

/** Of a change; null without any. */
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
