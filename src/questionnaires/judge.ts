/**
 * The form library's judgement, outside the process that answers requests. A questionnaire is written by people: one
 * that unfolds into a million panels, or whose expressions chase each other, holds a thread for as long as it likes.
 * Here that is a process that can be ended, with bounds on its time and memory; requests go on meanwhile.
 */
import type { ChildProcess } from 'node:child_process';
import { type FieldError, fieldError } from '../http/faults.ts';
import { problem } from '../http/problem.ts';
import { startProcess } from '../lib/worker.ts';
import { judgedAtOnce } from './answers.ts';
import { calculatesOf } from './calculated-names.ts';
import type { Choices } from './choices.ts';
import type { Countable } from './countable.ts';
import { isPlainObject } from './definition.ts';
import type { Moment } from './moment.ts';
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
  /** The bytes of a file as base64, both ways. */
  | { kind: 'read xlsform'; file: string }
  | { kind: 'write xlsform'; form: string; language: string };

/** What comes back of each kind. */
export interface Said {
  definition: Verdict;
  answers: Verdict;
  calculated: Record<string, unknown> | null;
  words: Line[];
  keys: string[] | null;
  choices: Choices | null;
  countables: Countable[];
  'read xlsform': Imported | null;
  'write xlsform': string;
}

/** Some hundred times what the largest sensible form needs. */
const LIMIT_MS = 5_000;
const MEMORY_MB = 192;
const MOST_PROCESSES = 2;
const MOST_WAITING = 200;
const MOST_KNOWN = 20;
/** With the form library in it one takes some 70 MB: not for ever. */
const IDLE_MS = 60_000;

class TooMuch extends Error {}

export const TOO_SLOW: Verdict = [fieldError('responses', 'ANSWERS_TOO_SLOW')];

interface Judge {
  process: ChildProcess;
  isReady: boolean;
  /** Ids of the definitions that it keeps, the oldest first. */
  known: string[];
  task: Task | null;
  timer: NodeJS.Timeout | undefined;
}

interface Task {
  /** Made when a process is free, since it depends on what that one knows. */
  jobFor(judge: Judge): Job;
  done(said: never): void;
  failed(error: unknown): void;
}

const judges = new Set<Judge>();
const waiting: Task[] = [];

export async function judgeDefinition(
  definition: unknown,
  { networkSizeQuestion, takesPartIf, identityQuestions }: Beside,
): Promise<Verdict> {
  if (!isPlainObject(definition)) return [fieldError('definition', 'NOT_DEFINITION')];
  const text = JSON.stringify(definition);
  return await inProcess<'definition'>(
    () => ({ kind: 'definition', definition: text, networkSizeQuestion, takesPartIf, identityQuestions }),
    [fieldError('definition', 'TOO_SLOW_TO_READ')],
  );
}

/** The keys that answers to this questionnaire may have; null where it takes too long to tell. */
export const answerKeysOf = async (definition: object): Promise<string[] | null> =>
  await inProcess<'keys'>(() => ({ kind: 'keys', definition: JSON.stringify(definition) }), null);

/** What a choice question offers; null where there is none of this name. */
export const choicesOf = async (definition: object, question: string): Promise<Choices | null> =>
  await inProcess<'choices'>(() => ({ kind: 'choices', definition: JSON.stringify(definition), question }));

/** What of its answers can be counted. */
export const countablesOf = async (definition: object): Promise<Countable[]> =>
  await inProcess<'countables'>(() => ({ kind: 'countables', definition: JSON.stringify(definition) }));

/** A file of XLSForm as a questionnaire; null where it takes too long. */
export const readXlsform = async (file: Uint8Array): Promise<Imported | null> =>
  await inProcess<'read xlsform'>(
    () => ({ kind: 'read xlsform', file: Buffer.from(file).toString('base64') }),
    null,
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
  return await inProcess<'answers'>(
    (judge) => ({ kind: 'answers', responses: text, moments, ...told(judge, questionnaire) }),
    TOO_SLOW,
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
  return await inProcess<'calculated'>(
    (judge) => ({ kind: 'calculated', responses: text, moment, ...told(judge, questionnaire) }),
    null,
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
async function inProcess<K extends Job['kind']>(jobFor: Task['jobFor'], tooMuch?: Said[K]): Promise<Said[K]> {
  if (waiting.length >= MOST_WAITING) throw problem('UNAVAILABLE');
  try {
    return await new Promise<Said[K]>((done, failed) => {
      waiting.push({ jobFor, done, failed });
      next();
    });
  } catch (error) {
    if (!(error instanceof TooMuch)) throw error;
    if (tooMuch === undefined) throw problem('UNAVAILABLE', { cause: error });
    return tooMuch;
  }
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
  judge.task = task;
  judge.timer = setTimeout(() => end(judge, new TooMuch()), LIMIT_MS);
  judge.process.send(task.jobFor(judge));
}

function start(): void {
  const process = startProcess(import.meta.url, 'judge-process', MEMORY_MB);
  const judge: Judge = { process, isReady: false, known: [], task: null, timer: undefined };
  judges.add(judge);
  process.on('message', (message: { said: Said[Job['kind']] } | 'ready') => {
    if (message === 'ready') judge.isReady = true;
    else judge.task?.done(message.said as never);
    judge.task = null;
    begin(judge);
  });
  process.on('error', (error) => end(judge, error));
  // Who runs out of memory aborts.
  process.on('exit', (_code, signal) =>
    end(judge, signal === 'SIGABRT' ? new TooMuch() : new Error('the process that judges answers has ended')),
  );
}

/** Whoever waits for this process is told; one that can not even start is no reason to wait for ever. */
function end(judge: Judge, reason: Error | null): void {
  if (!judges.delete(judge)) return;
  clearTimeout(judge.timer);
  judge.process.kill('SIGKILL');
  const hit = judge.task ? [judge.task] : judge.isReady || judges.size > 0 ? [] : waiting.splice(0);
  for (const task of hit)
    task.failed(reason instanceof TooMuch ? reason : problem('UNAVAILABLE', { cause: reason }));
  if (waiting.length > 0) next();
}
