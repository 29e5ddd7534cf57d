/** rds.csv: the sample for R's package RDS (`read.csv` and `as.rds.data.frame`). */

import { csvText } from '../interviews/row-text.ts';
import { chunkLines, outcomeColumns, recruitmentColumns, type SampleTable } from './sample-table.ts';

export function* sampleCsv(table: SampleTable): Generator<string> {
  const columns = [...recruitmentColumns(table), ...outcomeColumns(table)];
  yield csvText([columns.map(({ name }) => name)]);
  yield* chunkLines(table, (row) => csvText([columns.map((column) => column.at(row))]));
}
