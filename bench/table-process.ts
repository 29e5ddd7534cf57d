/** The study's table in a process of its own, as the service has it. */
import { setTableQueryHandler } from '../src/statistics/study-table/ask.ts';
import { type StudyTableProcess, startTableProcess } from '../src/statistics/study-table/process.ts';

/** `isBuilt`: from `dist`, otherwise from source. */
export function openTableOf(database: string, isBuilt = false): StudyTableProcess {
  const service = new URL(isBuilt ? '../dist/src/main.js' : '../src/main.ts', import.meta.url).href;
  const table = startTableProcess(service, { uri: process.env.MONGO_URI ?? '', database });
  setTableQueryHandler(table.ask);
  return table;
}
