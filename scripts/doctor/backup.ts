/**
 * Checks the last backup, by the database's record of it and the newest file in the folder, and the free space on the
 * disks.
 */
import { readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/config.ts';
import { encrypterFor, isEncrypted } from '../backup/encryption.ts';
import { sizeOf } from '../command.ts';
import { byWay, type Finding, HOUR_MS, look, ok, spanOf, wrong } from './finding.ts';

/** A nightly one, and some hours to spare (deploy/alerts.yml). */
const [LOOK_MS, WRONG_MS] = [26 * HOUR_MS, 72 * HOUR_MS];
const MAKE = byWay(
  'sudo systemctl start field-survey-backup; then see: sudo systemctl status field-survey-backup.timer',
  'sudo deploy/backup.sh /var/backups/field-survey docker compose run --rm -T --no-deps app',
);

/** `last`: of the database; undefined where that could not be asked. */
export async function examineBackup(
  { backupRecipient, mongoUri }: Config,
  { folder, last, now }: { folder: string; last: Date | null | undefined; now: Date },
): Promise<Finding[]> {
  const found: Finding[] = [];
  const file = newestIn(folder);
  const at = last ?? (last === undefined ? file?.madeAt : undefined);
  if (!at && last === null)
    found.push(wrong('There has never been a backup.', `Make one, and set up the nightly backup: ${MAKE}`));
  else if (!at)
    found.push(
      look(
        `Not known: the database doesn’t answer, and there is no backup in ${folder}.`,
        'Fix the database first.',
      ),
    );
  const age = at ? now.getTime() - at.getTime() : 0;
  if (age > LOOK_MS)
    found.push(
      (age > WRONG_MS ? wrong : look)(
        `The last backup is ${spanOf(age)} old.`,
        `Make one, and find out why the nightly backup failed: ${MAKE}`,
      ),
    );
  const encrypted = file && (await isEncrypted(file.path).catch(() => null));
  if (encrypted === false)
    found.push(
      look(
        `${file?.path} is not encrypted.`,
        'Set BACKUP_RECIPIENT=age1… in .env (docs/deploy.md, “Backups”).',
      ),
    );
  else if (!backupRecipient && mongoUri && encrypted !== true)
    found.push(
      look(
        'BACKUP_RECIPIENT is not set, so backups are not encrypted.',
        'Set it to the public key from age-keygen in .env (docs/deploy.md, “Backups”).',
      ),
    );
  if (backupRecipient && !isRecipient(backupRecipient))
    found.push(
      wrong(
        'BACKUP_RECIPIENT is mistyped, so no backup can be made.',
        'Copy the public key from age-keygen to .env again (docs/deploy.md, “Backups”).',
      ),
    );
  if (file?.bytes === 0) found.push(wrong(`${file.path} is empty.`, `Is the disk full? Then: ${MAKE}`));
  if (found.length > 0 || !at) return found;
  const about = file ? `, ${sizeOf(file.bytes)}${encrypted ? ', encrypted' : ''}` : '';
  return [ok(`${spanOf(age)} old${about}`)];
}

function isRecipient(text: string): boolean {
  try {
    encrypterFor(text);
    return true;
  } catch {
    return false;
  }
}

/** Null also where this account may not look. */
function newestIn(folder: string): { path: string; madeAt: Date; bytes: number } | null {
  try {
    const files = readdirSync(folder)
      .filter((name) => /\.archive(\.age)?$/.test(name))
      .map((name) => {
        const path = join(folder, name);
        const { mtime, size } = statSync(path);
        return { path, madeAt: mtime, bytes: size };
      });
    return files.sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime())[0] ?? null;
  } catch {
    return null;
  }
}

const [LOOK_BYTES, WRONG_BYTES] = [2e9, 500e6];

export async function examineDisks({ dataDir }: Config, backups: string): Promise<Finding[]> {
  const found: Finding[] = [];
  const seen: string[] = [];
  for (const path of [dataDir, '/var/lib/mongodb', backups]) {
    const disk = await statfs(path).catch(() => null);
    if (!disk) continue;
    const free = disk.bavail * disk.bsize;
    seen.push(`${gigabytes(free)} free at ${path}`);
    if (free >= LOOK_BYTES) continue;
    found.push(
      (free < WRONG_BYTES ? wrong : look)(
        `Only ${gigabytes(free)} is free at ${path}.`,
        'Find out what fills it: sudo du -xh / --max-depth=2 | sort -h | tail; then: sudo journalctl --vacuum-size=200M',
      ),
    );
  }
  // One line, not three, where all are on one disk.
  return found.length > 0 ? found : [ok(seen[0] ?? 'no folder of the service is there yet')];
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
