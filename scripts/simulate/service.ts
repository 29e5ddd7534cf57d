/** A separate service for a simulation: real HTTP on a local port, with a clock that the simulation sets. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import type { OtpProvider } from '../../src/access/auth/otp/otp.ts';
import { consoleOtp } from '../../src/access/auth/otp/otp-console.ts';
import { createApp } from '../../src/app.ts';
import type { Config } from '../../src/platform/config.ts';

export interface SimulatedService {
  url: string;
  /** The code that was sent to this phone last. */
  codeFor(phone: string): string;
  setNow(at: Date): void;
  stop(): Promise<void>;
}

/** The database must be connected and prepared. */
export async function startSimulated(config: Config): Promise<SimulatedService> {
  let now = new Date();
  const codes = new Map<string, string>();
  const otp: OtpProvider = consoleOtp((line) => {
    const [, phone = '', code = ''] = line.trim().split(' ');
    codes.set(phone, code);
  });
  const app = createApp({
    // A team of many people behind one address, days in a second: the limits would hold it up.
    config: { ...config, rateLimits: false },
    log: pino({ level: 'silent' }),
    otp,
    now: () => now,
  });
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    codeFor: (phone) => codes.get(phone) ?? '',
    setNow(at) {
      now = at;
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
