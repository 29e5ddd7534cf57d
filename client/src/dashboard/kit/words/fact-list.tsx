/** Names and values of one record's fields. Missing values are left out. */
import type { ReactNode } from 'react';

export type FactListEntry = [name: string, value: ReactNode, look?: 'long'];

interface FactListProps {
  facts: (FactListEntry | null | false | undefined)[];
  /** Where values go: at the end of the line, next to their names, or below them (for sentences). */
  look?: 'lines' | 'beside' | 'below';
}

const isThere = (fact: FactListProps['facts'][number]): fact is FactListEntry =>
  Array.isArray(fact) && fact[1] !== null && fact[1] !== undefined && fact[1] !== '';

export function FactList({ facts, look = 'lines' }: FactListProps) {
  return (
    <dl className="dashboard-facts" data-look={look}>
      {facts.filter(isThere).map(([name, value, long]) => (
        <div key={name} data-long={long || undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
