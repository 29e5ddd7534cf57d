/** The worker's side of a pool (worker-pool.ts), in a thread or a separate process. */
import { parentPort } from 'node:worker_threads';
import type { FromWorker, ToWorker } from './worker-pool.ts';

/** Sends something to the pool during a job; resolves with the pool's answer. */
export type ReportToPool<Value, Answer = void> = (value: Value) => Promise<Answer>;

/** Runs each job. If `work` throws, the worker ends, so that the next job gets a fresh one. */
export function serveJobs<Job, Reply, Value = never, Answer = void>(
  work: (job: Job, report: ReportToPool<Value, Answer>) => Reply | Promise<Reply>,
): void {
  const post = (message: FromWorker) =>
    parentPort ? parentPort.postMessage(message) : process.send?.(message);
  const answers = new Map<number, (answer: Answer) => void>();
  let reports = 0;
  const report: ReportToPool<Value, Answer> = (value) =>
    new Promise((resolve) => {
      reports += 1;
      answers.set(reports, resolve);
      post({ id: reports, report: value });
    });
  const hear = async (message: ToWorker) => {
    if ('job' in message) {
      post({ reply: await work(message.job as Job, report) });
      return;
    }
    answers.get(message.id)?.(message.answer as Answer);
    answers.delete(message.id);
  };
  // The parent is gone, so exit whatever is still running.
  if (!parentPort) process.on('disconnect', () => process.exit());
  (parentPort ?? process).on('message', (message: ToWorker) => void hear(message));
  post('ready');
}
