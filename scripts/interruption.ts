/**
 * Ctrl-C or SIGTERM ends any command within a second. The work stops at the next point where nothing is half done; if
 * it does not get there in time, its database connection is closed. A calculation can't react to signals, so it only
 * runs when nothing is left to clean up, and the signal ends the process itself.
 */
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** How long the work may take to stop by itself, and how long it and its database together may. */
const PATIENCE_MS = 400;
const LIMIT_MS = 900;

const interruption = new AbortController();
export const { signal } = interruption;
let limitMs = LIMIT_MS;

/** Under npm Ctrl-C arrives twice; the second one changes nothing. */
function interrupt(): void {
  if (signal.aborted) return;
  interruption.abort();
  setTimeout(() => process.exit(130), limitMs).unref();
}

export function interruptOnSignals(): void {
  for (const name of SIGNALS) process.on(name, interrupt);
}

export function exitOnSignals(): void {
  for (const name of SIGNALS) process.off(name, interrupt);
}

/** For a command that has a service to stop. */
export function allowMoreTime(): void {
  limitMs = 20_000;
}

/** `work`, or a rejection where a signal came and the work did not stop in time. */
export async function unlessInterrupted<T>(work: Promise<T>): Promise<T> {
  let wait = () => {};
  const timeout = new Promise<never>((_, reject) => {
    wait = () => void setTimeout(() => reject(signal.reason), PATIENCE_MS).unref();
    signal.addEventListener('abort', wait, { once: true });
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    signal.removeEventListener('abort', wait);
  }
}
