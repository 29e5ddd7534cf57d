/** A change in words: what the samples show, judged by the interval of the difference alone. */

export interface ChangedFigure {
  kind: 'CATEGORY' | 'NUMBER';
  from: string;
  to: string;
  difference: number;
  low: number | null;
  high: number | null;
  confidence: number;
}

export function changeSentence({ kind, from, to, difference, low, high, confidence }: ChangedFigure): string {
  const isShown = low !== null && high !== null && (low > 0 || high < 0);
  const format = (figure: number) => (kind === 'CATEGORY' ? (100 * figure).toFixed(0) : figure.toFixed(2));
  const isZero = (figure: number) => Number(format(figure)) === 0;
  // What the samples show to have changed does not read as 0.
  const plain = (figure: number) => {
    if (!isZero(figure)) return format(figure);
    return isShown ? (kind === 'CATEGORY' ? 100 * figure : figure).toPrecision(1) : format(0);
  };
  const what = kind === 'CATEGORY' ? 'the share' : 'the mean';
  const unit = kind === 'CATEGORY' ? (plain(Math.abs(difference)) === '1' ? ' point' : ' points') : '';
  const isFlat = isZero(difference) && !isShown;
  const verb = isFlat ? 'did not change' : difference > 0 ? 'rose' : 'fell';
  const by = isFlat ? '' : ` by ${plain(Math.abs(difference))}${unit}`;
  // The estimate did, the population perhaps not: half a sentence is quoted too.
  const who = isShown ? what : `the estimate of ${what}`;
  const start = `From ${from} to ${to} ${who} ${verb}${by}`;
  if (low === null || high === null) return `${start}. There is no interval for this change.`;
  const range = ` (${Number((100 * confidence).toFixed(1))}% CI ${plain(low)} to ${plain(high)})`;
  if (!isShown) return `${start}${range}: the samples do not show whether ${what} rose or fell.`;
  return `${start}${range}: the samples show that it ${low > 0 ? 'rose' : 'fell'}.`;
}
