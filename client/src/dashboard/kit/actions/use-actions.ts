/** Runs actions on one or many records: progress, failures with reasons, retrying, and undo. */
import { createContext, useContext, useEffect, useState, useSyncExternalStore } from 'react';
import { observable } from '../../../device/observable.ts';
import { currentWorkspace } from '../../../device/workspace.ts';
import { isConflict } from '../../../session/api.ts';
import { refetchDashboard } from '../data/use-list.tsx';
import { forEachLimited } from './send-each.ts';
import type { ToastMessage } from './toast.tsx';

export interface RecordsAction<T, R> {
  items: readonly T[];
  one(item: T): Promise<R>;
  /** Names the record in the list of failures. */
  name(item: T): string;
  /** The message for the records that succeeded. */
  messageOf(results: R[]): string;
  /** Undoes the action, if the rules allow it. */
  undo?(results: R[], items: T[]): (() => void) | null;
}

interface NotDone {
  failures: { name: string; error: unknown }[];
  /** Records not tried because the user stopped. */
  untried: number;
  /** Null if a retry would fail for every record. */
  retry: (() => void) | null;
}

interface Running {
  attempts: number;
  of: number;
  /** Seconds the service asked to wait before continuing. */
  wait: number | null;
}

/**
 * Warns before the browser tab is closed, which would stop the action halfway. Other pages can be opened meanwhile.
 */
async function keepPageOpenFor<T>(work: Promise<T>): Promise<T> {
  const ask = (event: BeforeUnloadEvent) => event.preventDefault();
  window.addEventListener('beforeunload', ask);
  return await work.finally(() => window.removeEventListener('beforeunload', ask));
}

interface ActionsState {
  running: Running | null;
  notDone: NotDone | null;
  message: ToastMessage | null;
}

/** Independent of any page: actions keep running, and report their result, after the user leaves the page. */
function createActionQueue() {
  const status = observable<ActionsState>({ running: null, notDone: null, message: null });
  const set = (change: Partial<ActionsState>) => status.set({ ...status.get(), ...change });
  const say = (message: ToastMessage | null) => set({ message });
  const updateRunning = (change: Partial<Running>) => {
    const { running } = status.get();
    if (running) set({ running: { ...running, ...change } });
  };
  let stopping: AbortController | undefined;
  const run = async <T, R>(act: RecordsAction<T, R>): Promise<void> => {
    const { items, one, name, messageOf, undo } = act;
    stopping = new AbortController();
    set({ notDone: null, running: { attempts: 0, of: items.length, wait: null } });
    const {
      done: successes,
      failed,
      untried: remaining,
    } = await keepPageOpenFor(
      forEachLimited(items, one, {
        onStep: (tried) => updateRunning({ attempts: tried }),
        onWait: (wait) => updateRunning({ wait }),
        stopped: stopping.signal,
      }),
    );
    await refetchDashboard();
    set({ running: null });
    if (successes.length > 0) {
      const results = successes.map(({ result }) => result);
      const back = undo?.(
        results,
        successes.map(({ item }) => item),
      );
      say({ text: messageOf(results), ...(back ? { undo: back } : {}) });
    }
    if (failed.length + remaining.length === 0) return;
    const rest = [...failed.filter(({ error }) => !isConflict(error)).map(({ item }) => item), ...remaining];
    set({
      notDone: {
        failures: failed.map(({ item, error }) => ({ name: name(item), error })),
        untried: remaining.length,
        retry: rest.length > 0 ? () => void run({ ...act, items: rest }) : null,
      },
    });
  };
  return { status, run, say, stop: () => stopping?.abort(), forget: () => set({ notDone: null }) };
}

type ActionQueue = ReturnType<typeof createActionQueue>;

/** Actions that were running when the user left their page, until their result is dismissed. */
const createDetachedActions = () => observable<readonly ActionQueue[]>([]);
const detachedActionsNow = () => currentWorkspace.get().getOrCreate(createDetachedActions);

/** For a page, which provides them to everything on it. */
export function useNewActionRunner(): DashboardPageActions {
  const [acts] = useState(createActionQueue);
  // From the workspace of the user who started the action: after a sign-out, the page may unmount once
  // someone else is signed in.
  const [detached] = useState(detachedActionsNow);
  useEffect(
    () => () => {
      if (acts.status.get().running) detached.set([...detached.get(), acts]);
    },
    [acts, detached],
  );
  return useStatusOf(acts);
}

export type DashboardPageActions = ReturnType<typeof useStatusOf>;

export const ActionRunnerContext = createContext<DashboardPageActions | null>(null);

/** The actions of the surrounding page. */
export function useSurroundingPageActions(): DashboardPageActions {
  const acts = useContext(ActionRunnerContext);
  if (!acts)
    throw new Error(
      'useActions() belongs in a component within <DashboardPage> or <ListPage>, not in the one around it',
    );
  return acts;
}

/** Shows a toast at the bottom of the page. Does nothing outside the dashboard. */
export function useToast(): (message: string | ToastMessage) => void {
  const acts = useContext(ActionRunnerContext);
  return (message) => acts?.toast.show(typeof message === 'string' ? { text: message } : message);
}

function useStatusOf({ status, run, say, stop, forget }: ActionQueue) {
  const { running, notDone, message } = useSyncExternalStore(status.watch, status.get);
  return { run, running, busy: running !== null, stop, notDone, forget, toast: { message, show: say } };
}

export function useActionsOfLeftPages(): readonly ActionQueue[] {
  const detached = detachedActionsNow();
  return useSyncExternalStore(detached.watch, detached.get);
}

/** An action whose page was left. */
export function useDetachedActionStatus(doing: ActionQueue): DashboardPageActions {
  const acts = useStatusOf(doing);
  const isOver = !acts.running && !acts.notDone && !acts.toast.message;
  useEffect(() => {
    const detached = detachedActionsNow();
    if (isOver) detached.set(detached.get().filter((one) => one !== doing));
  }, [isOver, doing]);
  return acts;
}
