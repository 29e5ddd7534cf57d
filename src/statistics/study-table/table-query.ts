/** A pure function of the table, run by the process that owns the table (ask.ts). */
import type { StudyTable } from './table.ts';

/** `Args` and `Result` pass between processes: no functions, and ids as strings. */
export interface StudyTableQuery<Args, Result> {
  name: string;
  of(table: StudyTable, args: Args): Result;
}

export const createStudyTableQuery = <Args, Result>(
  name: string,
  of: (table: StudyTable, args: Args) => Result,
): StudyTableQuery<Args, Result> => ({ name, of });
