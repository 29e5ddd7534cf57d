/**
 * Is the service within reach? The browser's own word (`navigator.onLine`) only tells that there is some network, so
 * the outcome of the last request counts, and the browser's word where it says that there is none.
 */
import { observable } from './observable.ts';

export const signal = observable(navigator.onLine);

addEventListener('online', () => signal.set(true));
addEventListener('offline', () => signal.set(false));
