/** rds.csv: the sample for R's package RDS (`read.csv` and `as.rds.data.frame`). */

import { csv } from '../interviews/row-text.ts';
import { chunkLines, outcomeColumns, type SampleTable, treeColumns } from './sample-table.ts';

export function* sampleCsv(table: SampleTable): Generator<string> {
  const columns = [...treeColumns(table), ...outcomeColumns(table)];
  yield csv([columns.map(({ name }) => name)]);
  yield* chunkLines(table, (row) => csv([columns.map((column) => column.at(row))]));
}
