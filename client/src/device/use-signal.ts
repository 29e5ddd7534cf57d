/** Whether the service is within reach, as a page shows it. */
import { useSyncExternalStore } from 'react';
import { signal } from './signal.ts';

export const useSignal = (): boolean => useSyncExternalStore(signal.watch, signal.get);
