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

interface Running {
  tried: number;
  of: number;
  /** Seconds that the service asks to wait for before it goes on. */
  wait: number | null;
}

/**
 * What is under way would end with the window half done, and what was refused of it would be told to nobody. It goes
 * on while other pages are looked at, and so does this.
 */
async function heldOpen<T>(work: Promise<T>): Promise<T> {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  return await work.finally(() => window.removeEventListener('beforeunload', ask));
}

export function useActs() {
  const toast = useToast();
  const [running, setRunning] = useState<Running | null>(null);
  const [notDone, setNotDone] = useState<NotDone | null>(null);
  const stopping = useRef<AbortController | null>(null);
  const run = async <T, R>(act: Act<T, R>): Promise<void> => {
    const { items, one, name, said, undo } = act;
    const stop = new AbortController();
    stopping.current = stop;
    setNotDone(null);
    setRunning({ tried: 0, of: items.length, wait: null });
    const { done, failed, left } = await heldOpen(
      inTurn(items, one, {
        onStep: (tried) => setRunning((now) => now && { ...now, tried }),
        onWait: (wait) => setRunning((now) => now && { ...now, wait }),
        stopped: stop.signal,
      }),
    );
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
    stop: () => stopping.current?.abort(),
    notDone,
    forget: () => setNotDone(null),
    toast,
  };
}

export type Acts = ReturnType<typeof useActs>;
