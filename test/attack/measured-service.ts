/** The service as it is run, with its memory and its event loop read from outside while it answers one request. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { endProcess, type ServiceProcess, startProcess } from './service-process.ts';

export interface Need {
  /** The longest turn of the event loop, milliseconds of processor time at the least. */
  ms: number;
  /** What memory grew by, garbage that nobody had swept yet included. */
  mb: number;
}

export interface Measured {
  service: ServiceProcess;
  /** What the service needed for `work`, and what that gave. */
  during<T>(work: () => Promise<T>): Promise<{ need: Need; value: T }>;
  end(): void;
}

export async function startMeasured(env: NodeJS.ProcessEnv): Promise<Measured> {
  if (!existsSync('dist/src/main.js'))
    throw new Error('The service is not built: npx tsc -p tsconfig.build.json (npm test does it)');
  const hook = resolve('test/attack/measure.mjs');
  const command = [process.execPath, '--expose-gc', `--import=${hook}`, 'dist/src/main.js'];
  const service = await startProcess({ command, env, ipc: true });
  await service.until('The service is up');
  const { child } = service;
  const answerTo = async (word: string): Promise<unknown> => {
    const answer = once(child, 'message');
    child.send(word);
    return (await answer)[0];
  };
  return {
    service,
    async during(work) {
      await answerTo('begin');
      const value = await work();
      return { value, need: (await answerTo('end')) as Need };
    },
    end: () => endProcess(service),
  };
}
