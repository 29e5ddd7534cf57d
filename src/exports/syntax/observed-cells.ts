/** Observes the contents of a table's columns, so that programs with fixed types and widths lose no data. */
import { type CellRow, csvCellText } from '../interviews/row-text.ts';

export const NUMBER_PATTERN = /^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$/;
export const DATE_PATTERN = /^\d{4}-\d{2}-\d{2}$/;

export interface ColumnProfile {
  /** Length of the longest cell in UTF-8. */
  bytes: number;
  areNumbers: boolean;
  areDays: boolean;
  areWhole: boolean;
  haveLineBreak: boolean;
}

export const newObservedColumn = (): ColumnProfile => ({
  bytes: 0,
  ...{ areNumbers: true, areDays: true, areWhole: true },
  haveLineBreak: false,
});

/** `observed`: one entry per column. Returns the size of the cells in bytes. */
export function profileExportColumns(observed: readonly ColumnProfile[], rows: readonly CellRow[]): number {
  let all = 0;
  for (const row of rows)
    for (const [at, cell] of row.entries()) {
      const text = csvCellText(cell);
      const one = observed[at];
      if (text === '' || !one) continue;
      const bytes = Buffer.byteLength(text);
      all += bytes;
      one.bytes = Math.max(one.bytes, bytes);
      one.areNumbers &&= NUMBER_PATTERN.test(text);
      one.areDays &&= DATE_PATTERN.test(text);
      one.areWhole &&= Number.isInteger(Number(text));
      one.haveLineBreak ||= /[\r\n]/.test(text);
    }
  return all;
}
