/** A table of figures that scrolls on its own. The first cell of a row is its heading. */
import './figure-table.css';
import type { ReactNode } from 'react';

interface FigureTableProps {
  label: string;
  head: readonly string[];
  rows: readonly { key: string | number; cells: readonly ReactNode[] }[];
  className?: string;
}

export function FigureTable({ label, head, rows, className = '' }: FigureTableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, so the keyboard must be able to enter it
    <div className="figure-scroll" tabIndex={0}>
      <table className={`figure-table ${className}`} aria-label={label}>
        <thead>
          <tr>
            {head.map((one, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: two columns may have the same name
              <th key={at} scope="col">
                {one}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ key, cells: [name, ...cells] }) => (
            <tr key={key} data-row={key}>
              <th scope="row">{name}</th>
              {cells.map((cell, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the columns are always the same
                <td key={at}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
