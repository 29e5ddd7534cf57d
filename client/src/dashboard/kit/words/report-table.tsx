/** A short table that scrolls on its own and shows a result per item, in words. The first column is the heading. */
import type { ReactNode } from 'react';

interface ReportColumn<T> {
  head: string;
  numeric?: boolean;
  /** Without a heading on a narrow screen. */
  plain?: boolean;
  cell(row: T): ReactNode;
}

interface ReportTableProps<T> {
  label: string;
  rows: T[];
  keyOf(row: T): string | number;
  columns: [ReportColumn<T>, ...ReportColumn<T>[]];
}

export function ReportTable<T>({ label, rows, keyOf, columns }: ReportTableProps<T>) {
  const [name, ...others] = columns;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="dashboard-report" tabIndex={0} aria-label={label}>
      <table className="dashboard-table">
        <thead>
          <tr>
            {columns.map(({ head, numeric }) => (
              <th key={head} scope="col" data-numeric={numeric}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              <th scope="row">{name.cell(row)}</th>
              {others.map(({ head, numeric, plain, cell }) => (
                <td key={head} data-head={plain ? undefined : head} data-numeric={numeric}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
