/** How each question was answered: unweighted counts, next to the estimates. */
import type { z } from 'zod';
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { queryParameterProblem } from '../../platform/http/problems/problem.ts';
import { levelCountsOf, rowsWithKnownAnswer } from '../estimators/outcome.ts';
import { cellSizeOf } from '../estimators/sample/cell-size.ts';
import { imputedNetworkSizes } from '../estimators/sample/sample.ts';
import { equalWeights, rds2Weights, weightedEstimateOf } from '../estimators/weights.ts';
import { hiddenLevelsAtSite, levelTitlesOf, outcomeTablesBySite, type SiteTable } from '../sample/by-site.ts';
import { outcomeCatalogOf } from '../sample/catalog.ts';
import { loadRoundContext } from '../sample/load.ts';
import { type ResultsReader, readerId, smallestCellFor } from '../sample/right.ts';
import { type LoadedOutcome, type SampleContext, type SampleOptions, sampleOf } from '../sample/sample.ts';
import { hiddenLevels } from '../sample/small-cells.ts';
import { SampledQuestionnaireVersions, versionsInUse } from '../sample/versions.ts';
import { queryStudyTable } from '../study-table/ask.ts';
import { createStudyTableQuery } from '../study-table/table-query.ts';
import { type Histogram, histogramOf, shownHistogram } from './histogram.ts';
import type { AnswerDistributions, AnswersQuery } from './schema.ts';
import { VisibleOutcomeLevels } from './visible-levels.ts';

type Shape = z.input<typeof AnswerDistributions>;
type Question = Shape['questions'][number];

/** Before hiding: the same for every reader. */
interface Counted {
  n: number;
  outcomes: CountedOutcome[];
  refused: Shape['refused'];
}

interface CountedOutcome {
  question: LoadedOutcome['question'];
  isChoice: boolean;
  kind: 'CATEGORY' | 'NUMBER';
  known: number;
  notAsked: number;
  /** [levels], or a single null for a number. */
  values: (string | null)[];
  counts: number[];
  /** [levels] how many people are behind each figure. */
  sizes: number[];
  shares: number[] | null;
  rds2: number[] | null;
  titles: ReturnType<typeof levelTitlesOf>;
  offered: LoadedOutcome['offered'];
  spread: Histogram | null;
  sites: SiteTable | null;
}

export async function loadAnswerCounts(
  reader: ResultsReader,
  query: AnswersQuery,
  now: Date,
): Promise<Shape> {
  const { settings, context } = await loadRoundContext(query.round);
  const smallest = smallestCellFor(reader, settings.smallestCell);
  const { question, ...window } = query;
  const request = { question, window, zone: reader.zone, withOtherSites: smallest > 0, ...context };
  const counted = await queryStudyTable(answersFromStudyTable, request, readerId(reader));
  const isPart = query.location !== undefined;
  const refused = new Set(counted.refused.map(({ name }) => name));
  const names = [...new Set(query.question)].filter((name) => !refused.has(name));
  return {
    asOf: now.toISOString(),
    n: counted.n,
    questions: names.map((name) => {
      const outcomes = counted.outcomes.filter(({ question }) => question.name === name);
      return toQuestion(outcomes as [CountedOutcome], counted.n, { smallest, isPart });
    }),
    refused: counted.refused,
  };
}

type AnswersRequest = Omit<SampleOptions, 'outcomes'> & SampleContext & Pick<AnswersQuery, 'question'>;

export const answersFromStudyTable = createStudyTableQuery(
  'answers',
  (table, { question, ...request }: AnswersRequest): Counted => {
    const versionIds = versionsInUse(table.interviews);
    const versions = new SampledQuestionnaireVersions(table.versions, {
      held: versionIds,
      approved: request.approved,
    });
    const catalogue = outcomeCatalogOf(versions, {
      outcomes: request.computed,
    });
    const outcomeNames = question.flatMap((name, at) => {
      const specs = catalogue.filter((one) => one.question.name === name);
      if (specs.length > 0) return specs.map((one) => one.name);
      throw queryParameterProblem(fieldError(`question.${at}`, 'NO_OUTCOME'));
    });
    const outcomes = Object.fromEntries([...new Set(outcomeNames)].map((name) => [name, name]));
    const sample = sampleOf(table, { ...request, outcomes, skipsRefused: true });
    // All choices of a question are refused together, for the same reason.
    const refused = new Map(
      sample.refused.map(({ path, ...fault }) => {
        const { question: refusedQuestion } = catalogue.find(({ name }) => name === path)!;
        return [refusedQuestion.name, { ...refusedQuestion, ...fault }] as const;
      }),
    );
    const tables = outcomeTablesBySite(sample);
    const equal = equalWeights(sample.n);
    const weights = rds2Weights(imputedNetworkSizes(sample.reportedSizes));
    return {
      n: sample.n,
      refused: [...refused.values()],
      outcomes: sample.outcomes.map((one, at): CountedOutcome => {
        const { outcome, name, question: asks, offered, notAsked } = one;
        const answerCount = rowsWithKnownAnswer(outcome).length;
        return {
          question: asks,
          isChoice: name !== asks.name,
          kind: outcome.kind,
          known: answerCount,
          notAsked,
          values: outcome.kind === 'CATEGORY' ? [...outcome.levels] : [null],
          counts: outcome.kind === 'CATEGORY' ? [...levelCountsOf(outcome)] : [answerCount],
          sizes: outcome.kind === 'CATEGORY' ? [...levelCountsOf(outcome)] : [cellSizeOf(outcome.values)],
          shares: weightedEstimateOf(outcome, equal),
          rds2: weightedEstimateOf(outcome, weights),
          titles: levelTitlesOf(one, sample.elsewhere?.outcomes[at]),
          offered,
          spread: outcome.kind === 'NUMBER' ? histogramOf(outcome.values) : null,
          sites: tables[at] ?? null,
        };
      }),
    };
  },
);

interface AnswersView {
  smallest: number;
  /** The sample is narrowed to some days or one site. */
  isPart: boolean;
}

/** `outcomes` is either one outcome or all choices of one question. */
function toQuestion(
  outcomes: readonly [CountedOutcome],
  n: number,
  { smallest, isPart }: AnswersView,
): Question {
  const [first] = outcomes;
  const { question, kind, isChoice, spread } = first;
  // Versions that offer fewer choices still ask the question.
  const notAsked = Math.min(...outcomes.map((one) => one.notAsked));
  const answerCount = Math.max(...outcomes.map((one) => one.known));
  const isFew = n > 0 && n < smallest;
  const levels = outcomes.flatMap((one) => levelsOf(one, isFew, smallest));
  const closed = levels.every(({ hidden }) => hidden);
  return {
    ...question,
    kind: isChoice ? 'SEVERAL' : kind === 'NUMBER' ? 'NUMBER' : 'ONE',
    known: answerCount,
    missing: n - answerCount - notAsked,
    notAsked,
    levels,
    spread: spread && !closed && !(isPart && smallest > 0) ? shownHistogram(spread, smallest) : null,
  };
}

function levelsOf(one: CountedOutcome, isFew: boolean, smallest: number): Question['levels'] {
  const { values, counts, sizes, titles, offered, isChoice } = one;
  // With so few people, not even which answers occurred is shown.
  if (isFew) {
    const nothing = { count: null, share: null, rds2: null, hidden: true as const };
    const open = one.kind === 'NUMBER' ? [{ value: null, title: null }] : offered;
    return open.filter(({ value }) => !isChoice || value === '1').map((level) => ({ ...level, ...nothing }));
  }
  const among = hiddenLevels(sizes, smallest);
  const hidden = one.sites
    ? hiddenLevelsAtSite(one.sites, smallest)
    : new Set(values.filter((_, level) => among[level]));
  const levels = VisibleOutcomeLevels.of(values, hidden, smallest).levels((figure, { value }) => ({
    title: titles.get(value) ?? null,
    count: figure(counts),
    share: figure(one.shares),
    rds2: figure(one.rds2),
  }));
  if (!isChoice) return levels;
  const chosen = levels.find(({ value }) => value === '1') ?? {
    ...{ value: '1', title: offered.find(({ value }) => value === '1')?.title ?? null },
    // Nobody chose it: hide it if the opposite answer is hidden.
    ...(hidden.has('0')
      ? { count: null, share: null, rds2: null, hidden: true as const }
      : { count: 0, share: one.known > 0 ? 0 : null, rds2: one.known > 0 ? 0 : null }),
  };
  return [chosen];
}
