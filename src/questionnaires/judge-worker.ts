/** The thread in which the form library judges: see judge.ts. It keeps the definitions that it was told, parsed. */
import { parentPort } from 'node:worker_threads';
import { checkWithModel } from './answers.ts';
import { checkDefinition } from './definition.ts';
import type { Job, Verdict } from './judge.ts';
import { quietly } from './quietly.ts';

const definitions = new Map<string, object>();
/** Who sent a thousand wrong answers is not helped by more. */
const MAX_ERRORS = 1_000;

function judge(job: Job): Verdict {
  if (job.kind === 'definition')
    return checkDefinition(JSON.parse(job.definition), job.networkSizeQuestion, job.takesPartIf);
  if (job.forget !== undefined) definitions.delete(job.forget);
  if (job.definition !== undefined) definitions.set(job.id, JSON.parse(job.definition) as object);
  const responses = JSON.parse(job.responses) as Record<string, unknown>;
  return quietly(() => checkWithModel(definitions.get(job.id) ?? {}, responses));
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(judge(job).slice(0, MAX_ERRORS)));
parentPort?.postMessage('ready');
