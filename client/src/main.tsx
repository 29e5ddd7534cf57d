/** Starts the app: languages, what the device keeps, then the screen; the network comes last. */
import '@mantine/core/styles.css';
import './styles.css';
import { createRoot } from 'react-dom/client';
import { App, askAhead, preloadPage } from './app.tsx';
import { startBackground } from './background.ts';
import { loadSession } from './device/kept-session.ts';
import { startLanguages } from './i18n.ts';
import { NoStore } from './parts/no-store.tsx';
import { loadKept } from './records.ts';

/** A page that is long in coming, or does not come, is waited for by the app, which says so. */
const SOON = 1_000;

const soon = (page: Promise<void>) =>
  Promise.race([page.catch(() => undefined), new Promise((done) => setTimeout(done, SOON))]);

async function start(): Promise<void> {
  const root = createRoot(document.getElementById('root') as HTMLElement);
  await startLanguages();
  try {
    await Promise.all([
      loadSession().then(() => askAhead(location)),
      loadKept(),
      soon(preloadPage(location.pathname)),
    ]);
  } catch {
    root.render(<NoStore />);
    return;
  }
  root.render(<App />);
  startBackground();
}

void start();
