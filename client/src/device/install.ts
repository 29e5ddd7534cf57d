/**
 * Some browsers let the page offer its own installation; where they don't, the profile says how. The browser says so
 * once, at the start, on whichever screen that finds the person.
 */
import { observable } from './observable.ts';

interface InstallEvent extends Event {
  prompt(): Promise<unknown>;
}

export const installOffer = observable<InstallEvent | null>(null);

addEventListener('beforeinstallprompt', (event) => {
  event.preventDefault();
  installOffer.set(event as InstallEvent);
});
addEventListener('appinstalled', () => installOffer.set(null));
