/**
 * Whether the service can be reached. The browser (`navigator.onLine`) only knows that there is some network, so the
 * outcome of the last request counts, unless the browser says that there is no network.
 */
import { observable } from './observable.ts';

export const isServiceReachable = observable(navigator.onLine);

addEventListener('online', () => isServiceReachable.set(true));
addEventListener('offline', () => isServiceReachable.set(false));
