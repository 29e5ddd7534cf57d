/**
 * The end: requests under way get their answer, then everything is closed in order. Under systemd and npm SIGTERM comes
 * twice; whoever sends it again changes nothing. In a terminal a second Ctrl-C says: do not wait for requests.
 */
import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** How long requests under way may take after the signal to stop. */
const PATIENCE_MS = 10_000;
/** Ctrl-C under npm arrives twice, from the terminal and from npm itself: within this time it is the same one. */
const SAME_MS = 1_000;
/** Beyond the patience: a database that does not end by itself is left to the next start, which finds it. */
const LIMIT_MS = 45_000;

interface Ending {
  log: Logger;
  /** What there is to wait for so far: null while the service is still starting. */
  server(): Server | null;
  close(): Promise<void>;
}

/** Listens from now on, so that a start that is broken off ends its database too. */
export function stopOnSignals(ending: Ending): void {
  let since = 0;
  let hurried = false;
  const stop = async (signal: string) => {
    ending.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), LIMIT_MS).unref();
    const server = ending.server();
    if (server) await finish(server);
    await ending.close();
    process.exit(0);
  };
  const again = () => {
    if (Date.now() - since < SAME_MS) return;
    if (hurried) process.exit(130);
    hurried = true;
    since = Date.now();
    ending.log.warn('asked again: requests under way are cut off');
    ending.server()?.closeAllConnections();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (since > 0) {
        if (signal === 'SIGINT') again();
        return;
      }
      since = Date.now();
      stop(signal).catch((error: unknown) => {
        ending.log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      });
    });
  }
}

/** No new connections; requests under way get their answer, up to the deadline. */
async function finish(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
  // A connection that is kept alive goes once its answer is out: else it would be waited for, or bring new requests.
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await new Promise<void>((done) => server.close(() => done()));
  clearInterval(idle);
  clearTimeout(deadline);
}
