/**
 * `node scripts/in-memory.mjs COMMAND...` runs a command with its temporary files in memory, if there is room:
 * creating a database spends most of its time waiting for the disk.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';

const MEMORY = '/dev/shm';
const NAME = 'field-survey-test-';
const ROOM_BYTES = 6e9;

/** Ends this process as the command ends. */
export function runInMemory(command, args, options = {}) {
  const folder = openFolder();
  const env = folder ? { ...process.env, TMPDIR: folder } : process.env;
  const child = spawn(command, args, { stdio: 'inherit', env, ...options });
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
  child.on('error', (error) => console.error(error.message));
  child.on('close', (code) => {
    if (folder) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    process.exit(code ?? 1);
  });
}

function openFolder() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    if (bavail * bsize < ROOM_BYTES) return null;
    // Those of runs that were killed.
    for (const left of readdirSync(MEMORY)) {
      if (left.startsWith(NAME) && !isAlive(Number(left.slice(NAME.length))))
        rmSync(join(MEMORY, left), { recursive: true, force: true });
    }
    const folder = join(MEMORY, `${NAME}${process.pid}`);
    mkdirSync(folder, { mode: 0o700 });
    return folder;
  } catch {
    return null;
  }
}

function isAlive(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) runInMemory(argv[2], argv.slice(3));
