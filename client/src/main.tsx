/** Starts the app: languages, the device's store, then the screen; the network comes last. */
import './ui/components.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App, prefetchPageData, preloadFieldPages, preloadPage } from './app.tsx';
// The browser offers installation only once, no matter which page is open.
import './device/install.ts';
import { guessClockOffset } from './device/service-time.ts';
import { noStoreReason, openStore } from './device/store/open-store.ts';
import { currentSession, loadStoredSession } from './device/stored-session.ts';
import { loadOfflineCopies } from './session/records.ts';
import { initializeTranslations, loadPageTexts } from './texts/i18n.ts';

/** After this time the app renders without the page, and shows that it is loading or failed. */
const SOON_MS = 1_000;

const withTimeout = (page: Promise<void>) =>
  Promise.race([page.catch(() => undefined), new Promise((resolve) => setTimeout(resolve, SOON_MS))]);

/** Without a store the app starts anyway: reading pages, such as that of someone with a coupon, don't need one. */
async function loadStored(): Promise<void> {
  if (!(await openStore())) return;
  await loadStoredSession();
  prefetchPageData(location);
  await loadOfflineCopies();
}

/** If the store can't be opened, the screen shows why, and doesn't have to wait for it. */
const untilStoreFails = () =>
  new Promise<void>((resolve) => {
    const unwatch = noStoreReason.watch(() => {
      unwatch();
      resolve();
    });
  });

/** Leaves the first seconds to the sign-in page. What earlier users left to send can wait. */
const START_DELAY_MS = 3_000;
const RETRY_MS = 10_000;

/** Background work starts as soon as someone is signed in. */
function startBackground(): void {
  const load = () =>
    void import('./offline/background.ts').then(
      (background) => background.startOfflineWork(),
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
  guessClockOffset();
  const languages = initializeTranslations();
  const loaded = loadStored().catch(() => undefined);
  await languages;
  await Promise.all([Promise.race([loaded, untilStoreFails()]), withTimeout(preloadPage(location.pathname))]);
  root.render(<App />);
  startBackground();
  // Loads the error messages before the service can refuse anything.
  void loadPageTexts(['faults']).catch(() => undefined);
  preloadFieldPages();
}

// No screen can be drawn without texts. Happens if the connection is lost while the app loads.
void start().catch(() => setTimeout(() => location.reload(), 2 * SOON_MS));
