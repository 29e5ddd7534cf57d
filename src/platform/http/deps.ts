/**
 * The app's dependencies, passed in so that tests can replace the clock, the log and so on. Higher layers add their own
 * fields (`declare module`).
 */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

export interface Deps {
  config: Config;
  log: Logger;
  now: () => Date;
  /** Configuration problems that an operator should know about, although the service works. */
  warnings: Set<ConfigWarning>;
  hasUniqueIndexes(): Promise<boolean>;
}

export type ConfigWarning = 'TRUST_PROXY_UNSET';
