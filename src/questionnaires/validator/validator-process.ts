/** The process that runs the form library (validator.ts). It caches the parsed definitions that it was sent. */
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { Model } from 'survey-core';
import { LruCache } from '../../platform/lib/lru-cache.ts';
import { type ReportToPool, serveJobs } from '../../platform/lib/workers/worker.ts';
import { checkAnswersWithModel } from '../answers/answers.ts';
import { withCalculated } from '../answers/calculated.ts';
import { answerKeysOf } from '../answers/check-visible-answers.ts';
import { answerLines } from '../answers/in-words.ts';
import { withNoNetworkSizeReason } from '../answers/nonresponse.ts';
import { answerShapesIn } from '../codebook/answer-shapes.ts';
import { countableQuestionsIn } from '../codebook/countable.ts';
import { checkDefinition } from '../definition/definition.ts';
import { runWithConsoleMuted } from '../definition/silence-console.ts';
import type { FormToExport } from '../xlsform/export/export.ts';
import { loadFormLibraryLocale } from './library-locales.ts';
import { choicesIn } from './tree-colors.ts';
import {
  type BudgetedJob,
  OVER_BUDGET_SIGNAL,
  type ValidatorJob,
  type ValidatorReply,
} from './validator-jobs.ts';

const definitions = new LruCache<object>(20);
/** More errors wouldn't help anyone. */
const MAX_ERRORS = 1_000;

type DefinitionOf = (questionnaire: string) => Promise<object>;

async function replyTo(job: ValidatorJob, definitionOf: DefinitionOf): Promise<ValidatorReply> {
  switch (job.kind) {
    case 'definition': {
      const { definition, networkSizeQuestion, takesPartIf, identityQuestions } = job;
      const errors = checkDefinition(
        JSON.parse(definition),
        networkSizeQuestion,
        takesPartIf,
        identityQuestions,
      );
      if (errors.length > 0) return { errors: errors.slice(0, MAX_ERRORS), parts: null };
      // Part of the same time budget: results can't use a version without a codebook.
      const whole = withNoNetworkSizeReason({ definition: JSON.parse(definition), networkSizeQuestion });
      return { errors, parts: partsOf(JSON.stringify(whole.definition)) };
    }
    case 'answers': {
      const definition = await definitionOf(job.questionnaire);
      return runWithConsoleMuted(() => checkAnswersWithModel(definition, answersIn(job), job.moments)).slice(
        0,
        MAX_ERRORS,
      );
    }
    case 'calculated': {
      const definition = await definitionOf(job.questionnaire);
      return runWithConsoleMuted(() => withCalculated(definition, answersIn(job), job));
    }
    case 'words': {
      const definition = await definitionOf(job.questionnaire);
      await loadFormLibraryLocale(job.language);
      return runWithConsoleMuted(() => answerLines(definition, answersIn(job), job.language));
    }
    case 'keys':
      return runWithConsoleMuted(() => [...answerKeysOf(new Model(JSON.parse(job.definition)))]);
    case 'choices':
      return runWithConsoleMuted(() => choicesIn(JSON.parse(job.definition), job.question));
    case 'codebook':
      return partsOf(job.definition);
    // Imported lazily, because the process must start quickly.
    case 'read xlsform':
      return await (await import('../xlsform/read-form.ts')).importXlsformFile(job.file);
    case 'write xlsform':
      return await (await import('../xlsform/write-form.ts')).writeXlsformFile(
        JSON.parse(job.form) as FormToExport,
        job.language,
      );
  }
}

const partsOf = (definition: string) =>
  runWithConsoleMuted(() => ({
    ...answerShapesIn(JSON.parse(definition)),
    countables: countableQuestionsIn(JSON.parse(definition)),
  }));

const answersIn = ({ responses }: { responses: string }) => JSON.parse(responses) as Record<string, unknown>;

async function definitionBy(id: string, report: ReportToPool<string, string>): Promise<object> {
  const definition = definitions.get(id) ?? (JSON.parse(await report(id)) as object);
  definitions.set(id, definition);
  return definition;
}

// Ctrl-C in a terminal and a service manager's stop signal every process in the group; this one ends with the service.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
/** The number of the current job, and its processor time limit in milliseconds; 0 if there is no job. */
const present = new Int32Array(new SharedArrayBuffer(8));
// This process may loop forever, so a thread watches it. It kills the process if the service was killed, or if the job
// has used up its processor time. Only the main thread's time counts, because V8's compiler and garbage collector
// threads use about as much again, and more on a busy machine. If Linux doesn't report it, the time of all threads
// counts.
new Worker(
  `const { workerData: present } = require('node:worker_threads');
  const { readFileSync } = require('node:fs');
  const processorMs = () => {
    try {
      const [nanoseconds] = readFileSync('/proc/self/schedstat', 'latin1').split(' ');
      if (nanoseconds > 0) return nanoseconds / 1e6;
    } catch {}
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  };
  let job = 0;
  let begun = 0;
  setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
    const at = Atomics.load(present, 0);
    const budget = Atomics.load(present, 1);
    if (at !== job) [job, begun] = [at, processorMs()];
    else if (budget > 0 && processorMs() - begun > budget) process.kill(process.pid, '${OVER_BUDGET_SIGNAL}');
  }, 100);`,
  { eval: true, workerData: present },
).unref();

serveJobs<BudgetedJob, ValidatorReply, string, string>(async ({ job, budgetMs }, report) => {
  Atomics.store(present, 1, budgetMs);
  Atomics.add(present, 0, 1);
  const reply = await replyTo(job, (id) => definitionBy(id, report));
  Atomics.store(present, 1, 0);
  return reply;
});
