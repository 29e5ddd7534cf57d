/** Config, connect, listen, stop on a signal; nothing else. */
import 'dotenv/config';
import type { Server } from 'node:http';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { onlyClosed, openWorkshop, type Workshop } from './analysis-runs/jobs.ts';
import { createApp } from './app.ts';
import { consoleOtp } from './auth/otp-console.ts';
import { twilioOtp } from './auth/otp-twilio.ts';
import { codesAreOut } from './auth/send.ts';
import { setupNotice } from './auth/setup.ts';
import { settleSwap } from './backup/swap.ts';
import { type Config, ConfigError, readConfig } from './config.ts';
import { type Attached, attachService } from './db/attach.ts';
import { connect, disconnect } from './db/connect.ts';
import { type Embedded, startEmbedded } from './db/embedded.ts';
import { mendEachMinute } from './db/mend.ts';
import { answerBrokenRequests } from './http/broken-requests.ts';
import { PROXY_WARNING } from './http/proxy-warning.ts';
import { serverOf } from './http/server.ts';
import { jsonLine, type Output, openOutput } from './log.ts';
import { prepareDatabase } from './prepare.ts';
import { countAhead } from './results/ahead.ts';
import { stopOnSignals } from './stop.ts';
import { accountsWithoutCodes } from './users/without-codes.ts';

// The heap is swept after it grew by three fifths, not by several times: a small machine holds the database and a browser too.
setFlagsFromString('--heap-growing-percent=60');

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message);
    throw error;
  }
}

function fail(text: string): never {
  process.stderr.write(`${process.stderr.isTTY ? text : jsonLine(60, text)}\n`);
  process.exit(1);
}

async function main(): Promise<void> {
  const config = settings();
  const output = openOutput(config.logLevel);
  const { mongoUri, dataDir, mongodBinary: binary } = config;
  let server: Server | null = null;
  let attached: Attached | null = null;
  let workshop: Promise<Workshop> | null = null;
  let stopMending = async () => {};
  let stopping = false;
  const starting = mongoUri ? null : startEmbedded({ dataDir, binary, log: output.notices });
  const close = async () => {
    stopping = true;
    const own = await starting?.catch(() => null);
    // Another process finds what it leaves.
    await workshop?.then((one) => one.close()).catch(() => {});
    // The library of jobs may have a question under way, whose answer nobody waits for.
    process.on('unhandledRejection', onlyClosed);
    await stopMending();
    await codesAreOut();
    await attached?.leave().catch(() => {}); // It runs out by itself.
    await disconnect();
    await own?.stop();
  };
  stopOnSignals({ log: output.log, server: () => server, close });
  try {
    const own: Embedded | null = await starting;
    if (stopping) return;
    await connect(mongoUri ?? own?.uri ?? '');
    attached = await attachService(output.notices, () => settleSwap(new Date(), output.notices));
    server = await serve(config, output);
    stopMending = mendEachMinute(output.notices);
    workshop = openWorkshop({ timeZone: config.timeZone, log: output.log, countAhead });
    await workshop;
  } catch (error) {
    // A start that fails leaves nothing running; one that was broken off fails by that.
    if (stopping) return;
    await close();
    throw error;
  }
}

async function serve(config: Config, { log, notices, print }: Output): Promise<Server> {
  await prepareDatabase(new Date(), notices);

  const otp = config.otp.provider === 'twilio' ? await twilioOtp(config.otp) : consoleOtp(print);
  const server = serverOf(createApp({ config, log, otp, now: () => new Date() }));
  answerBrokenRequests(server);
  server.requestTimeout = 60_000;
  server.headersTimeout = 20_000;
  // Of a connection on which nothing comes or goes: an answer that nobody reads is not kept for ever.
  server.timeout = 120_000;
  await new Promise<void>((done, failed) => {
    server.once('error', failed);
    server.listen(config.port, done);
  });
  notices.info(`The service is up: ${config.publicUrl}`);
  notices.info(`Documentation:     ${config.publicUrl}/documentation`);
  if (config.production && config.trustProxy === undefined) notices.warn(PROXY_WARNING);
  const setup = await setupNotice(config, process.stdout.isTTY === true);
  const unserved = await accountsWithoutCodes(config.otpCountries);
  if (unserved) notices.warn(unserved);
  if (setup) notices.info(setup);
  return server;
}

/** What the system refuses, with what to do about it. */
function reasonOf(error: unknown): string {
  const { code, port, path, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is in use. Stop the program that uses it, or set PORT.`;
  if (code === 'EACCES' && path)
    return `this user may not write to ${dirname(path)}. Change its rights, or set DATA_DIR.`;
  return message ?? String(error);
}

main().catch((error: unknown) => {
  fail(`The service could not start: ${reasonOf(error)}`);
});
