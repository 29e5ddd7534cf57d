/** Whether this window is locked, and functions that lock it. */
import { useSyncExternalStore } from 'react';
import { type DeviceLockState, lockState } from './lock.ts';

export const useDeviceLockState = (): DeviceLockState => useSyncExternalStore(lockState.watch, lockState.get);

/** Already loaded if someone has unlocked. */
const device = () => import('./device-lock.ts');

export const lockNow = async (): Promise<void> => (await device()).lockNow();
export const switchPerson = async (): Promise<void> => (await device()).switchPerson();
