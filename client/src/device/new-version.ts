/**
 * New versions of the app. The browser downloads one next to the open version, a window offers it, and only the window
 * whose button is pressed reloads. Other windows continue with their files and make their own offer.
 */
import { observable } from './observable.ts';

/** True if there is a newer version to offer. Another window may have switched to it already. */
export const appUpdateAvailability = observable(false);

let registration: ServiceWorkerRegistration | undefined;
let watching = false;

/** Installs the service worker, which stores the app on this device, and watches for newer versions. */
export function installServiceWorker(): void {
  // There is no service worker on the development server or on plain http.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (watching || !workers || !import.meta.env.PROD) return;
  watching = true;
  // Earlier versions stored the dashboard's files there.
  void caches.delete('desk').catch(() => {
    // If the browser blocks site data, there is nothing to delete.
  });
  void workers.register('/sw.js').then(
    (workerRegistration) => {
      registration = workerRegistration;
      watch(workers, workerRegistration);
    },
    // If offline or blocked by the browser, the next visit tries again.
    () => {
      watching = false;
    },
  );
}

function watch(workers: ServiceWorkerContainer, workerRegistration: ServiceWorkerRegistration): void {
  // On a first visit no worker controls the page; the first one installed has the same files.
  let mine =
    workers.controller ??
    workerRegistration.active ??
    workerRegistration.waiting ??
    workerRegistration.installing;
  let offeredWorker = mine;
  const look = () => {
    const newest = workerRegistration.waiting ?? workerRegistration.active;
    mine ??= newest;
    if (!newest || newest === mine || newest === offeredWorker) return;
    offeredWorker = newest;
    appUpdateAvailability.set(true);
  };
  workerRegistration.addEventListener('updatefound', () =>
    workerRegistration.installing?.addEventListener('statechange', look),
  );
  workerRegistration.installing?.addEventListener('statechange', look);
  workers.addEventListener('controllerchange', look);
  look();
}

/** Reloads this window, with the newer version if there is one. */
export async function reloadNewestVersion(): Promise<void> {
  const now = registration ?? (await navigator.serviceWorker?.getRegistration());
  const newer = now?.waiting ?? now?.installing;
  if (!newer) return location.reload();
  newer.addEventListener('statechange', () => {
    if (newer.state === 'activated' || newer.state === 'redundant') location.reload();
  });
  newer.postMessage({ type: 'SKIP_WAITING' });
}
