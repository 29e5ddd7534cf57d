/** The figures behind one item of the report. */
import { PlainTable } from './chart/chart.tsx';
import { tableOf } from './report-table.ts';

export function ReportValue({ label, value }: { label: string; value: unknown }) {
  const table = tableOf(value);
  return table ? <PlainTable label={label} table={table} /> : null;
}
