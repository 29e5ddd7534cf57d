/**
 * What is passed into the app, so that tests can replace the clock, the log and the like. Higher layers add their own
 * fields (`declare module`).
 */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

export interface Deps {
  config: Config;
  log: Logger;
  now: () => Date;
  /** Things that an operator should check, although the service works. */
  warnings: Set<ConfigWarning>;
  hasUniqueIndexes(): Promise<boolean>;
}

export type ConfigWarning = 'TRUST_PROXY_UNSET';
