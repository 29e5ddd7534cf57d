/**
 * The form library's judgement, outside the process that answers requests. A questionnaire is written by people: one
 * that unfolds into a million panels, or whose expressions chase each other, holds a thread for as long as it likes.
 * Here that is a process that can be ended, with bounds on its processor time and memory; requests go on meanwhile.
 * A busy machine makes the work last longer but not cost more: only what it costs is ever a refusal, what lasts too
 * long is a 503.
 */
import type { ChildProcess } from 'node:child_process';
import { type FieldError, fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { startProcess } from '../lib/worker.ts';
import type { Shapes } from './answer-shape.ts';
import { judgedAtOnce } from './answers.ts';
import { calculatesOf } from './calculated-names.ts';
import type { Choices } from './choices.ts';
import type { Countable } from './countable.ts';
import { isPlainObject } from './definition.ts';
import { Begun } from './in-time.ts';
import type { Moment } from './moment.ts';
import { OVER_BUDGET } from './over-budget.ts';
import { wordsAtOnce } from './plain-words.ts';
import type { Line, QuestionnaireCreate } from './schema.ts';
import type { Form } from './xlsform/export.ts';
import type { Imported } from './xlsform/import.ts';

export type Verdict = FieldError[];

/** What is told beside a definition, and speaks of it. */
type Beside = Pick<QuestionnaireCreate, 'networkSizeQuestion' | 'takesPartIf' | 'identityQuestions'>;

/** The definition is told once: a process keeps those of the last versions. */
interface Told {
  id: string;
  definition?: string;
  forget?: string;
}

export type Job =
  | ({ kind: 'definition'; definition: string } & Beside)
  | ({ kind: 'answers'; responses: string; moments: Moment[] } & Told)
  | ({ kind: 'calculated'; responses: string; moment: Moment } & Told)
  | ({ kind: 'words'; responses: string; language: string } & Told)
  | { kind: 'keys'; definition: string }
  | { kind: 'choices'; definition: string; question: string }
  | { kind: 'countables'; definition: string }
  | { kind: 'shapes'; definition: string }
  /** The bytes of a file as base64, both ways. */
  | { kind: 'read xlsform'; file: string }
  | { kind: 'write xlsform'; form: string; language: string };

/** What a process is sent: it ends itself where the job needs more processor time. */
export interface Order {
  job: Job;
  budgetMs: number;
}

/** What comes back of each kind. */
export interface Said {
  definition: Verdict;
  answers: Verdict;
  calculated: Record<string, unknown> | null;
  words: Line[];
  keys: string[] | null;
  choices: Choices | null;
  countables: Countable[];
  shapes: Shapes;
  'read xlsform': Imported | null;
  'write xlsform': string;
}

/** Processor time in which a new version must be read and filled in: large forms of 700 rows need two seconds. */
const MOST_SECONDS = 10;
/** Of all that is asked of a stored version: twice that, so that no answers are refused that it was accepted for. */
const BUDGET_MS = 2 * MOST_SECONDS * 1_000;
/** By the clock on the wall; who has waited longer is told to come again. */
const MOST_WAIT_MS = 10_000;
/** A process that hangs, or a machine with hardly any time for it. */
const HANGS_MS = 120_000;
const MEMORY_MB = 192;
const MOST_PROCESSES = 2;
const MOST_WAITING = 200;
const MOST_KNOWN = 20;
/** With the form library in it one takes some 70 MB: not for ever. */
const IDLE_MS = 60_000;

class TooMuch extends Error {}
class TooLarge extends TooMuch {}

export const TOO_SLOW: Verdict = [fieldError('responses', 'ANSWERS_TOO_SLOW')];

interface Judge {
  process: ChildProcess;
  isReady: boolean;
  /** Ids of the definitions that it keeps, the oldest first. */
  known: string[];
  /** It has done other work before, which may have taken up memory. */
  isUsed: boolean;
  task: Task | null;
  timer: NodeJS.Timeout | undefined;
}

interface Task {
  budgetMs: number;
  timer?: NodeJS.Timeout;
  /** Made when a process is free, since it depends on what that one knows. */
  jobFor(judge: Judge): Job;
  done(said: never): void;
  failed(error: unknown): void;
}

const judges = new Set<Judge>();
const waiting: Task[] = [];

/** For those who ask again after a 503. */
const verdicts = new Begun<Verdict>(50);
/** Fewer: a megabyte each at the most. */
const wholes = new Begun<Said['calculated']>(10);

export async function judgeDefinition(
  definition: unknown,
  { networkSizeQuestion, takesPartIf, identityQuestions }: Beside,
): Promise<Verdict> {
  if (!isPlainObject(definition)) return [fieldError('definition', 'NOT_DEFINITION')];
  const text = JSON.stringify(definition);
  const beside = { networkSizeQuestion, takesPartIf, identityQuestions };
  return await verdicts.once([text, JSON.stringify(beside)], () =>
    inProcess<'definition'>(
      () => ({ kind: 'definition', definition: text, ...beside }),
      (error) =>
        error instanceof TooLarge
          ? [fieldError('definition', 'TOO_LARGE_TO_READ', { most: MEMORY_MB })]
          : [fieldError('definition', 'TOO_SLOW_TO_READ', { most: MOST_SECONDS })],
      MOST_SECONDS * 1_000,
    ),
  );
}

/** The keys that answers to this questionnaire may have; null where it takes too long to tell. */
export const answerKeysOf = async (definition: object): Promise<string[] | null> =>
  await inProcess<'keys'>(
    () => ({ kind: 'keys', definition: JSON.stringify(definition) }),
    () => null,
  );

/** What a choice question offers; null where there is none of this name. */
export const choicesOf = async (definition: object, question: string): Promise<Choices | null> =>
  await inProcess<'choices'>(() => ({ kind: 'choices', definition: JSON.stringify(definition), question }));

/** What of its answers can be counted. */
export const countablesOf = async (definition: object): Promise<Countable[]> =>
  await inProcess<'countables'>(() => ({ kind: 'countables', definition: JSON.stringify(definition) }));

/** What its answers look like, for the columns of a table. */
export const shapesOf = async (definition: object): Promise<Shapes> =>
  await inProcess<'shapes'>(() => ({ kind: 'shapes', definition: JSON.stringify(definition) }));

/** A file of XLSForm as a questionnaire; null where it takes too long. */
export const readXlsform = async (file: Uint8Array): Promise<Imported | null> =>
  await inProcess<'read xlsform'>(
    () => ({ kind: 'read xlsform', file: Buffer.from(file).toString('base64') }),
    () => null,
    MOST_SECONDS * 1_000,
  );

/** A questionnaire as a file of XLSForm. */
export async function writeXlsform(form: Form, language = 'en'): Promise<Buffer> {
  const text = JSON.stringify(form);
  return Buffer.from(
    await inProcess<'write xlsform'>(() => ({ kind: 'write xlsform', form: text, language })),
    'base64',
  );
}

export async function judgeAnswers(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
  moments: Moment[] = [],
): Promise<Verdict> {
  const atOnce = judgedAtOnce(questionnaire, responses);
  if (atOnce) return atOnce;
  const text = JSON.stringify(responses);
  return await verdicts.once([questionnaire.id, moments.join(), text], () =>
    inProcess<'answers'>(
      (judge) => ({ kind: 'answers', responses: text, moments, ...told(judge, questionnaire) }),
      () => TOO_SLOW,
    ),
  );
}

/** The answers with what the questionnaire calculates of them; null where that takes too long. */
export async function calculated(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
  moment: Moment,
): Promise<Record<string, unknown> | null> {
  const { values, shows } = calculatesOf(questionnaire.definition);
  if (values.length === 0 && !shows) return responses;
  const text = JSON.stringify(responses);
  return await wholes.once([questionnaire.id, moment, text], () =>
    inProcess<'calculated'>(
      (judge) => ({ kind: 'calculated', responses: text, moment, ...told(judge, questionnaire) }),
      () => null,
    ),
  );
}

/** The answers to the questions that are shown, in words. */
export async function answersInWords(
  questionnaire: { id: string; definition: object },
  responses: Record<string, unknown>,
  language: string,
): Promise<Line[]> {
  const atOnce = await wordsAtOnce(questionnaire, responses, language);
  if (atOnce) return atOnce;
  const text = JSON.stringify(responses);
  return await inProcess<'words'>((judge) => ({
    kind: 'words',
    responses: text,
    language,
    ...told(judge, questionnaire),
  }));
}

function told({ known }: Judge, { id, definition }: { id: string; definition: object }): Told {
  if (known.includes(id)) return { id };
  known.push(id);
  const forget = known.length > MOST_KNOWN ? known.shift() : undefined;
  return { id, definition: JSON.stringify(definition), ...(forget === undefined ? {} : { forget }) };
}

/** `tooMuch` is the answer where the process's bounds are passed; without it that is an UNAVAILABLE. */
async function inProcess<K extends Job['kind']>(
  jobFor: Task['jobFor'],
  tooMuch?: (error: TooMuch) => Said[K],
  budgetMs = BUDGET_MS,
): Promise<Said[K]> {
  if (waiting.length >= MOST_WAITING) throw problem('UNAVAILABLE');
  try {
    return await new Promise<Said[K]>((done, failed) => {
      const task: Task = { jobFor, budgetMs, done, failed };
      waiting.push(task);
      task.timer = setTimeout(() => giveUp(task), MOST_WAIT_MS);
      next();
    });
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    if (tooMuch === undefined) throw problem('UNAVAILABLE', { cause: error });
    return tooMuch(error);
  }
}

/** Nothing has been begun for it, and others are before it. */
function giveUp(task: Task): void {
  const at = waiting.indexOf(task);
  if (at === -1) return;
  waiting.splice(at, 1);
  task.failed(problem('UNAVAILABLE'));
}

function next(): void {
  for (const judge of judges) if (judge.isReady && !judge.task) begin(judge);
  const starting = [...judges].filter((one) => !one.isReady).length;
  if (waiting.length > starting && judges.size < MOST_PROCESSES) start();
}

function begin(judge: Judge): void {
  const task = waiting.shift();
  clearTimeout(judge.timer);
  if (!task) {
    // The service is not kept alive by a judge that has nothing to do.
    judge.process.unref();
    judge.process.channel?.unref();
    judge.timer = setTimeout(() => end(judge, null), IDLE_MS).unref();
    return;
  }
  judge.process.ref();
  judge.process.channel?.ref();
  clearTimeout(task.timer);
  judge.task = task;
  judge.timer = setTimeout(() => end(judge, new Error('the process that validates answers hangs')), HANGS_MS);
  judge.process.send({ job: task.jobFor(judge), budgetMs: task.budgetMs } satisfies Order);
}

function start(): void {
  const process = startProcess(import.meta.url, 'judge-process', MEMORY_MB);
  const judge: Judge = { process, isReady: false, known: [], isUsed: false, task: null, timer: undefined };
  judge.timer = setTimeout(
    () => end(judge, new Error('the process that validates answers does not start')),
    HANGS_MS,
  );
  judges.add(judge);
  process.on('message', (message: { said: Said[Job['kind']] } | 'ready') => {
    if (message === 'ready') judge.isReady = true;
    else {
      judge.task?.done(message.said as never);
      judge.isUsed = true;
    }
    judge.task = null;
    begin(judge);
  });
  process.on('error', (error) => end(judge, error));
  process.on('exit', (_code, signal) => end(judge, reasonOf(signal)));
}

/** Who runs out of memory aborts; who passes its budget of processor time ends itself by that signal. */
function reasonOf(signal: NodeJS.Signals | null): Error {
  if (signal === 'SIGABRT') return new TooLarge();
  if (signal === OVER_BUDGET) return new TooMuch();
  return new Error('the process that validates answers has ended');
}

/** Whoever waits for this process is told; one that can not even start is no reason to wait for ever. */
function end(judge: Judge, reason: Error | null): void {
  if (!judges.delete(judge)) return;
  clearTimeout(judge.timer);
  judge.process.kill('SIGKILL');
  // The memory may have gone to earlier work: once more, in the end in a process of its own.
  if (reason instanceof TooLarge && judge.task && judge.isUsed) {
    waiting.unshift(judge.task);
    judge.task = null;
  }
  const hit = judge.task ? [judge.task] : judge.isReady || judges.size > 0 ? [] : waiting.splice(0);
  for (const task of hit) {
    clearTimeout(task.timer);
    task.failed(reason instanceof TooMuch ? reason : problem('UNAVAILABLE', { cause: reason }));
  }
  if (waiting.length > 0) next();
}
