/**
 * Runs the form library outside the process that serves requests. A questionnaire is written by people: one that
 * expands into a million panels, or whose expressions trigger each other, can keep a thread busy forever. So it runs
 * in a process with limits on processor time and memory, while requests continue. On a busy machine the work takes
 * longer but costs no more processor time: only the cost leads to a refusal; taking too long leads to a 503.
 */
import { type QueueKey, WorkQueue } from '../../platform/http/limits/work-queue.ts';
import { fieldError } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import { WorkerEnded, WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import { validateFast } from '../answers/answers.ts';
import type { StoredCalculation } from '../answers/calculated.ts';
import { calculatedValuesOf } from '../answers/calculated-names.ts';
import type { WallClock } from '../answers/interview-day.ts';
import { withNonresponseQuestion } from '../answers/nonresponse.ts';
import type { AnswerLine } from '../schema.ts';
import type { FormToExport } from '../xlsform/export/export.ts';
import type { ImportedForm } from '../xlsform/import/import.ts';
import { answerTextFast } from './fast-answer-text.ts';
import type { Choices } from './tree-colours.ts';
import {
  type AnswerErrors,
  type BudgetedJob,
  OVER_BUDGET_SIGNAL,
  type Settings,
  type ValidatorJob,
  type ValidatorReplies,
  type ValidatorReply,
} from './validator-jobs.ts';
import { PendingCache } from './within-deadline.ts';

/** Tests lower them. */
export const VALIDATOR_LIMITS = {
  /**
   * Processor time (of the main thread) in which a new version must be read and filled in, and its codebook made: large
   * forms of 700 rows need two seconds. It is less than a request has time (within-deadline.ts), so that on an idle machine a form that costs more
   * is refused at once, with the reason. A stored version has three times that, so that no answers are refused that it was
   * accepted for.
   */
  seconds: 7,
  /** Elapsed time after which work that has not begun is a 503. */
  patienceMs: 10_000,
};
/** Elapsed time after which a process hangs, or the machine has hardly any time for it. */
const HANGS_MS = 120_000;
const MEMORY_MB = 192;
const MAX_PROCESSES = 2;

const queue = new WorkQueue({
  capacity: MAX_PROCESSES,
  // Whatever one person sends, the other process works for others.
  each: 1,
  mostWaiting: 200,
  mostWaitingEach: 100,
  get patienceMs() {
    return VALIDATOR_LIMITS.patienceMs;
  },
  overloadProblem: 'SENDING_TOO_MUCH',
});

/** A process reports the id of a questionnaire whose definition it does not have. */
const pool = new WorkerPool<BudgetedJob, ValidatorReply, string, string>({
  kind: 'process',
  from: import.meta.url,
  name: 'validator-process',
  size: MAX_PROCESSES,
  memoryMb: MEMORY_MB,
});

class OverLimit extends Error {}
class OverMemory extends OverLimit {}

export const TOO_SLOW_ERRORS: AnswerErrors = [fieldError('responses', 'ANSWERS_TOO_SLOW')];

interface Questionnaire {
  id: string;
  definition: object;
}

const MB = 1_000_000;
/** For those who ask again after a 503. Only a hash of the input is kept, so verdicts are small. */
const verdicts = new PendingCache<AnswerErrors>(20 * MB);
const wholes = new PendingCache<ValidatorReplies['calculated']>(10 * MB);
/** Of files of at most 2 MB; a form may be several times as large as its file. */
const forms = new PendingCache<ImportedForm | null>(4 * MB);
const codebooks = new PendingCache<ValidatorReplies['codebook']>(2 * MB);

export async function validateDefinition(
  definition: unknown,
  { networkSizeQuestion, takesPartIf, identityQuestions }: Settings,
  by?: QueueKey,
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
    const whole = withNonresponseQuestion({ definition, networkSizeQuestion });
    if (parts) await codebooks.once([JSON.stringify(whole.definition)], async () => parts);
    return errors;
  });
}

const costOf = (error: OverLimit) =>
  error instanceof OverMemory
    ? fieldError('definition', 'TOO_LARGE_TO_READ', { most: MEMORY_MB })
    : fieldError('definition', 'TOO_SLOW_TO_READ', { most: VALIDATOR_LIMITS.seconds });

/** The keys that answers to this questionnaire may have; null if it takes too long to find out. */
export const answerKeysOf = async (definition: object, by?: QueueKey): Promise<string[] | null> =>
  await inProcess({ kind: 'keys', definition: JSON.stringify(definition) }, { by, overLimit: () => null });

/** What a choice question offers; null if there is none with this name. */
export const choicesOf = async (
  definition: object,
  question: string,
  by?: QueueKey,
): Promise<Choices | null> =>
  await inProcess({ kind: 'choices', definition: JSON.stringify(definition), question }, { by });

/** What of its answers can be counted, and what they look like, for the columns of a table. */
export async function codebookParts(
  definition: object,
  by?: QueueKey,
): Promise<ValidatorReplies['codebook']> {
  const text = JSON.stringify(definition);
  return await codebooks.once([text], () => inProcess({ kind: 'codebook', definition: text }, { by }));
}

/** An XLSForm file as a questionnaire; null if it takes too long. */
export const readXlsform = async (file: Uint8Array, by?: QueueKey): Promise<ImportedForm | null> =>
  await forms.once([Buffer.from(file).toString('latin1')], () =>
    inProcess(
      { kind: 'read xlsform', file },
      { by, budgetMs: VALIDATOR_LIMITS.seconds * 1_000, overLimit: () => null },
    ),
  );

/** A questionnaire as an XLSForm file. */
export const writeXlsform = async (form: FormToExport, language = 'en', by?: QueueKey): Promise<Buffer> =>
  Buffer.from(await inProcess({ kind: 'write xlsform', form: JSON.stringify(form), language }, { by }));

export async function validateAnswers(
  questionnaire: Questionnaire,
  responses: Record<string, unknown>,
  moments: WallClock[] = [],
  by?: QueueKey,
): Promise<AnswerErrors> {
  const verdict = validateFast(questionnaire, responses);
  if (verdict) return verdict;
  const text = JSON.stringify(responses);
  const { id, definition } = questionnaire;
  return await verdicts.once([id, moments.join(), text], () =>
    inProcess(
      { kind: 'answers', questionnaire: id, responses: text, moments },
      { by, definition, overLimit: () => TOO_SLOW_ERRORS },
    ),
  );
}

/** The answers with the values that the questionnaire calculates from them; null if that takes too long. */
export async function withCalculatedValues(
  { id, definition }: Questionnaire,
  responses: Record<string, unknown>,
  stored: StoredCalculation,
  by?: QueueKey,
): Promise<Record<string, unknown> | null> {
  const { values, shows } = calculatedValuesOf(definition);
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
  by?: QueueKey,
): Promise<AnswerLine[]> {
  const words = await answerTextFast(questionnaire, responses, language);
  if (words) return words;
  const { id, definition } = questionnaire;
  const text = JSON.stringify(responses);
  return await inProcess({ kind: 'words', questionnaire: id, responses: text, language }, { by, definition });
}

interface Options<R> {
  /** The id of the user who wants it, for a fair order. */
  by?: QueueKey;
  budgetMs?: number;
  /** Of the questionnaire that the job names. */
  definition?: object;
  /** The reply if the job exceeds the process's limits; without it that is an UNAVAILABLE. */
  overLimit?(error: OverLimit): R;
}

async function inProcess<J extends ValidatorJob>(
  job: J,
  {
    by,
    budgetMs = 3 * VALIDATOR_LIMITS.seconds * 1_000,
    definition,
    overLimit,
  }: Options<ValidatorReplies[J['kind']]> = {},
): Promise<ValidatorReplies[J['kind']]> {
  const onReport = () => JSON.stringify(definition);
  try {
    const reply = await queue.inTurn(by, undefined, () => run({ job, budgetMs }, onReport));
    return reply as ValidatorReplies[J['kind']];
  } catch (error) {
    if (!(error instanceof OverLimit)) throw error;
    if (!overLimit) throw problem('UNAVAILABLE', { cause: error });
    return overLimit(error);
  }
}

async function run(order: BudgetedJob, onReport: () => string): Promise<ValidatorReply> {
  try {
    return await pool.run(order, { onReport, signal: AbortSignal.timeout(HANGS_MS) });
  } catch (error) {
    const signal = error instanceof WorkerEnded ? error.signal : null;
    if (signal === OVER_BUDGET_SIGNAL) throw new OverLimit();
    if (signal !== OUT_OF_MEMORY) throw problem('UNAVAILABLE', { cause: error });
    // Earlier jobs may have used up the memory: once more, in the end in a fresh process.
    if ((error as WorkerEnded).jobsBefore > 0) return await run(order, onReport);
    throw new OverMemory();
  }
}

/** By which a process ends that V8 can give no more memory. */
const OUT_OF_MEMORY = 'SIGABRT';
