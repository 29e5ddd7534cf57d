/** A change as an English sentence. What the samples show is judged by the interval of the difference alone. */
import { changeDirectionOf } from './direction.ts';

interface ChangedFigure {
  from: string;
  to: string;
  difference: number;
  low: number | null;
  high: number | null;
  confidence: number;
}

interface Words {
  what: string;
  /** The same, when mentioned again. */
  again: string;
  /** The unit that follows such a number. */
  unit(number: string): string;
  format(figure: number): string;
  /** The factor that `format` multiplies a figure by. */
  scale: number;
}

const SHARE_WORDS: Words = {
  what: 'the share',
  again: 'the share',
  unit: (number) => (number === '1' ? ' point' : ' points'),
  format: (figure) => (100 * figure).toFixed(0),
  scale: 100,
};
const MEAN_WORDS: Words = {
  what: 'the mean',
  again: 'the mean',
  unit: () => '',
  format: (figure) => figure.toFixed(2),
  scale: 1,
};

export const changeSentence = ({ kind, ...figure }: ChangedFigure & { kind: 'CATEGORY' | 'NUMBER' }) =>
  sentenceOf(kind === 'CATEGORY' ? SHARE_WORDS : MEAN_WORDS, figure);

/** `people`: who is counted, for example "adults". */
export const countChangeSentence = (people: string, figure: ChangedFigure): string =>
  sentenceOf(
    {
      what: `the number of ${people}`,
      again: 'the number',
      unit: () => '',
      format: (count) => Math.round(count).toLocaleString('en-US'),
      scale: 1,
    },
    figure,
  );

function sentenceOf(
  { what, again, unit, format, scale }: Words,
  { from, to, difference, low, high, confidence }: ChangedFigure,
): string {
  const direction = changeDirectionOf(low, high);
  const isShown = direction === 'isRise' || direction === 'isFall';
  const isZero = (figure: number) => Number(format(figure)) === 0;
  // A change that the samples show must not be printed as 0.
  const plain = (figure: number) => {
    if (!isZero(figure)) return format(figure);
    return isShown ? (scale * figure).toPrecision(1) : format(0);
  };
  const number = plain(Math.abs(difference));
  const isFlat = isZero(difference) && !isShown;
  const how = isFlat ? 'did not change' : `${difference > 0 ? 'rose' : 'fell'} by ${number}${unit(number)}`;
  // If the samples don't show it, only the estimate has changed. Says so at the start, because people quote half
  // sentences.
  const who = isShown ? what : `the estimate of ${what}`;
  const start = `From ${from} to ${to} ${who} ${how}`;
  if (low === null || high === null) return `${start}. There is no interval for this change.`;
  const range = ` (${Number((100 * confidence).toFixed(1))}% CI ${plain(low)} to ${plain(high)})`;
  if (!isShown) return `${start}${range}: the samples do not show whether ${again} rose or fell.`;
  return `${start}${range}: the samples show that it ${direction === 'isRise' ? 'rose' : 'fell'}.`;
}
