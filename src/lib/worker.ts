/** Threads and processes beside the thread that answers requests, for work that may be long. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts `name` beside the module at `from` (its `import.meta.url`), as written or as compiled. */
export function startWorker(from: string, name: string, options: WorkerOptions = {}): Worker {
  if (!from.endsWith('.ts')) return new Worker(new URL(`./${name}.js`, from), options);
  // A thread knows nothing of the loader that its parent runs under.
  const loader = JSON.stringify(import.meta.resolve('tsx/esm/api'));
  const file = JSON.stringify(new URL(`./${name}.ts`, from).href);
  return new Worker(`import(${loader}).then((tsx) => { tsx.register(); return import(${file}); })`, {
    ...options,
    eval: true,
  });
}

/**
 * The same as a process of its own, for what may use up its memory at one blow: that ends a thread together with the
 * process that it belongs to. It gets no setting of this one, and says nothing but its messages.
 */
export function startProcess(from: string, name: string, memoryMb: number): ChildProcess {
  const isBuilt = !from.endsWith('.ts');
  return fork(fileURLToPath(new URL(`./${name}.${isBuilt ? 'js' : 'ts'}`, from)), [], {
    execArgv: [
      `--max-old-space-size=${memoryMb}`,
      ...(isBuilt ? [] : ['--import', import.meta.resolve('tsx')]),
    ],
    env: {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}
