/** The real service as a child process, with its own mongod and data folder, and its output. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { parseAgeIdentity } from '../../src/platform/lib/age/identity.ts';
import { decryptAgeFile } from '../../src/platform/lib/age/open-file.ts';
import { findFreePort } from '../free-port.ts';

const { MongoClient } = mongoose.mongo;
type MongoClient = mongoose.mongo.MongoClient;

export const JWT_SECRET = 'a secret for browser tests alone, longer than forty characters';
const START_TIMEOUT_MS = 90_000;
/** The build of `npm run test:e2e` starts in half the time. */
const PROGRAM = process.env.E2E_BUILT ? ['dist/src/main.js'] : ['--import', 'tsx', 'src/main.ts'];

export interface Service {
  url: string;
  /** The next code that is printed for this phone, or was printed and not asked for yet. */
  otp(phone: string): Promise<string>;
  setupToken(): string;
  /** The service's own database, for what only time or chance would bring about. */
  database(): Promise<MongoClient>;
  /** What a phone has sealed, opened with the study's key. */
  openSealed(sealed: string): Promise<{ responses: object }>;
  /** Ends the process, and starts another on the same data, to which the same address leads. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export async function startService(): Promise<Service> {
  const dataDir = await mkdtemp(join(tmpdir(), 'field-survey-e2e-'));
  const port = Number(process.env.E2E_PORT) || (await findFreePort());
  const url = `http://localhost:${port}`;
  let output = '';
  let child: ChildProcess;
  /** How many codes of a phone were read already. */
  const codesRead = new Map<string, number>();
  const start = async () => {
    child = spawn(process.execPath, PROGRAM, {
      env: {
        ...process.env,
        DATA_DIR: dataDir,
        PORT: String(port),
        PUBLIC_URL: url,
        JWT_SECRET,
        OTP_PROVIDER: 'console',
        RATE_LIMITS: 'off',
        LOG_LEVEL: 'warn',
        TIME_ZONE: 'America/Los_Angeles',
        DEFAULT_REGION: 'US',
        MONGO_URI: '',
      },
    });
    const hear = (chunk: Buffer) => {
      output += chunk.toString();
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    await untilReady(url, child, () => output);
  };
  const end = async () => {
    if (child.exitCode !== null) return;
    child.kill('SIGTERM');
    await once(child, 'exit');
  };
  await start();
  // Printed shortly after the service responds.
  const setupToken = await waitForOutput(() => /#token=([\w-]+)/.exec(output)?.[1], 'the link of the set-up');
  let client: MongoClient | undefined;
  return {
    url,
    otp: async (phone) => {
      const codes = () =>
        [...output.matchAll(new RegExp(`OTP \\${phone} (\\d{6})`, 'g'))].map(([, code]) => code);
      const codeCount = codesRead.get(phone) ?? 0;
      const code = await waitForOutput(() => codes()[codeCount], `a code for ${phone}`);
      codesRead.set(phone, codes().length);
      return codes().at(-1) ?? code;
    },
    setupToken: () => setupToken,
    database: async () => {
      const mongod = JSON.parse(await readFile(join(dataDir, 'mongod.json'), 'utf8')) as { port: number };
      client ??= await new MongoClient(`mongodb://127.0.0.1:${mongod.port}/?directConnection=true`).connect();
      return client;
    },
    openSealed: async (sealed) => {
      const key = parseAgeIdentity((await readFile(join(dataDir, 'field-key'), 'utf8')).trim());
      if (!key) throw new Error('The service has no key of the study.');
      return JSON.parse(decryptAgeFile(Buffer.from(sealed, 'base64'), [key]).toString()) as {
        responses: object;
      };
    },
    restart: async () => {
      await client?.close();
      client = undefined;
      await end();
      await start();
    },
    stop: async () => {
      await client?.close();
      await end();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, child: ChildProcess, readOutput: () => string): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (Date.now() < deadline) {
    if (child.exitCode !== null) throw new Error(`the service ended by itself:\n${readOutput()}`);
    const ready = await fetch(`${url}/api/health/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (ready) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`the service did not get ready:\n${readOutput()}`);
}

async function waitForOutput(find: () => string | undefined, what: string): Promise<string> {
  for (let tries = 0; tries < 500; tries += 1) {
    const match = find();
    if (match) return match;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`the service never said ${what}`);
}
