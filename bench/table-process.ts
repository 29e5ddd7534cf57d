/** The study's table in a process of its own, as the service has it. */
import { setTableProcess } from '../src/statistics/study-table/ask.ts';
import { openTable, type TableProcess } from '../src/statistics/study-table/process.ts';

const SERVICE = new URL('../src/main.ts', import.meta.url).href;

export function openTableOf(database: string): TableProcess {
  const table = openTable(SERVICE, { uri: process.env.MONGO_URI ?? '', database });
  setTableProcess(table.ask);
  return table;
}
