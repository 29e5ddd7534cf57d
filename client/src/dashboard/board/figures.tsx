/** The main numbers of the board, each with its label and explanation. */
import type { ReactNode } from 'react';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

/** `value` is undefined while loading. */
export type BoardFigure = readonly [
  name: string,
  label: string,
  value: number | undefined,
  beside: ReactNode,
];

interface FiguresProps {
  figures: readonly BoardFigure[];
  /** Inside a card, without the look of a button. */
  plain?: boolean;
}

export function KeyFigureList({ figures, plain }: FiguresProps) {
  const { number } = useDashboardText();
  return (
    <dl className="board-figures" data-plain={plain || undefined}>
      {figures.map(([key, label, value, beside]) => (
        <div key={key} className="board-figure" data-figure={key}>
          <dt>{label}</dt>
          <dd>
            <div className="board-number">{value === undefined ? '…' : number(value)}</div>
            {beside ? <div className="board-beside">{beside}</div> : null}
          </dd>
        </div>
      ))}
    </dl>
  );
}
