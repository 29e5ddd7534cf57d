/** Config, connect, listen, stop on SIGTERM; nothing else. */
import 'dotenv/config';
import { createServer, type Server } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { type Logger, pino } from 'pino';
import { createApp } from './app.ts';
import { consoleOtp } from './auth/otp-console.ts';
import { twilioOtp } from './auth/otp-twilio.ts';
import { setupLink } from './auth/setup.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { connect, disconnect } from './db/connect.ts';
import { startEmbedded } from './db/embedded.ts';
import { prepareDatabase } from './db/prepare.ts';
import { answerBrokenRequests } from './http/broken-requests.ts';

// The heap is swept after it grew by two fifths, not by several times: a small machine holds the database and a browser too.
setFlagsFromString('--heap-growing-percent=40');

/** How long requests under way may take after the signal to stop. */
const PATIENCE_MS = 10_000;

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

async function main(): Promise<void> {
  const config = settings();
  const log = pino({ level: config.logLevel, redact: ['req.headers.authorization', 'req.headers.cookie'] });
  const own = config.mongoUri
    ? null
    : await startEmbedded({ dataDir: config.dataDir, binary: config.mongodBinary, log });
  try {
    await serve(config, log, own);
  } catch (error) {
    // A start that fails leaves nothing running.
    await disconnect();
    await own?.stop();
    throw error;
  }
}

async function serve(
  config: Config,
  log: Logger,
  own: { uri: string; stop(): Promise<void> } | null,
): Promise<void> {
  await connect(config.mongoUri ?? own?.uri ?? '');
  await prepareDatabase(new Date(), log);

  const otp = config.otp.provider === 'twilio' ? await twilioOtp(config.otp) : consoleOtp();
  const server = createServer(createApp({ config, log, otp, now: () => new Date() }));
  answerBrokenRequests(server);
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(config.port, done);
  });
  announce(config, await setupLink(config));

  const stop = async (signal: string) => {
    log.info({ signal }, 'stopping');
    await finish(server);
    await disconnect();
    await own?.stop();
    process.exit(0);
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      stop(signal).catch((error: unknown) => {
        log.error({ err: error }, 'could not stop cleanly');
        process.exit(1);
      });
    });
  }
}

/** No new connections; requests under way get their answer, up to the deadline. */
async function finish(server: Server): Promise<void> {
  const deadline = setTimeout(() => server.closeAllConnections(), PATIENCE_MS);
  // A connection that is kept alive goes once its answer is out: else it would be waited for, or bring new requests.
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await new Promise<void>((done) => server.close(() => done()));
  clearInterval(idle);
  clearTimeout(deadline);
}

function announce(config: Config, link: string | null): void {
  const lines = [
    `The service is up: ${config.publicUrl}`,
    `Documentation:     ${config.publicUrl}/documentation`,
  ];
  if (link) lines.push('', 'Make the first super-admin here (the link works once):', `  ${link}`);
  process.stdout.write(`${lines.join('\n')}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(
    `The service could not start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exit(1);
});
