/** Acts on one record or on many: how far they are, what was refused and why, trying those again, the way back. */
import { useRef, useState } from 'react';
import { inTurn } from './in-turn.ts';
import { useToast } from './toast.tsx';
import { refreshDesk } from './use-list.tsx';

export interface Act<T, R> {
  items: readonly T[];
  one(item: T): Promise<R>;
  /** By which what was refused is told. */
  name(item: T): string;
  /** What is said of those that went through. */
  said(done: R[]): string;
  /** What takes it back, where the rules have a way. */
  undo?(done: R[], items: T[]): (() => void) | null;
}

interface NotDone {
  failed: { name: string; error: unknown }[];
  /** Not tried: it was stopped. */
  left: number;
  again(): void;
}

export function useActs() {
  const toast = useToast();
  const [running, setRunning] = useState<{ tried: number; of: number } | null>(null);
  const [notDone, setNotDone] = useState<NotDone | null>(null);
  const isStopped = useRef(false);
  const run = async <T, R>(act: Act<T, R>): Promise<void> => {
    const { items, one, name, said, undo } = act;
    isStopped.current = false;
    setNotDone(null);
    setRunning({ tried: 0, of: items.length });
    const { done, failed, left } = await inTurn(items, one, {
      onStep: (tried) => setRunning({ tried, of: items.length }),
      isStopped: () => isStopped.current,
    });
    await refreshDesk();
    setRunning(null);
    if (done.length > 0) {
      const results = done.map(({ result }) => result);
      const back = undo?.(
        results,
        done.map(({ item }) => item),
      );
      toast.show({ text: said(results), ...(back ? { undo: back } : {}) });
    }
    if (failed.length + left.length === 0) return;
    const rest = [...failed.map(({ item }) => item), ...left];
    setNotDone({
      failed: failed.map(({ item, error }) => ({ name: name(item), error })),
      left: left.length,
      again: () => void run({ ...act, items: rest }),
    });
  };
  return {
    run,
    running,
    busy: running !== null,
    stop: () => {
      isStopped.current = true;
    },
    notDone,
    forget: () => setNotDone(null),
    toast,
  };
}

export type Acts = ReturnType<typeof useActs>;
