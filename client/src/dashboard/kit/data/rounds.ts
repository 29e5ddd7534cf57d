/** The rounds of the study, and the one that a page is about, from its address. */
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import type { Round } from '../../../../../src/study/rounds/schema.ts';
import type { ListOf } from '../../../wire.ts';
import { useGet } from './use-list.tsx';

/** In the address of a list that shows every round. */
export const ALL_ROUNDS = 'all';

/** They change a few times a year. */
const STALE_AFTER_MS = 5 * 60_000;

export type RoundChoice = z.infer<typeof Round>;

export function useRounds({ open = true } = {}) {
  const { data, error } = useGet<ListOf<RoundChoice>>('/api/rounds?limit=200', {
    open,
    staleTime: STALE_AFTER_MS,
  });
  const rounds = data?.data ?? [];
  const openRound = rounds.find(({ state }) => state === 'OPEN');
  return {
    /** The latest first. */
    rounds,
    openRound,
    current: openRound ?? rounds[0],
    isKnown: data !== undefined || error !== null,
    error,
  };
}

/** As the address has it. Empty for the open one, or the latest. */
export const useRound = (): string => useSearchParams()[0].get('round') ?? '';

/** Undefined until it is known. */
export function useShownRound() {
  const id = useRound();
  const { rounds, current } = useRounds();
  return id ? rounds.find((one) => one.id === id) : current;
}

interface ListRound {
  /** For the service: empty means every round. */
  requested: string;
  /** For the choice. */
  value: string;
  isKnown: boolean;
}

/** `everyRound`: all of them unless the address names one. Nothing is chosen while there is only one. */
export function useListRound({ open, everyRound }: { open: boolean; everyRound: boolean }): ListRound {
  const chosen = useRound();
  const { rounds, current, isKnown } = useRounds({ open });
  const byDefault = everyRound || rounds.length < 2 ? ALL_ROUNDS : (current?.id ?? ALL_ROUNDS);
  const value = chosen || byDefault;
  return { requested: value === ALL_ROUNDS ? '' : value, value, isKnown: isKnown || !open };
}
