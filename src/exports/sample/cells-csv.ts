/** cells.csv: each person's household, and their cell in each table of a count. */
import type { PersonCountAnswers } from '../../statistics/counts/tables/person-cells.ts';
import type { ExportCell } from '../interviews/cells.ts';
import { csvText } from '../interviews/row-text.ts';

interface Column {
  name: string;
  at(row: number): ExportCell | null;
}

/** Cells converted to text at a time. */
const CELLS_PER_CHUNK = 3_000;

/** No columns if the questionnaires have none of the questions for the tables. */
export function cellsCsvColumns({ groupings, households }: PersonCountAnswers['answers']): Column[] {
  const number = (name: string, values: Float64Array | null | undefined): Column[] =>
    values ? [{ name, at: (row) => (Number.isNaN(values[row]!) ? null : values[row]!) }] : [];
  return [
    ...number('household_adults', households?.adults),
    ...number('household_children', households?.children),
    ...number('household_children_under_6', households?.childrenUnder6),
    ...number('household_first', households && Float64Array.from(households.isFirst)),
    ...groupings.map(({ key, cells, codes }) => ({
      name: key,
      at: (row: number) => cells[codes[row]!]?.key ?? null,
    })),
  ];
}

export function* personCountCellsCsv({ ids, answers }: PersonCountAnswers): Generator<string> {
  const columns = cellsCsvColumns(answers);
  yield csvText([['id', ...columns.map(({ name }) => name)]]);
  const rowsPerChunk = Math.max(1, Math.floor(CELLS_PER_CHUNK / columns.length));
  for (let from = 0; from < ids.length; from += rowsPerChunk) {
    const rows = ids.slice(from, from + rowsPerChunk);
    yield csvText(rows.map((id, at) => [id, ...columns.map((column) => column.at(from + at))]));
  }
}
