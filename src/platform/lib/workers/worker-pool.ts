/**
 * Workers for long jobs, so that the thread that serves requests stays free: threads, or processes for jobs that may
 * exhaust their memory in a single allocation, since that would take down a thread's whole process. A worker starts
 * when needed, does one job at a time, and ends after a minute without one. worker.ts is its side of the channel.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';

interface PoolOptions {
  kind: 'thread' | 'process';
  /** The worker is the module `name` next to the module `from` (its `import.meta.url`). */
  from: string;
  name: string;
  size: number;
  memoryMb: number;
  /** Memory for short-lived objects. */
  youngMb?: number;
  /** Threads only: the `workerData`. */
  data?: unknown;
  /** Processes only; by default the worker gets none of this process's settings. */
  env?: NodeJS.ProcessEnv;
  /** Keep idle workers. */
  keepsIdleWorkers?: boolean;
}

interface RunOptions<Report, Answer> {
  /** Ends the worker if the job has begun. */
  signal?: AbortSignal | undefined;
  /** Called for each report of the worker, which may wait for the answer. */
  onReport?(report: Report): Answer | Promise<Answer>;
}

/** Messages between a pool and its workers. */
export type ToWorker = { job: unknown } | { id: number; answer: unknown };
export type FromWorker = 'ready' | { reply: unknown } | { id: number; report: unknown };

/** The worker ended before it replied. */
export class WorkerEnded extends Error {
  readonly signal: NodeJS.Signals | null;
  /** Number of jobs it had done before, which may have used up its memory. */
  readonly jobsBefore: number;

  constructor(jobsBefore: number, signal: NodeJS.Signals | null, cause?: unknown) {
    super('the worker has ended', { cause });
    this.signal = signal;
    this.jobsBefore = jobsBefore;
  }
}

interface Task {
  job: unknown;
  onReport(report: unknown): unknown;
  done(reply: never): void;
  failed(error: unknown): void;
}

interface PoolWorker {
  worker: Worker | ChildProcess;
  isReady: boolean;
  task: Task | null;
  jobs: number;
  /** Ends the worker if it doesn't start, or has no job for a while. */
  timer?: NodeJS.Timeout;
}

const START_MS = 120_000;
const IDLE_MS = 60_000;

export class WorkerPool<Job, Reply, Report = never, Answer = void> {
  readonly #options: PoolOptions;
  readonly #members = new Set<PoolWorker>();
  readonly #waiting: Task[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Rejects with WorkerEnded, or with the signal's reason. */
  async run(job: Job, { signal, onReport }: RunOptions<Report, Answer> = {}): Promise<Reply> {
    signal?.throwIfAborted();
    let abort = () => {};
    const replied = new Promise<Reply>((resolve, reject) => {
      const task: Task = {
        job,
        done: resolve,
        failed: reject,
        onReport: (report) => onReport?.(report as Report),
      };
      abort = () => this.#cancel(task, signal?.reason);
      signal?.addEventListener('abort', abort);
      this.#waiting.push(task);
      this.#next();
    });
    return await replied.finally(() => signal?.removeEventListener('abort', abort));
  }

  /** Ends all workers, whatever they are doing. */
  async stop(): Promise<void> {
    for (const task of this.#waiting.splice(0)) task.failed(new WorkerEnded(0, null));
    await Promise.all([...this.#members].map((one) => this.#end(one, new WorkerEnded(one.jobs, null))));
  }

  #cancel(task: Task, reason: unknown): void {
    const at = this.#waiting.indexOf(task);
    if (at >= 0) this.#waiting.splice(at, 1)[0]?.failed(reason);
    for (const one of this.#members) if (one.task === task) void this.#end(one, reason);
  }

  #next(): void {
    const members = [...this.#members];
    for (const one of members) if (one.isReady && !one.task) this.#begin(one);
    let missing = this.#waiting.length - members.filter(({ isReady }) => !isReady).length;
    for (; missing > 0 && this.#members.size < this.#options.size; missing -= 1) this.#start();
  }

  #begin(member: PoolWorker): void {
    const { worker } = member;
    const task = this.#waiting.shift() ?? null;
    member.task = task;
    clearTimeout(member.timer);
    if (task) {
      keepAlive(worker);
      post(worker, { job: task.job });
    } else {
      stopKeepingAlive(worker);
      if (this.#options.keepsIdleWorkers) return;
      member.timer = setTimeout(() => void this.#end(member, null), IDLE_MS).unref();
    }
  }

  #start(): void {
    const member: PoolWorker = { worker: startWorker(this.#options), isReady: false, task: null, jobs: 0 };
    const endWith = (signal: NodeJS.Signals | null, cause?: unknown) =>
      void this.#end(member, new WorkerEnded(member.jobs, signal, cause));
    this.#members.add(member);
    member.timer = setTimeout(() => endWith(null, new Error('it did not start')), START_MS).unref();
    // An unhandled error of a thread would end this process.
    member.worker.on('error', (error: unknown) => endWith(null, error));
    member.worker.on('exit', (_code: number | null, signal?: NodeJS.Signals | null) =>
      endWith(signal ?? null),
    );
    member.worker.on('message', (message: FromWorker) => this.#hear(member, message));
  }

  #hear(member: PoolWorker, message: FromWorker): void {
    const { task } = member;
    if (message === 'ready') {
      member.isReady = true;
      this.#begin(member);
    } else if ('reply' in message) {
      member.jobs += 1;
      task?.done(message.reply as never);
      this.#begin(member);
    } else if (task) {
      const { id, report } = message;
      const answering = (async () => await task.onReport(report))();
      answering.then(
        (answer) => member.task === task && post(member.worker, { id, answer }),
        (error: unknown) => this.#cancel(task, error),
      );
    }
  }

  async #end(member: PoolWorker, reason: unknown): Promise<void> {
    if (!this.#members.delete(member)) return;
    clearTimeout(member.timer);
    // If no worker has started, the next one wouldn't either, so waiting jobs fail too.
    const isHopeless = !member.isReady && ![...this.#members].some(({ isReady }) => isReady);
    const failing = member.task ? [member.task] : isHopeless ? this.#waiting.splice(0) : [];
    member.task = null;
    await endWorker(member.worker);
    for (const task of failing) task.failed(reason);
    if (this.#waiting.length > 0) this.#next();
  }
}

const post = (worker: Worker | ChildProcess, message: ToWorker) =>
  worker instanceof Worker ? worker.postMessage(message) : worker.send(message);

/** A worker keeps this process alive only while it has a job. */
function keepAlive(worker: Worker | ChildProcess): void {
  worker.ref();
  if (!(worker instanceof Worker)) worker.channel?.ref();
}

function stopKeepingAlive(worker: Worker | ChildProcess): void {
  worker.unref();
  if (!(worker instanceof Worker)) worker.channel?.unref();
}

async function endWorker(worker: Worker | ChildProcess): Promise<void> {
  if (worker instanceof Worker) await worker.terminate();
  else worker.kill('SIGKILL');
}

function startWorker(options: PoolOptions): Worker | ChildProcess {
  return options.kind === 'thread' ? startThread(options) : startProcess(options);
}

/** The source or the compiled file. */
function fileOf({ from, name }: PoolOptions): { url: URL; isBuilt: boolean } {
  const isBuilt = !from.endsWith('.ts');
  return { url: new URL(`./${name}.${isBuilt ? 'js' : 'ts'}`, from), isBuilt };
}

function startThread(options: PoolOptions): Worker {
  const { url, isBuilt } = fileOf(options);
  const { memoryMb: maxOldGenerationSizeMb, youngMb: maxYoungGenerationSizeMb = 4 } = options;
  const resourceLimits = { maxOldGenerationSizeMb, maxYoungGenerationSizeMb };
  const own = { execArgv: [], resourceLimits, workerData: options.data };
  if (isBuilt) return new Worker(url, own);
  // A thread doesn't inherit the loader of its parent.
  const [loader, file] = [import.meta.resolve('tsx/esm/api'), url.href].map((one) => JSON.stringify(one));
  const code = `import(${loader}).then((tsx) => { tsx.register(); return import(${file}); })`;
  return new Worker(code, { ...own, eval: true });
}

/** The output of the process isn't shown. */
function startProcess(options: PoolOptions): ChildProcess {
  const { url, isBuilt } = fileOf(options);
  const loader = isBuilt ? [] : ['--import', import.meta.resolve('tsx')];
  const young = options.youngMb ? [`--max-semi-space-size=${options.youngMb}`] : [];
  return fork(fileURLToPath(url), [], {
    execArgv: [`--max-old-space-size=${options.memoryMb}`, ...young, ...loader],
    env: options.env ?? {},
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
  });
}
