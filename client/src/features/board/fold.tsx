/** A part of the board: open where there is room for it, folded on a phone. */
import { useMediaQuery } from '@mantine/hooks';
import { type ReactNode, useState } from 'react';

export function Fold({ title, children }: { title: string; children: ReactNode }) {
  const roomy = useMediaQuery('(min-width: 48em)', true, { getInitialValueInEffect: false });
  const [chosen, setChosen] = useState<boolean | null>(null);
  const open = chosen ?? roomy;
  return (
    <details
      className="board-fold"
      open={open}
      onToggle={({ currentTarget }) => {
        if (currentTarget.open !== open) setChosen(currentTarget.open);
      }}
    >
      <summary>
        <h2>{title}</h2>
      </summary>
      {open ? <div className="board-folded">{children}</div> : null}
    </details>
  );
}
