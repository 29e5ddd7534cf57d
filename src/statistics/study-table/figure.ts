/** A figure: a pure function of the table, run by the process that owns the table (ask.ts). */
import type { StudyTable } from './table.ts';

/** `Args` and `Result` pass between processes: no functions, and ids as strings. */
export interface Figure<Args, Result> {
  name: string;
  of(table: StudyTable, args: Args): Result;
}

export const figure = <Args, Result>(
  name: string,
  of: (table: StudyTable, args: Args) => Result,
): Figure<Args, Result> => ({ name, of });
