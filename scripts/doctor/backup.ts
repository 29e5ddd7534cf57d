/**
 * Checks the last backup, by the database's record of it and the newest file in the folder, and the free space on the
 * disks.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../../src/platform/config.ts';
import type { BackupRecord } from '../../src/platform/db/last-backup.ts';
import { encrypterFor, isEncrypted } from '../backup/encryption.ts';
import { sizeOf } from '../command.ts';
import { commandForSetup, type Finding, failure, HOUR_MS, ok, spanOf, warning } from './finding.ts';

/** A nightly one, and some hours to spare (deploy/alerts.yml). */
const [LOOK_MS, WRONG_MS] = [26 * HOUR_MS, 72 * HOUR_MS];
const MAKE = commandForSetup(
  'sudo systemctl start field-survey-backup; then see: sudo systemctl status field-survey-backup.timer',
  'sudo deploy/backup.sh /var/backups/field-survey docker compose run --rm -T --no-deps app',
);

/** `last`: of the database; undefined where that could not be asked. */
export async function examineBackup(
  { backupRecipient, mongoUri }: Config,
  { folder, last, now }: { folder: string; last: BackupRecord | null | undefined; now: Date },
): Promise<Finding[]> {
  const files = filesIn(folder);
  const [file] = files ?? [];
  const findings = files === null ? [] : examineFiles(files, { folder, last, now });
  if (files === null && existsSync(folder))
    findings.push(
      warning(
        `This account may not look into ${folder}, so the files were not checked.`,
        'Run this as an account that may: sudo npm run doctor',
      ),
    );
  const at = last?.at ?? (last === undefined ? file?.madeAt : undefined);
  if (!at && last === null)
    findings.push(
      failure('There has never been a backup.', `Make one, and set up the nightly backup: ${MAKE}`),
    );
  else if (!at)
    findings.push(
      warning(
        `Not known: the database doesn’t answer, and there is no backup in ${folder}.`,
        'Fix the database first.',
      ),
    );
  const age = at ? now.getTime() - at.getTime() : 0;
  if (age > LOOK_MS)
    findings.push(
      (age > WRONG_MS ? failure : warning)(
        `The last backup is ${spanOf(age)} old.`,
        `Make one, and find out why the nightly backup failed: ${MAKE}`,
      ),
    );
  const encrypted = file && (await isEncrypted(file.path).catch(() => null));
  if (encrypted === false)
    findings.push(
      warning(
        `${file?.path} is not encrypted.`,
        'Set BACKUP_RECIPIENT=age1… in .env (docs/deploy.md, “Backups”).',
      ),
    );
  else if (!backupRecipient && mongoUri && encrypted !== true)
    findings.push(
      warning(
        'BACKUP_RECIPIENT is not set, so backups are not encrypted.',
        'Set it to the public key from age-keygen in .env (docs/deploy.md, “Backups”).',
      ),
    );
  if (backupRecipient && !isRecipient(backupRecipient))
    findings.push(
      failure(
        'BACKUP_RECIPIENT is mistyped, so no backup can be made.',
        'Copy the public key from age-keygen to .env again (docs/deploy.md, “Backups”).',
      ),
    );
  if (findings.length > 0 || !at) return findings;
  const details = file ? `, ${sizeOf(file.bytes)}${encrypted ? ', encrypted' : ''}` : '';
  return [ok(`${spanOf(age)} old${details}`)];
}

function isRecipient(text: string): boolean {
  try {
    encrypterFor(text);
    return true;
  } catch {
    return false;
  }
}

interface BackupFile {
  path: string;
  madeAt: Date;
  bytes: number;
}

/** A file is written after its record's instant: half a day is enough for any study. */
const TO_WRITE_MS = 12 * HOUR_MS;

/** Whether the newest file is the recorded backup, whole, and about as large as those before it. */
function examineFiles(
  files: BackupFile[],
  { folder, last, now }: { folder: string; last: BackupRecord | null | undefined; now: Date },
): Finding[] {
  const [file, ...former] = files;
  if (!file) {
    if (!last) return [];
    const text = `A backup was recorded ${spanOf(now.getTime() - last.at.getTime())} ago, but there is none in ${folder}.`;
    return [failure(text, `Name the right folder with --backups, or make one now: ${MAKE}`)];
  }
  if (file.bytes === 0) return [failure(`${file.path} is empty.`, `Is the disk full? Then: ${MAKE}`)];
  const isRecorded =
    last && Math.abs(file.madeAt.getTime() - last.at.getTime()) < TO_WRITE_MS && last.bytes !== undefined;
  if (isRecorded && file.bytes !== last.bytes)
    return [
      failure(
        `${file.path} is cut or damaged: it has ${sizeOf(file.bytes)}, and ${sizeOf(last.bytes ?? 0)} were written.`,
        `Is the disk full? Then: ${MAKE}`,
      ),
    ];
  if (last && last.at.getTime() - file.madeAt.getTime() > HOUR_MS)
    return [
      (now.getTime() - file.madeAt.getTime() > LOOK_MS ? failure : warning)(
        `The last recorded backup is not in ${folder}. The newest file there is ${spanOf(now.getTime() - file.madeAt.getTime())} old.`,
        `If it was made elsewhere by hand, check the nightly one: ${MAKE}`,
      ),
    ];
  const usual = former.map(({ bytes }) => bytes).sort((a, b) => a - b)[Math.floor(former.length / 2)] ?? 0;
  if (file.bytes < usual / 2)
    return [
      warning(
        `${file.path} has ${sizeOf(file.bytes)}, and those before it about ${sizeOf(usual)}.`,
        'Check it: npm run restore -- --dry-run --from FILE (docs/deploy.md, “Backups”).',
      ),
    ];
  return [];
}

/** Newest first; null where this account may not look, or there is no such folder. */
function filesIn(folder: string): BackupFile[] | null {
  try {
    const files = readdirSync(folder)
      .filter((name) => /\.archive(\.age)?$/.test(name))
      .map((name) => {
        const path = join(folder, name);
        const { mtime, size } = statSync(path);
        return { path, madeAt: mtime, bytes: size };
      });
    return files.sort((a, b) => b.madeAt.getTime() - a.madeAt.getTime());
  } catch {
    return null;
  }
}

const [LOOK_BYTES, WRONG_BYTES] = [2e9, 500e6];

export async function examineDisks({ dataDir }: Config, backups: string): Promise<Finding[]> {
  const findings: Finding[] = [];
  const checkedNames: string[] = [];
  for (const path of [dataDir, '/var/lib/mongodb', backups]) {
    const disk = await statfs(path).catch(() => null);
    if (!disk) continue;
    const free = disk.bavail * disk.bsize;
    checkedNames.push(`${gigabytes(free)} free at ${path}`);
    if (free >= LOOK_BYTES) continue;
    findings.push(
      (free < WRONG_BYTES ? failure : warning)(
        `Only ${gigabytes(free)} is free at ${path}.`,
        'Find out what fills it: sudo du -xh / --max-depth=2 | sort -h | tail; then: sudo journalctl --vacuum-size=200M',
      ),
    );
  }
  // One line, not three, where all are on one disk.
  return findings.length > 0 ? findings : [ok(checkedNames[0] ?? 'no folder of the service is there yet')];
}

const gigabytes = (bytes: number) => `${(bytes / 1e9).toFixed(1)} GB`;
