/** The process in which the form library judges: see judge.ts. It keeps the definitions that it was told, parsed. */
import process from 'node:process';
import { Worker } from 'node:worker_threads';
import { Model } from 'survey-core';
import { keysOf } from './answer-shown.ts';
import { checkWithModel } from './answers.ts';
import { choicesIn } from './choices.ts';
import { countablesIn } from './countable.ts';
import { checkDefinition } from './definition.ts';
import type { Job, Said, Verdict } from './judge.ts';
import { quietly } from './quietly.ts';

const definitions = new Map<string, object>();
/** Who sent a thousand wrong answers is not helped by more. */
const MAX_ERRORS = 1_000;

function answerTo(job: Job): Said[Job['kind']] {
  switch (job.kind) {
    case 'definition':
      return checkDefinition(JSON.parse(job.definition), job.networkSizeQuestion, job.takesPartIf).slice(
        0,
        MAX_ERRORS,
      );
    case 'answers':
      return judge(job).slice(0, MAX_ERRORS);
    case 'keys':
      return quietly(() => [...keysOf(new Model(JSON.parse(job.definition)))]);
    case 'choices':
      return quietly(() => choicesIn(JSON.parse(job.definition), job.question));
    case 'countables':
      return quietly(() => countablesIn(JSON.parse(job.definition)));
  }
}

function judge(job: Extract<Job, { kind: 'answers' }>): Verdict {
  if (job.forget !== undefined) definitions.delete(job.forget);
  if (job.definition !== undefined) definitions.set(job.id, JSON.parse(job.definition) as object);
  const responses = JSON.parse(job.responses) as Record<string, unknown>;
  return quietly(() => checkWithModel(definitions.get(job.id) ?? {}, responses));
}

// A terminal's Ctrl-C and a service manager's stop reach every process; this one ends with the service.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
process.on('disconnect', () => process.exit());
// A thread of its own sees a service that was killed while this one is busy, which may be for ever.
new Worker(
  `setInterval(() => { if (process.ppid !== ${process.ppid}) process.kill(process.pid, 'SIGKILL'); }, 1_000);`,
  { eval: true },
).unref();
process.on('message', (job: Job) => process.send?.({ said: answerTo(job) }));
process.send?.('ready');
