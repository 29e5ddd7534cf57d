/** The real service, with memory and event loop measured from outside while it handles a request. */
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { endProcess, type ServiceProcess, startProcess } from './service-process.ts';

export interface Need {
  /** The longest turn of the event loop, in milliseconds of processor time at least. */
  ms: number;
  /** Growth of memory, including garbage not yet collected. */
  mb: number;
}

export interface Measured {
  service: ServiceProcess;
  /** The cost of `work`, and its result. */
  during<T>(work: () => Promise<T>): Promise<{ need: Need; value: T }>;
  /** Milliseconds of processor time for work that is always the same. */
  reference(): Promise<number>;
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
    reference: async () => (await answerTo('reference')) as number,
    end: () => endProcess(service),
  };
}
