/** A file system so small that it can be filled to its last byte, for a browser's profile. */
import { execFile } from 'node:child_process';
import { mkdtemp, open, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
const LARGEST = 1 << 20;
const ZEROS = Buffer.alloc(LARGEST);

export interface SmallDisk {
  /** As the browser sees it. */
  path: string;
  /** What the browser is started by, so that it sees it. */
  through: string[];
  /**
   * Fills the disk to the last byte, and again as soon as the browser with this process id frees any of it. The
   * returned function makes room again.
   */
  keepFull(browser: number | undefined): () => Promise<void>;
  remove(): Promise<void>;
}

/** If this user may not mount, the browser gets a mount namespace in which it may. Null if neither works. */
export async function smallDisk(size: string): Promise<SmallDisk | null> {
  const path = await mkdtemp(join(tmpdir(), 'field-survey-small-'));
  const mount = ['mount', '-t', 'tmpfs', '-o', `size=${size},mode=777`, 'tmpfs', path] as const;
  const within = ['unshare', '--user', '--map-root-user', '--mount', 'sh', '-c'];
  const [mounts, ...itsArguments] = mount;
  const tried = (program: string, args: readonly string[]) =>
    run(program, [...args]).then(
      () => true,
      () => false,
    );
  if (await tried(mounts, itsArguments))
    return diskAt(path, [], async () => void (await run('umount', ['-l', path])));
  const [unshare = '', ...rest] = within;
  if (await tried(unshare, [...rest, mount.join(' ')]))
    return diskAt(path, [...within, `${mount.join(' ')} && exec "$@"`, 'sh'], async () => undefined);
  await rmdir(path);
  return null;
}

function diskAt(path: string, through: string[], unmount: () => Promise<void>): SmallDisk {
  // Another mount namespace is accessible through one of its processes.
  const filler = (browser: number | undefined) =>
    join(through.length > 0 ? `/proc/${browser}/root` : '/', path, 'photos');
  return {
    path,
    through,
    keepFull: (browser) => {
      let filling = true;
      const filled = (async () => {
        const file = await open(filler(browser), 'a');
        while (filling) {
          for (let size = LARGEST; size >= 1; size = Math.floor(size / 2)) await appendWhile(file, size);
          await sleep(20);
        }
        await file.close();
      })();
      return async () => {
        filling = false;
        await filled;
        await rm(filler(browser));
      };
    },
    remove: async () => {
      await unmount();
      await rm(path, { recursive: true, force: true });
    },
  };
}

async function appendWhile(file: Awaited<ReturnType<typeof open>>, size: number): Promise<void> {
  for (;;) {
    const written = await file.write(ZEROS, 0, size).then(
      ({ bytesWritten }) => bytesWritten,
      () => 0,
    );
    if (written < size) return;
  }
}
