/** A population count as text, with everything a reader must know about how it was made. */
import type { Estimates } from '../results/schema.ts';
import type { FinishedRun } from '../runs/read.ts';
import type { QuestionAndAnswerText } from './answer-words.ts';
import type { PopulationCountRecord } from './model.ts';
import type { CountEstimate } from './schema.ts';

/** The run that provides the interval. */
export interface CountRun extends FinishedRun {
  method: 'CHAIN' | 'TREE';
}

const METHOD_TEXTS = {
  CHAIN: 'replicates drawn along the recruitment chains (CHAIN, classes of answer and site)',
  TREE: 'tree bootstrap replicates (Baraff, McCormick & Raftery 2016)',
};

interface CountFigures extends Pick<CountEstimate, 'share' | 'total' | 'others' | 'effectiveSize' | 'notes'> {
  count: PopulationCountRecord;
  words: QuestionAndAnswerText;
  estimates: Estimates;
  /** Undefined if nobody has the answer. */
  level: Estimates['levels'][number] | undefined;
  run: CountRun | null;
}

const people = (figure: number) => Math.round(figure).toLocaleString('en-US');
const percent = (share: number) => `${(100 * share).toFixed(1)}%`;

export const populationCountReportText = (figures: CountFigures): string =>
  [
    whatIsCounted(figures),
    whatIsKnown(figures),
    whoWasAsked(figures),
    result(figures),
    ...warnings(figures),
  ].join('\n\n');

const whatIsCounted = ({ count }: CountFigures) =>
  `${count.name}, as of ${count.asOf}. Definition: ${count.definition}`;

function whatIsKnown({ count, words }: CountFigures): string {
  const { known, knownLow, knownHigh, source } = count;
  const range =
    knownLow === null && knownHigh === null
      ? ''
      : ` (between ${people(knownLow ?? known)} and ${people(knownHigh ?? known)})`;
  return `From another source: ${people(known)}${range} people have the answer "${words.answer}" to "${words.question}". Source: ${source}`;
}

function whoWasAsked({ count, estimates, level }: CountFigures): string {
  const { n, seeds, waves, known: answerCount } = estimates.sample;
  const narrowed = [
    count.location ? 'at one site' : '',
    count.from ? `received from ${count.from}` : '',
    count.to ? `received until ${count.to}` : '',
  ].filter(Boolean);
  const restrictions = narrowed.length > 0 ? `, ${narrowed.join(', ')}` : '';
  const has = level?.count ? `, and ${people(level.count)} of them gave this answer` : '';
  return `Sample: ${people(n)} interviews from respondent-driven sampling${restrictions}, in ${people(seeds)} chains over ${people(waves)} waves; ${people(answerCount)} answered this question${has}.`;
}

function result({ count, words, share, total, others, effectiveSize, run, notes }: CountFigures): string {
  if (share === null || !total || !others)
    return `There is no estimate. ${notes.map(({ message }) => message).join(' ')}`;
  const bound = (figure: number | null, none: string) => (figure === null ? none : people(figure));
  const range = ({ low, high }: { low: number | null; high: number | null }) =>
    run ? ` (95% CI: ${bound(low, 'no lower bound')} to ${bound(high, 'no upper bound')})` : '';
  const rangeNote =
    count.knownLow === null && count.knownHigh === null
      ? ''
      : '. Its ends use the lowest and highest number from the other source';
  return [
    `Result: ${percent(share)} of the population have the answer "${words.answer}" (RDS-II: Volz & Heckathorn 2008, weighted by the inverse of network sizes).`,
    `The population is therefore about ${people(total.estimate)} people${range(total)}: the number from the other source divided by this share.`,
    `About ${people(others.estimate)}${range(others)} of them are not among the ${people(count.known)} people counted by the other source.`,
    ...(run
      ? [
          `The interval is the middle 95% of this ratio across ${METHOD_TEXTS[run.method]}, using data as of ${run.asOf.toISOString().slice(0, 10)}${rangeNote}.`,
        ]
      : []),
    ...(effectiveSize === null ? [] : [`The effective sample size is ${people(effectiveSize)} people.`]),
  ].join(' ');
}

const WARNING_NOTES = ['NOT_PRECISE', 'NO_UPPER_BOUND', 'NO_VARIATION', 'NO_INTERVAL', 'BELOW_SAMPLE'];
const warnings = ({ total, notes }: CountFigures): string[] =>
  total ? notes.filter(({ code }) => WARNING_NOTES.includes(code)).map(({ message }) => message) : [];
