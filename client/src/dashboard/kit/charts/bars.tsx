/** Bars in a table. Screen readers read the same values that the bars show. */
import './bars.css';
import { Progress } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '../../../ui/page.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';

interface Bar {
  key: string;
  label: string;
  value: number;
  /** Shown next to the number. */
  note?: string;
  /** Value of a full-length bar. Default: the largest value. */
  of?: number;
}

interface BarsProps {
  title: string;
  /** Headings of the two columns. */
  what: [string, string];
  bars: Bar[];
  note?: ReactNode;
}

export function Bars({ title, what, bars, note }: BarsProps) {
  const { t, number } = useDashboardText();
  // With notes there is no room for the bars, so they get their own lines.
  const isNoted = bars.some(({ note: beside }) => beside);
  const max = Math.max(1, ...bars.map(({ value, of }) => of ?? value));
  return (
    <Card heading={title}>
      {bars.length === 0 ? <p className="note">{t('board.nothing')}</p> : null}
      {bars.length > 0 ? (
        <table className="bars" data-noted={isNoted || undefined} aria-label={title}>
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
                  <Progress
                    size={isNoted ? 8 : 16}
                    radius={0}
                    color="brand.5"
                    bg={of === undefined ? 'transparent' : undefined}
                    w={`${(100 * (of ?? max)) / max}%`}
                    value={value > 0 ? Math.max(0.8, (100 * value) / (of ?? max)) : 0}
                  />
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
