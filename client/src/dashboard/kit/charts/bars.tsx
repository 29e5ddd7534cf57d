/** Bars in a table. Screen readers read the same values that the bars show. */
import './bars.css';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/page.tsx';
import { useDeskText } from '../words/desk-text.ts';

interface Bar {
  key: string;
  label: string;
  value: number;
  /** Beside the number. */
  note?: string;
  /** The full length, where it is not the largest of all. */
  of?: number;
}

interface BarsProps {
  title: string;
  /** Headings of the two columns. */
  what: [string, string];
  bars: Bar[];
  note?: ReactNode;
  colour?: string;
}

export function Bars({ title, what, bars, note, colour }: BarsProps) {
  const { t, number } = useDeskText();
  const most = Math.max(1, ...bars.map(({ value, of }) => of ?? value));
  return (
    <Card heading={title}>
      {bars.length === 0 ? <p className="note">{t('board.nothing')}</p> : null}
      {bars.length > 0 ? (
        <table
          className="bars"
          // Beside a note there is no room for a bar: it has a line of its own.
          data-noted={bars.some(({ note: beside }) => beside) || undefined}
          aria-label={title}
          style={{ '--bars': colour } as React.CSSProperties}
        >
          <thead className="hidden-text">
            <tr>
              <th scope="col">{what[0]}</th>
              <th scope="col">{what[1]}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ key, label, value, of, note: beside }) => (
              <tr key={key}>
                <th scope="row">
                  <span>{label}</span>
                </th>
                <td>
                  {number(value)}
                  {beside ? <span className="note"> {beside}</span> : null}
                </td>
                <td aria-hidden="true">
                  <svg
                    className="bars-line"
                    data-points
                    viewBox="0 0 100 10"
                    preserveAspectRatio="none"
                    aria-hidden="true"
                  >
                    {of === undefined ? null : (
                      <rect className="bars-back" width={(100 * of) / most} height="10" />
                    )}
                    <rect
                      className="bars-bar"
                      width={value > 0 ? Math.max(0.8, (100 * value) / most) : 0}
                      height="10"
                    />
                  </svg>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
      {note ? <p className="note">{note}</p> : null}
    </Card>
  );
}
