/** The process in which the form library judges: see judge.ts. It keeps the definitions that it was told, parsed. */
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { Model } from 'survey-core';
import { shapesIn } from './answer-shapes.ts';
import { keysOf } from './answer-shown.ts';
import { checkWithModel } from './answers.ts';
import { withCalculated } from './calculated.ts';
import { choicesIn } from './choices.ts';
import { countablesIn } from './countable.ts';
import { checkDefinition } from './definition.ts';
import { linesOf } from './in-words.ts';
import type { Job, Order, Said, Verdict } from './judge.ts';
import { loadLibraryWords } from './library-words.ts';
import { OVER_BUDGET } from './over-budget.ts';
import { quietly } from './quietly.ts';
import type { Form } from './xlsform/export.ts';

const definitions = new Map<string, object>();
/** Who sent a thousand wrong answers is not helped by more. */
const MAX_ERRORS = 1_000;

async function answerTo(job: Job): Promise<Said[Job['kind']]> {
  switch (job.kind) {
    case 'definition':
      return checkDefinition(
        JSON.parse(job.definition),
        job.networkSizeQuestion,
        job.takesPartIf,
        job.identityQuestions,
      ).slice(0, MAX_ERRORS);
    case 'answers':
      return judge(job).slice(0, MAX_ERRORS);
    case 'calculated':
      return quietly(() => withCalculated(definitionOf(job), answersIn(job), job.moment));
    case 'words':
      await loadLibraryWords(job.language);
      return quietly(() => linesOf(definitionOf(job), answersIn(job), job.language));
    case 'keys':
      return quietly(() => [...keysOf(new Model(JSON.parse(job.definition)))]);
    case 'choices':
      return quietly(() => choicesIn(JSON.parse(job.definition), job.question));
    case 'countables':
      return quietly(() => countablesIn(JSON.parse(job.definition)));
    case 'shapes':
      return shapesIn(JSON.parse(job.definition));
    // Loaded by those who need them: a judge has to be there quickly.
    case 'read xlsform':
      return await (await import('./xlsform/read-form.ts')).readForm(Buffer.from(job.file, 'base64'));
    case 'write xlsform':
      return await (await import('./xlsform/write-form.ts')).writtenForm(
        JSON.parse(job.form) as Form,
        job.language,
      );
  }
}

type OnAnswers = Extract<Job, { responses: string }>;

function definitionOf({ id, definition, forget }: OnAnswers): object {
  if (forget !== undefined) definitions.delete(forget);
  if (definition !== undefined) definitions.set(id, JSON.parse(definition) as object);
  return definitions.get(id) ?? {};
}

const answersIn = ({ responses }: OnAnswers) => JSON.parse(responses) as Record<string, unknown>;

const judge = (job: Extract<Job, { kind: 'answers' }>): Verdict => {
  const definition = definitionOf(job);
  return quietly(() => checkWithModel(definition, answersIn(job), job.moments));
};

// A terminal's Ctrl-C and a service manager's stop reach every process; this one ends with the service.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
/** In milliseconds: the processor time at which the present job must be done; 0 while there is none. */
const deadline = new Int32Array(new SharedArrayBuffer(4));
// A thread of its own sees a service that was killed while this one is busy, which may be for ever, and ends a job that
// has used up its processor time.
new Worker(
  `const { workerData: deadline } = require('node:worker_threads');
  setInterval(() => {
    if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL');
    const { user, system } = process.cpuUsage();
    const at = Atomics.load(deadline, 0);
    if (at > 0 && (user + system) / 1000 > at) process.kill(process.pid, '${OVER_BUDGET}');
  }, 100);`,
  { eval: true, workerData: deadline },
).unref();

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return Math.ceil((user + system) / 1000);
}

process.on('message', ({ job, budgetMs }: Order) => {
  Atomics.store(deadline, 0, processorMs() + budgetMs);
  // What is thrown ends the process, as it should: the next one starts afresh.
  void answerTo(job).then((said) => {
    Atomics.store(deadline, 0, 0);
    process.send?.({ said });
  });
});
process.send?.('ready');
