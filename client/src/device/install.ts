/**
 * Some browsers let the page offer to install it; for others, the profile explains how. The browser only offers it
 * once, at the start, on any page.
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
