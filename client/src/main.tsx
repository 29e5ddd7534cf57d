/** Starts the app: languages, the device's store, then the screen; the network comes last. */
import './ui/components.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App, prefetchPageData, preloadFieldPages, preloadPage } from './app.tsx';
// The browser makes its offer once, whichever page is open then.
import './device/install.ts';
import { guessServiceTime } from './device/service-time.ts';
import { noStore, openStore } from './device/store/open-store.ts';
import { currentSession, loadSession } from './device/stored-session.ts';
import { loadOfflineCopies } from './session/records.ts';
import { loadPageTexts, startLanguages } from './texts/i18n.ts';

/** A page that is long in coming, or does not come, is waited for by the app, which says so. */
const SOON_MS = 1_000;

const soon = (page: Promise<void>) =>
  Promise.race([page.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, SOON_MS))]);

/** Without a store too: who only reads, such as someone with a coupon, needs none. */
async function loadStored(): Promise<void> {
  if (!(await openStore())) return;
  await loadSession();
  prefetchPageData(location);
  await loadOfflineCopies();
}

/** What keeps the store from opening is told by the screen, which need not wait for it. */
const untilTold = () =>
  new Promise<void>((resolve) => {
    const unwatch = noStore.watch(() => {
      unwatch();
      resolve();
    });
  });

/** Leaves the first moments to the page where people sign in. What earlier users left to send can wait that long. */
const START_DELAY_MS = 3_000;
const RETRY_MS = 10_000;

/** Background work begins at once for whoever is signed in or signs in. */
function startBackground(): void {
  const load = () =>
    void import('./offline/background.ts').then(
      (background) => background.startBackground(),
      () => setTimeout(load, RETRY_MS),
    );
  if (currentSession.get()) {
    load();
    return;
  }
  const begin = () => {
    clearTimeout(timer);
    unwatch();
    load();
  };
  const timer = setTimeout(begin, START_DELAY_MS);
  const unwatch = currentSession.watch(begin);
}

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('root') as HTMLElement);
  guessServiceTime();
  const languages = startLanguages();
  const loaded = loadStored().catch(() => undefined);
  await languages;
  await Promise.all([Promise.race([loaded, untilTold()]), soon(preloadPage(location.pathname))]);
  root.render(<App />);
  startBackground();
  // By the time that the service refuses something its words are here.
  void loadPageTexts(['faults']).catch(() => undefined);
  preloadFieldPages();
}

// Without its words no screen can be drawn: the signal went while the app was on its way.
void start().catch(() => setTimeout(() => location.reload(), 2 * SOON_MS));
