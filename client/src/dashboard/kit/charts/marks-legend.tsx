/** The legend of a chart's annotations. */

import { useDeskText } from '../words/desk-text.ts';
import type { SignedMark } from './chart-marks.ts';

/** `open`: whether this person may see changes at all. */
export function MarksLegend({ marks, open }: { marks: SignedMark[]; open: boolean }) {
  const { t, moment } = useDeskText();
  if (!open) return <p className="desk-marks">{t('marks.closed')}</p>;
  if (marks.length === 0) return null;
  return (
    <ul className="desk-marks" aria-label={t('marks.label')}>
      {marks.map(({ sign, at, text }) => (
        <li key={sign}>
          <b>{sign}</b> {moment(at)}: {text}
        </li>
      ))}
    </ul>
  );
}
