/** Whether the service can be reached, for pages that show it. */
import { useSyncExternalStore } from 'react';
import { signal } from './signal.ts';

export const useSignal = (): boolean => useSyncExternalStore(signal.watch, signal.get);
