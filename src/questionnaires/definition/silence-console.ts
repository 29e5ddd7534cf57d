/* biome-ignore-all lint/suspicious/noConsole: this is the one place that keeps a library off the console. */
/**
 * survey-core prints invalid answers to the console. Answers must not be logged, so the console is muted while it
 * works.
 */
export function runWithConsoleMuted<T>(work: () => T): T {
  const { warn, error } = console;
  const mute = () => undefined;
  Object.assign(console, { warn: mute, error: mute });
  try {
    return work();
  } finally {
    Object.assign(console, { warn, error });
  }
}
