/** Whether this window is locked, and what locks it. */
import { useSyncExternalStore } from 'react';
import { type Lock, lockState } from './lock.ts';

export const useLock = (): Lock => useSyncExternalStore(lockState.watch, lockState.get);

/** Loaded already, wherever somebody has unlocked. */
const device = () => import('./device-lock.ts');

export const lockNow = async (): Promise<void> => (await device()).lockNow();
export const changePerson = async (): Promise<void> => (await device()).changePerson();
