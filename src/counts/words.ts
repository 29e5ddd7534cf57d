/** A count in words, with all that its reader must know of how it was made. */
import type { TreeRun } from '../analysis-runs/read.ts';
import type { Estimates } from '../results/schema.ts';
import type { AnswerWords } from './answer-words.ts';
import type { CountRecord } from './model.ts';
import type { CountEstimate } from './schema.ts';

interface CountFigures extends Pick<CountEstimate, 'share' | 'total' | 'others' | 'effectiveSize' | 'notes'> {
  count: CountRecord;
  words: AnswerWords;
  found: Estimates;
  /** Undefined where nobody has the answer. */
  level: Estimates['levels'][number] | undefined;
  run: TreeRun | null;
}

const people = (figure: number) => Math.round(figure).toLocaleString('en-US');
const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

export const wordsOf = (figures: CountFigures): string =>
  [
    whatIsCounted(figures),
    whatIsKnown(figures),
    whoWasAsked(figures),
    result(figures),
    ...warnings(figures),
  ].join('\n\n');

const whatIsCounted = ({ count }: CountFigures) =>
  `${count.name}, as of ${count.asOf}. Who is counted: ${count.definition}`;

function whatIsKnown({ count, words }: CountFigures): string {
  const { known, knownLow, knownHigh, source } = count;
  const range =
    knownLow === null && knownHigh === null
      ? ''
      : ` (between ${people(knownLow ?? known)} and ${people(knownHigh ?? known)})`;
  return `Known from elsewhere: ${people(known)}${range} of all these people have the answer "${words.answer}" to "${words.question}". Source: ${source}`;
}

function whoWasAsked({ count, found, level }: CountFigures): string {
  const { n, seeds, waves, known } = found.sample;
  const narrowed = [
    count.location ? 'at one site' : '',
    count.from ? `arrived from ${count.from}` : '',
    count.to ? `arrived until ${count.to}` : '',
  ].filter(Boolean);
  const held = narrowed.length > 0 ? `, ${narrowed.join(', ')}` : '';
  const has = level?.count ? `, ${people(level.count)} of them this one` : '';
  return `Sample: ${people(n)} interviews of respondent-driven sampling${held}, in ${people(seeds)} chains over ${people(waves)} waves; ${people(known)} with a known answer${has}.`;
}

function result({ count, words, share, total, others, effectiveSize, run, notes }: CountFigures): string {
  if (share === null || !total || !others)
    return `There is no estimate. ${notes.map(({ message }) => message).join(' ')}`;
  const bound = (figure: number | null, none: string) => (figure === null ? none : people(figure));
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    run ? ` (95 % interval: ${bound(low, 'no lower bound')} to ${bound(high, 'no upper bound')})` : '';
  const made =
    count.knownLow === null && count.knownHigh === null
      ? ''
      : '; its ends are made of the bounds of what is known';
  return [
    `Result: ${percent(share)} of the people counted have the answer "${words.answer}" (RDS-II: Volz & Heckathorn 2008, weighted by the inverse of network sizes).`,
    `So there are about ${people(total.estimate)} people${range(total)}: the known ones divided by that share.`,
    `About ${people(others.estimate)}${range(others)} of them are not among the ${people(count.known)} who are known.`,
    ...(run
      ? [
          `The interval holds the middle 95 % of that quotient over replicates of the tree bootstrap (Baraff, McCormick & Raftery 2016), of the data of ${run.asOf.toISOString().slice(0, 10)}${made}.`,
        ]
      : []),
    ...(effectiveSize === null
      ? []
      : [`The sample tells as much as ${people(effectiveSize)} people drawn at random would.`]),
  ].join(' ');
}

const DOUBTS = ['NOT_PRECISE', 'NO_UPPER_BOUND', 'NO_VARIATION', 'NO_INTERVAL', 'BELOW_SAMPLE'];
const warnings = ({ total, notes }: CountFigures): string[] =>
  total ? notes.filter(({ code }) => DOUBTS.includes(code)).map(({ message }) => message) : [];
