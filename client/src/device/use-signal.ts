/** Whether the service can be reached, for pages that show it. */
import { useSyncExternalStore } from 'react';
import { isServiceReachable } from './signal.ts';

export const useHasSignal = (): boolean =>
  useSyncExternalStore(isServiceReachable.watch, isServiceReachable.get);
