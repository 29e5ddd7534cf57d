/**
 * What the app is given from outside; tests give a clock, a log and the like of their own. Folders above add what they
 * need (`declare module`).
 */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';

export interface Deps {
  config: Config;
  log: Logger;
  now: () => Date;
  /** What an operator should look at, though the service works. */
  warnings: Set<Warning>;
}

export type Warning = 'TRUST_PROXY_UNSET';
