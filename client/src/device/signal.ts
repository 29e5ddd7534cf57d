/**
 * Whether the service can be reached. The browser (`navigator.onLine`) only knows that there is some network, so the
 * outcome of the last request counts, unless the browser says that there is no network.
 */
import { observable } from './observable.ts';

export const hasSignal = observable(navigator.onLine);

addEventListener('online', () => hasSignal.set(true));
addEventListener('offline', () => hasSignal.set(false));
