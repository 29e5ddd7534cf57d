/** Whether the service can be reached, for pages that show it. */
import { useSyncExternalStore } from 'react';
import { hasSignal } from './signal.ts';

export const useHasSignal = (): boolean => useSyncExternalStore(hasSignal.watch, hasSignal.get);
