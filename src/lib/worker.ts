/** Threads beside the one that answers requests, for work that may be long. */
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
