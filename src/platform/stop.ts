/**
 * Shutdown: requests in progress get their reply, then everything is closed in order. SIGTERM may come twice (systemd
 * and npm); the second one is ignored. In a terminal, a second Ctrl-C means: don't wait for requests.
 */
import type { Server } from 'node:http';
import type { Logger } from 'pino';

/** Time for requests in progress after the signal. */
const GRACE_MS = 10_000;
/** Under npm one Ctrl-C arrives twice, from the terminal and from npm; within this time it counts as one. */
const REPEAT_SIGNAL_MS = 1_000;
/** Limit for the whole shutdown. A database that hasn't stopped by then is left running; the next start finds it. */
const MAX_STOP_MS = 45_000;

interface StopOptions {
  log: Logger;
  /** The server to close; null while the service is still starting. */
  server(): Server | null;
  close(): Promise<void>;
}

/** Call before starting, so that an interrupted start also stops its database. */
export function stopOnSignals(ending: StopOptions): void {
  let since = 0;
  let hurried = false;
  const stop = async (signal: string) => {
    ending.log.info({ signal }, 'stopping');
    setTimeout(() => process.exit(1), MAX_STOP_MS).unref();
    const server = ending.server();
    if (server) await finish(server);
    await ending.close();
    process.exit(0);
  };
  const runNext = () => {
    if (Date.now() - since < REPEAT_SIGNAL_MS) return;
    if (hurried) process.exit(130);
    hurried = true;
    since = Date.now();
    ending.log.warn('second signal: cutting off running requests');
    ending.server()?.closeAllConnections();
  };
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      if (since > 0) {
        if (signal === 'SIGINT') runNext();
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

/** Accepts no new connections and waits for requests in progress, up to the deadline. */
async function finish(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), GRACE_MS);
  // Closes keep-alive connections after their reply: they would keep the server open or bring new requests.
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await new Promise<void>((resolve) => server.close(() => resolve()));
  clearInterval(idle);
  clearTimeout(deadline);
}
