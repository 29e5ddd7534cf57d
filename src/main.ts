/** Config, connect, listen, stop on a signal; nothing else. */
import 'dotenv/config';
import type { Server } from 'node:http';
import { dirname } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import mongoose from 'mongoose';
import { consoleOtp } from './access/auth/otp/otp-console.ts';
import { twilioOtp } from './access/auth/otp/otp-twilio.ts';
import { waitForCodeDeliveries } from './access/auth/send-code.ts';
import { setupNotice } from './access/auth/setup-link.ts';
import { createApp } from './app.ts';
import { consoleMessageProvider } from './interviews/texting/console.ts';
import { startTexting } from './interviews/texting/job.ts';
import type { MessageProvider } from './interviews/texting/provider.ts';
import { openTwilioMessageProvider } from './interviews/texting/twilio.ts';
import { finishInterruptedRestore } from './operations/backup/swap.ts';
import { type Config, ConfigError, readConfig } from './platform/config.ts';
import { connect, disconnect } from './platform/db/connect.ts';
import { type EmbeddedDatabase, startEmbeddedDatabase } from './platform/db/embedded/embedded.ts';
import { blockRestores } from './platform/db/restore-lock.ts';
import { PROXY_WARNING } from './platform/http/server/proxy-warning.ts';
import { createHttpServer } from './platform/http/server/server.ts';
import { elapsedText } from './platform/lib/seconds-since.ts';
import { jsonLogLine, type LogOutput, openLogOutput } from './platform/log.ts';
import { stopOnSignals } from './platform/stop.ts';
import { prepareDatabase } from './resources.ts';
import { ignoreClosedMongoClient, startJobs } from './statistics/runs/jobs.ts';
import { setTableQueryHandler } from './statistics/study-table/ask.ts';
import { type StudyTableProcess, startTableProcess } from './statistics/study-table/process.ts';
import { describeUnreachablePhones } from './study/users/unreachable-phones.ts';

// Collect garbage after the heap grew by 70 %, instead of several times: small machines also run the database and a browser.
setFlagsFromString('--heap-growing-percent=70');

function settings(): Config {
  try {
    return readConfig(process.env);
  } catch (error) {
    if (error instanceof ConfigError) fail(error.message);
    throw error;
  }
}

function fail(text: string): never {
  process.stderr.write(`${process.stderr.isTTY ? text : jsonLogLine(60, text)}\n`);
  process.exit(1);
}

/** Starts everything in this order; it stops in reverse order. */
async function main(): Promise<void> {
  const config = settings();
  const output = openLogOutput(config.logLevel);
  const { mongoUri, dataDir, mongodBinary: binary } = config;
  const begin = Date.now();
  let server: Server | null = null;
  let stopping = false;
  const starting = mongoUri ? null : startEmbeddedDatabase({ dataDir, binary, log: output.notices });
  const stops: (() => unknown)[] = [async () => (await starting?.catch(() => null))?.stop(), disconnect];
  const close = async () => {
    stopping = true;
    for (let stop = stops.pop(); stop; stop = stops.pop()) await stop();
  };
  stopOnSignals({ log: output.log, server: () => server, close });
  try {
    const own: EmbeddedDatabase | null = await starting;
    if (stopping) return;
    const uri = mongoUri ?? own?.uri ?? '';
    await connect(uri);
    const attached = await blockRestores(output.notices, () =>
      finishInterruptedRestore(new Date(), output.notices),
    );
    stops.push(() => attached.leave().catch(() => {})); // It expires by itself.
    await prepareDatabase(new Date(), output.notices, config.timeZone);
    output.notices.info(`The database is ready (${elapsedText(begin)})`);
    const table = openStudyTable(uri);
    stops.push(waitForCodeDeliveries, () => table.close());
    server = await serve(config, output);
    const jobs = startJobs({ timeZone: config.timeZone, secret: config.jwtSecret, log: output.log });
    const texting = startTexting({
      config,
      provider: await messageProvider(config, output),
      log: output.log,
    });
    stops.push(() => texting.stop());
    stops.push(async () => {
      // Another process continues the interrupted work.
      await jobs.stop().catch(() => {});
      // A query for waiting runs may be in progress, and nobody awaits its result.
      process.on('unhandledRejection', ignoreClosedMongoClient);
    });
  } catch (error) {
    // An interrupted start is expected to fail here.
    if (stopping) return;
    await close();
    throw error;
  }
}

/** A separate process calculates figures, so that none of them blocks requests or takes their memory. */
function openStudyTable(uri: string): StudyTableProcess {
  const table = startTableProcess(import.meta.url, { uri, database: mongoose.connection.name });
  setTableQueryHandler(table.ask);
  return table;
}

async function messageProvider({ messages }: Config, { print }: LogOutput): Promise<MessageProvider> {
  return messages.provider === 'twilio'
    ? await openTwilioMessageProvider(messages)
    : consoleMessageProvider(print);
}

async function serve(config: Config, { log, notices, print }: LogOutput): Promise<Server> {
  const otp = config.otp.provider === 'twilio' ? await twilioOtp(config.otp) : consoleOtp(print);
  const server = createHttpServer(createApp({ config, log, otp, now: () => new Date() }));
  await new Promise<void>((resolve, failed) => {
    server.once('error', failed);
    server.listen(config.port, config.listenAddress, resolve);
  });
  notices.info(`The service is up: ${config.publicUrl}`);
  notices.info(`Documentation:     ${config.publicUrl}/documentation`);
  if (config.production && config.trustProxy === undefined) notices.warn(PROXY_WARNING);
  const setup = await setupNotice(config, process.stdout.isTTY === true);
  const unserved = await describeUnreachablePhones(config.otpCountries);
  if (unserved) notices.warn(unserved);
  if (setup) notices.info(setup);
  return server;
}

/** Adds advice to system errors. */
function reasonOf(error: unknown): string {
  const { code, port, path, message } = error as NodeJS.ErrnoException & { port?: number };
  if (code === 'EADDRINUSE') return `port ${port} is in use. Stop the program that uses it, or set PORT.`;
  if (code === 'EACCES' && path)
    return `this user can't write to ${dirname(path)}. Change its permissions, or set DATA_DIR.`;
  return message ?? String(error);
}

main().catch((error: unknown) => {
  fail(`The service could not start: ${reasonOf(error)}`);
});
