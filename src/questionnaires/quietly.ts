/* biome-ignore-all lint/suspicious/noConsole: this is the one place that keeps a library off the console. */
/**
 * survey-core prints a value that does not fit its question on the console. An answer about somebody's health has no
 * business in a log, so the console is deaf while the library works, which it does in one go.
 */
export function quietly<T>(work: () => T): T {
  const { warn, error } = console;
  const mute = () => undefined;
  Object.assign(console, { warn: mute, error: mute });
  try {
    return work();
  } finally {
    Object.assign(console, { warn, error });
  }
}
