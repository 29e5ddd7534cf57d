/** The study's rounds, and the one selected in the page's URL. */
import { useSearchParams } from 'react-router';
import type { z } from 'zod';
import type { Round } from '../../../../../src/study/rounds/schema.ts';
import type { ListOf } from '../../../wire.ts';
import { useGet } from './use-list.tsx';

/** URL value for all rounds. */
export const ALL_ROUNDS = 'all';

/** Rounds change a few times a year. */
const STALE_AFTER_MS = 5 * 60_000;

export type ListedRound = z.infer<typeof Round>;

export function useRounds({ enabled = true } = {}) {
  const { data, error } = useGet<ListOf<ListedRound>>('/api/rounds?limit=200', {
    enabled,
    staleTime: STALE_AFTER_MS,
  });
  const rounds = data?.data ?? [];
  const openRound = rounds.find(({ state }) => state === 'OPEN');
  return {
    /** Latest first. */
    rounds,
    openRound,
    current: openRound ?? rounds[0],
    isKnown: data !== undefined || error !== null,
    error,
  };
}

/** From the URL. Empty means the open round, or the latest. */
export const useRoundParam = (): string => useSearchParams()[0].get('round') ?? '';

/** Undefined while loading. */
export function useSelectedRound() {
  const id = useRoundParam();
  const { rounds, current } = useRounds();
  return id ? rounds.find((one) => one.id === id) : current;
}

interface ListRound {
  /** Sent to the service; empty means every round. */
  requested: string;
  /** Value of the select field. */
  value: string;
  isKnown: boolean;
}

/** `everyRound`: show all rounds unless the URL names one. With only one round there is nothing to choose. */
export function useListRound({ enabled, everyRound }: { enabled: boolean; everyRound: boolean }): ListRound {
  const chosen = useRoundParam();
  const { rounds, current, isKnown } = useRounds({ enabled });
  const byDefault = everyRound || rounds.length < 2 ? ALL_ROUNDS : (current?.id ?? ALL_ROUNDS);
  const value = chosen || byDefault;
  return { requested: value === ALL_ROUNDS ? '' : value, value, isKnown: isKnown || !enabled };
}
