/**
 * For development and training: makes codes itself and prints them, one line each: OTP +12065550100 123456
 * Blank lines around it, so that a person finds it between the lines of the log.
 */
import { randomInt } from 'node:crypto';
import type { OtpProvider } from './otp.ts';

export function consoleOtp(write: (line: string) => void): OtpProvider {
  return {
    name: 'console',
    async send(phone) {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      write(`OTP ${phone} ${code}\n`);
      return code;
    },
    // Never asked, because the service keeps the hash of each code that this provider made.
    async check() {
      return false;
    },
    async isWell() {},
  };
}
