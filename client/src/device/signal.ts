/**
 * Whether the service can be reached. The browser (`navigator.onLine`) only knows that there is some network, so the
 * outcome of the last request counts, unless the browser says that there is no network.
 */
import { observable } from './observable.ts';

export const signal = observable(navigator.onLine);

addEventListener('online', () => signal.set(true));
addEventListener('offline', () => signal.set(false));
