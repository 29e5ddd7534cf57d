/** Some new seeds at one site. Each is made by itself; where one fails, those before it stay and the rest can be tried again. */
import { useRef } from 'react';
import { request } from '../../api.ts';
import type { Seed } from '../../desk/wire.ts';
import { MakeForm, type Wanted } from '../referral-codes/make-form.tsx';

interface MakeSeedsProps {
  onMade(seeds: Seed[]): void;
  onClose(): void;
}

export function MakeSeeds({ onMade, onClose }: MakeSeedsProps) {
  const made = useRef<Seed[]>([]);
  const make = async (body: Wanted, count: number) => {
    while (made.current.length < count) {
      made.current.push(await request<Seed>('POST', '/api/seeds', { body }));
    }
    onMade(made.current);
  };
  return (
    <MakeForm texts="seeds" creates="Seed" count={{ first: 1, most: 50 }} make={make} onClose={onClose} />
  );
}
