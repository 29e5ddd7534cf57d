/** The processes of a benchmark: the service as it is deployed and the floor, each on its own, on one database. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureBuilt } from '../deploy/ensure-built.ts';
import { freePort } from '../src/platform/db/embedded/mongod-process.ts';

/** Inside the project, so that the built files find its packages. */
let buildFolder = resolve('.cache/bench');

export const SECRET = 'a secret of the benchmark, longer than thirty-two bytes';

/** What `npm start` runs, instead of a build for the benchmark alone. */
export function takeExistingBuild(): void {
  ensureBuilt();
  buildFolder = resolve('dist');
}

/** Of the source in this folder, or of another version in its own. */
export function buildService(source = '.'): string {
  const out = resolve(source, '.cache/bench');
  const compiler = 'node_modules/typescript/bin/tsc';
  const args = [compiler, '-p', 'tsconfig.build.json', '--outDir', out, '--sourceMap', 'false'];
  const { status } = spawnSync(process.execPath, args, { cwd: source, stdio: 'inherit' });
  if (status !== 0) throw new Error(`the service in ${source} does not compile`);
  return out;
}

export interface Running {
  port: number;
  /** Resident memory in MB. */
  memory(): number;
  /** Seconds of processor time that it has used. */
  cpu(): number;
  stop(): Promise<void>;
}

export async function startService(
  mongoUri: string,
  timeZone: string,
  folder: string,
  from = buildFolder,
): Promise<Running> {
  const env = {
    MONGO_URI: mongoUri,
    TIME_ZONE: timeZone,
    JWT_SECRET: SECRET,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'info',
    OTP_PROVIDER: 'console',
    DATA_DIR: folder,
  };
  const args = (process.env.BENCH_NODE_ARGS ?? '').split(' ').filter(Boolean);
  return await start(
    [...args, join(from, 'src/main.js')],
    env,
    '/api/health/ready',
    join(folder, 'service.log'),
  );
}

export async function startFloor(mongoUri: string, folder: string): Promise<Running> {
  const env = { MONGO_URI: mongoUri, CODE_MODULE: join(buildFolder, 'src/coupons/referral-codes/code.js') };
  return await start(['bench/floor.mjs'], env, '/', join(folder, 'floor.log'));
}

export function processOf(pid: number): Pick<Running, 'memory' | 'cpu'> {
  return {
    memory: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    // In ticks of a hundredth of a second, the twelfth and thirteenth field after the name.
    cpu: () => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
      return (Number(fields[11]) + Number(fields[12])) / 100;
    },
  };
}

async function start(
  args: string[],
  env: Record<string, string>,
  ready: string,
  logFile: string,
): Promise<Running> {
  const port = await freePort();
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, {
    env: { PATH: process.env.PATH ?? '', PORT: String(port), ...env },
    stdio: ['ignore', log, log],
  });
  await untilUp(child, `http://127.0.0.1:${port}${ready}`, logFile);
  return {
    port,
    ...processOf(child.pid ?? 0),
    stop: async () => {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

async function untilUp(child: ChildProcess, url: string, logFile: string): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < 120_000; await sleep(100)) {
    if (child.exitCode !== null) throw new Error(`it ended:\n${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    if (await fetch(url).catch(() => null)) return;
  }
  child.kill();
  throw new Error(`it does not answer at ${url}`);
}

export interface CommandRun {
  seconds: number;
  megabytes: number;
  // biome-ignore lint/suspicious/noExplicitAny: a benchmark reads what it needs
  answer: any;
}

/** Runs an operator's command on the database at `mongoUri`; its JSON answer, how long it took and its peak of memory. */
export async function runCommand(mongoUri: string, name: string, ...args: string[]): Promise<CommandRun> {
  const begin = performance.now();
  const child = spawn(process.execPath, ['--import', 'tsx', `scripts/${name}.ts`, ...args, '--json'], {
    env: { ...process.env, MONGO_URI: mongoUri },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let out = '';
  child.stdout.on('data', (text) => {
    out += String(text);
  });
  let megabytes = 0;
  const watch = setInterval(() => {
    try {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      megabytes = Math.max(megabytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
    } catch {} // It has ended.
  }, 100);
  const code = await new Promise((settle) => child.once('close', settle));
  clearInterval(watch);
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
  return { seconds: (performance.now() - begin) / 1000, megabytes, answer: JSON.parse(out) };
}

/** A time zone in which it is about noon, so that the surveys of the last six hours are of today. */
export function zoneAtNoon(now: Date): string {
  const east = 12 - now.getUTCHours();
  return east === 0 ? 'UTC' : `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}
