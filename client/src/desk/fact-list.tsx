/** What is known of one record: names and values, one below the other. */
import type { ReactNode } from 'react';

export type Fact = [name: string, value: ReactNode];

export function FactList({ facts }: { facts: Fact[] }) {
  return (
    <dl className="desk-facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
