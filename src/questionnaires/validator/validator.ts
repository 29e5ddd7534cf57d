/**
 * Runs the form library outside the process that serves requests. A questionnaire is written by people: one that
 * expands into a million panels, or whose expressions trigger each other, can keep a thread busy forever. So it runs
 * in a process with limits on processor time and memory, while requests continue. On a busy machine the work takes
 * longer but costs no more processor time: only the cost leads to a refusal; taking too long leads to a 503.
 */
import { type CallerId, WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import { WorkerEnded, WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import { validateAnswersFast } from '../answers/answers.ts';
import type { CalculationContext } from '../answers/calculated.ts';
import { calculatedDefinitionsIn } from '../answers/calculated-names.ts';
import type { WallClock } from '../answers/interview-day.ts';
import { withNoNetworkSizeReason } from '../answers/nonresponse.ts';
import type { AnswerLine } from '../schema.ts';
import type { FormToExport } from '../xlsform/export/export.ts';
import type { ImportedForm } from '../xlsform/import/import.ts';
import { answerLinesFast } from './fast-answer-text.ts';
import type { OfferedChoices } from './tree-colors.ts';
import {
  type AnswerErrors,
  type BudgetedJob,
  type DefinitionSettings,
  OVER_BUDGET_SIGNAL,
  type QuestionnaireJobResults,
  type ValidatorJob,
  type ValidatorReply,
} from './validator-jobs.ts';
import { PendingCache } from './within-deadline.ts';

/** Lowered in tests. */
export const VALIDATOR_LIMITS = {
  /**
   * Processor time (of the main thread) to read a new version, fill it in and make its codebook: large forms with 700
   * rows need two seconds. It is less than the time limit of a request (within-deadline.ts), so that on an idle machine
   * a form that costs more is refused at once, with the reason. A stored version gets three times as much, so that an
   * accepted version never refuses answers.
   */
  seconds: 7,
  /** Maximum wait until the work begins; after that, 503. */
  maxWaitMs: 10_000,
};
/** After this elapsed time, the process is considered stuck, or the machine too busy to run it. */
const STUCK_AFTER_MS = 120_000;
const MEMORY_MB = 192;
const MAX_PROCESSES = 2;

const queue = new WorkQueue({
  capacity: MAX_PROCESSES,
  // One process per user, so that the other process always serves others.
  each: 1,
  maxWaiting: 200,
  maxWaitingEach: 100,
  get maxWaitMs() {
    return VALIDATOR_LIMITS.maxWaitMs;
  },
  overloadProblem: 'SENDING_TOO_MUCH',
});

/** The process reports the id of a questionnaire whose definition it doesn't have. */
const pool = new WorkerPool<BudgetedJob, ValidatorReply, string, string>({
  kind: 'process',
  from: import.meta.url,
  name: 'validator-process',
  size: MAX_PROCESSES,
  memoryMb: MEMORY_MB,
});

class OverLimit extends Error {}
class OverMemory extends OverLimit {}

export const ANSWERS_TOO_SLOW_ERRORS: AnswerErrors = [fieldError('responses', 'ANSWERS_TOO_SLOW')];

interface Questionnaire {
  id: string;
  definition: object;
}

const MB = 1_000_000;
/** For clients that retry after a 503. Keys are hashes of the input, so entries are small. */
const verdicts = new PendingCache<AnswerErrors>(20 * MB);
const wholes = new PendingCache<QuestionnaireJobResults['calculated']>(10 * MB);
/** Files have at most 2 MB, but a form may be several times as large as its file. */
const forms = new PendingCache<ImportedForm | null>(4 * MB);
const codebooks = new PendingCache<QuestionnaireJobResults['codebook']>(2 * MB);

export async function validateDefinition(
  definition: unknown,
  { networkSizeQuestion, takesPartIf, identityQuestions }: DefinitionSettings,
  by?: CallerId,
): Promise<AnswerErrors> {
  if (!isPlainObject(definition)) return [fieldError('definition', 'NOT_DEFINITION')];
  const text = JSON.stringify(definition);
  const settings = { networkSizeQuestion, takesPartIf, identityQuestions };
  return await verdicts.once([text, JSON.stringify(settings)], async () => {
    const { errors, parts } = await inProcess(
      { kind: 'definition', definition: text, ...settings },
      {
        by,
        budgetMs: VALIDATOR_LIMITS.seconds * 1_000,
        overLimit: (error) => ({ errors: [costOf(error)], parts: null }),
      },
    );
    // An invalid definition may not even have the form that adding a question needs.
    if (!parts) return errors;
    const whole = withNoNetworkSizeReason({ definition, networkSizeQuestion });
    await codebooks.once([JSON.stringify(whole.definition)], async () => parts);
    return errors;
  });
}

const costOf = (error: OverLimit) =>
  error instanceof OverMemory
    ? fieldError('definition', 'TOO_LARGE_TO_READ', { most: MEMORY_MB })
    : fieldError('definition', 'TOO_SLOW_TO_READ', { most: VALIDATOR_LIMITS.seconds });

/** The keys that answers to this questionnaire may have; null if computing them takes too long. */
export const answerKeysOf = async (definition: object, by?: CallerId): Promise<string[] | null> =>
  await inProcess({ kind: 'keys', definition: JSON.stringify(definition) }, { by, overLimit: () => null });

/** The choices of a question; null if there is no choice question with this name. */
export const choicesOf = async (
  definition: object,
  question: string,
  by?: CallerId,
): Promise<OfferedChoices | null> =>
  await inProcess({ kind: 'choices', definition: JSON.stringify(definition), question }, { by });

/** The countable questions and the shapes of the answers, for the columns of a table. */
export async function codebookParts(
  definition: object,
  by?: CallerId,
): Promise<QuestionnaireJobResults['codebook']> {
  const text = JSON.stringify(definition);
  return await codebooks.once([text], () => inProcess({ kind: 'codebook', definition: text }, { by }));
}

/** An XLSForm file as a questionnaire; null if it takes too long. */
export const readXlsform = async (file: Uint8Array, by?: CallerId): Promise<ImportedForm | null> =>
  await forms.once([Buffer.from(file).toString('latin1')], () =>
    inProcess(
      { kind: 'read xlsform', file },
      { by, budgetMs: VALIDATOR_LIMITS.seconds * 1_000, overLimit: () => null },
    ),
  );

/** A questionnaire as an XLSForm file. */
export const writeXlsform = async (form: FormToExport, language = 'en', by?: CallerId): Promise<Buffer> =>
  Buffer.from(await inProcess({ kind: 'write xlsform', form: JSON.stringify(form), language }, { by }));

export async function validateAnswers(
  questionnaire: Questionnaire,
  responses: Record<string, unknown>,
  moments: WallClock[] = [],
  by?: CallerId,
): Promise<AnswerErrors> {
  const verdict = validateAnswersFast(questionnaire, responses);
  if (verdict) return verdict;
  const text = JSON.stringify(responses);
  const { id, definition } = questionnaire;
  return await verdicts.once([id, moments.join(), text], () =>
    inProcess(
      { kind: 'answers', questionnaire: id, responses: text, moments },
      { by, definition, overLimit: () => ANSWERS_TOO_SLOW_ERRORS },
    ),
  );
}

/** The answers with the values that the questionnaire calculates from them; null if that takes too long. */
export async function withCalculatedValues(
  { id, definition }: Questionnaire,
  responses: Record<string, unknown>,
  stored: CalculationContext,
  by?: CallerId,
): Promise<Record<string, unknown> | null> {
  const { values, shows } = calculatedDefinitionsIn(definition);
  if (values.length === 0 && !shows) return responses;
  const text = JSON.stringify(responses);
  return await wholes.once([id, stored.moment, stored.came ?? '', text], () =>
    inProcess(
      { kind: 'calculated', questionnaire: id, responses: text, ...stored },
      { by, definition, overLimit: () => null },
    ),
  );
}

/** The answers to the questions that are shown, in words. */
export async function answersInWords(
  questionnaire: Questionnaire,
  responses: Record<string, unknown>,
  language: string,
  by?: CallerId,
): Promise<AnswerLine[]> {
  const words = await answerLinesFast(questionnaire, responses, language);
  if (words) return words;
  const { id, definition } = questionnaire;
  const text = JSON.stringify(responses);
  return await inProcess({ kind: 'words', questionnaire: id, responses: text, language }, { by, definition });
}

interface Options<R> {
  /** Id of the requesting user, for fair queueing. */
  by?: CallerId;
  budgetMs?: number;
  /** The definition of the job's questionnaire. */
  definition?: object;
  /** The reply if the job exceeds the process's limits; by default that is UNAVAILABLE. */
  overLimit?(error: OverLimit): R;
}

async function inProcess<J extends ValidatorJob>(
  job: J,
  {
    by,
    budgetMs = 3 * VALIDATOR_LIMITS.seconds * 1_000,
    definition,
    overLimit,
  }: Options<QuestionnaireJobResults[J['kind']]> = {},
): Promise<QuestionnaireJobResults[J['kind']]> {
  const onReport = () => JSON.stringify(definition);
  try {
    const reply = await queue.inTurn(by, undefined, () => run({ job, budgetMs }, onReport));
    return reply as QuestionnaireJobResults[J['kind']];
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    if (!overLimit) throw problem('UNAVAILABLE', { cause: error });
    return overLimit(error);
  }
}

async function run(order: BudgetedJob, onReport: () => string): Promise<ValidatorReply> {
  try {
    return await pool.run(order, { onReport, signal: AbortSignal.timeout(STUCK_AFTER_MS) });
  } catch (error) {
    const signal = error instanceof WorkerEnded ? error.signal : null;
    if (signal === OVER_BUDGET_SIGNAL) throw new OverLimit();
    if (signal !== OUT_OF_MEMORY) throw problem('UNAVAILABLE', { cause: error });
    // Earlier jobs may have used up the memory, so retry, if necessary in a fresh process.
    if ((error as WorkerEnded).jobsBefore > 0) return await run(order, onReport);
    throw new OverMemory();
  }
}

/** The signal with which a process ends when V8 runs out of memory. */
const OUT_OF_MEMORY = 'SIGABRT';
