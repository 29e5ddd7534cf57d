/**
 * New versions of the app. The browser downloads one next to the open version, a window offers it, and only the window
 * whose button is pressed reloads. Other windows continue with their files and make their own offer.
 */
import { observable } from './observable.ts';

/** Something to offer: another window may have taken the new version already. */
export const newVersion = observable(false);

let registration: ServiceWorkerRegistration | undefined;
let watching = false;

/** Keeps the app on this device, and watches for newer versions. */
export function watchVersions(): void {
  // The developer's server has no service worker; neither has a page that came over plain http.
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (watching || !workers || !import.meta.env.PROD) return;
  watching = true;
  // Where earlier versions kept the dashboard's files.
  void caches.delete('desk').catch(() => {
    // Where the browser blocks all data of pages, there is none.
  });
  void workers.register('/sw.js').then(
    (workerRegistration) => {
      registration = workerRegistration;
      watch(workers, workerRegistration);
    },
    // Without a signal, or where the browser forbids it, the next visit tries again.
    () => {
      watching = false;
    },
  );
}

function watch(workers: ServiceWorkerContainer, workerRegistration: ServiceWorkerRegistration): void {
  // On a first visit no worker served the page: the first one to come has the same files.
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
    newVersion.set(true);
  };
  workerRegistration.addEventListener('updatefound', () =>
    workerRegistration.installing?.addEventListener('statechange', look),
  );
  workerRegistration.installing?.addEventListener('statechange', look);
  workers.addEventListener('controllerchange', look);
  look();
}

/** Loads this window anew, in the newer version where there is one. */
export async function loadNewest(): Promise<void> {
  const now = registration ?? (await navigator.serviceWorker?.getRegistration());
  const newer = now?.waiting ?? now?.installing;
  if (!newer) return location.reload();
  newer.addEventListener('statechange', () => {
    if (newer.state === 'activated' || newer.state === 'redundant') location.reload();
  });
  newer.postMessage({ type: 'SKIP_WAITING' });
}
