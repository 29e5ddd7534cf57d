/** The process that owns the table, as seen from the one that serves requests. */
import { type Problem, type ProblemName, problem } from '../../platform/http/problems/problem.ts';
import { WorkerPool } from '../../platform/lib/workers/worker-pool.ts';
import type { AskTable } from './ask.ts';

export interface DatabaseAddress {
  uri: string;
  database: string;
}

/** If `question` is null, the process only builds the table. */
export interface TableProcessRequest extends DatabaseAddress {
  question: { figure: string; args: unknown } | null;
}

export type TableReply =
  | { result: unknown }
  | { refused: { name: ProblemName; options: ConstructorParameters<typeof Problem>[1] } }
  | { failed: unknown };

export interface StudyTableProcess {
  ask: AskTable;
  close(): Promise<void>;
}

/** `from`: the module next to `table-worker` (its `import.meta.url`). */
export function startTableProcess(from: string, source: DatabaseAddress): StudyTableProcess {
  const pool = new WorkerPool<TableProcessRequest, TableReply>({
    kind: 'process',
    from,
    name: 'table-worker',
    size: 1,
    // Not counting the columns, which are outside the heap.
    memoryMb: 512,
    youngMb: 2,
    // The database connection may depend on environment variables, such as a certificate path.
    env: process.env,
    keepsIdleWorkers: true,
  });
  const run = async (request: TableProcessRequest['question']): Promise<unknown> => {
    const answer = await pool.run({ ...source, question: request }).catch((cause: unknown) => {
      throw problem('UNAVAILABLE', { cause });
    });
    if ('result' in answer) return answer.result;
    if ('failed' in answer) throw answer.failed;
    // A Problem loses its class between processes.
    throw problem(answer.refused.name, answer.refused.options);
  };
  // On failure, the first request tries again.
  run(null).catch(() => undefined);
  return {
    ask: async <Args, Result>({ name }: { name: string }, args: Args) =>
      (await run({ figure: name, args })) as Result,
    close: async () => await pool.stop(),
  };
}
