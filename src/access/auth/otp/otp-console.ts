/** For development and training: creates codes itself and prints them, one per line: OTP +12065550100 123456 */
import { newOneTimeCode, type OtpProvider } from './otp.ts';

export function consoleOtp(write: (line: string) => void): OtpProvider {
  return {
    name: 'console',
    async send(phone) {
      const code = newOneTimeCode();
      write(`OTP ${phone} ${code}\n`);
      return code;
    },
    // Never called: the service stores the hash of each code that this provider creates.
    async check() {
      return false;
    },
    async checkHealth() {},
  };
}
