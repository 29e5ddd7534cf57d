/** What the app is given from outside; tests give a clock, a log and an OTP provider of their own. */
import type { Logger } from 'pino';
import type { OtpProvider } from '../auth/otp.ts';
import type { Config } from '../config.ts';

export interface Deps {
  config: Config;
  log: Logger;
  otp: OtpProvider;
  now: () => Date;
}
