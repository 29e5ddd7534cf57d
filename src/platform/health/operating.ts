/**
 * Problems that an operator should fix before something breaks: low disk space, an expiring certificate, an old backup.
 */
import { statfs } from 'node:fs/promises';
import { isIP } from 'node:net';
import tls from 'node:tls';
import type { Config } from '../config.ts';
import { lastBackupTime } from '../db/last-backup.ts';
import { DAY_MS, HOUR_MS } from '../lib/day.ts';

export type OperatingWarning = 'DISK_LOW' | 'CERTIFICATE_EXPIRES' | 'BACKUP_OLD';

const LOW_BYTES = 2e9;
const EXPIRES_SOON_MS = 14 * DAY_MS;
/** One day plus a margin of two hours (as in deploy/alerts.yml). */
const BACKUP_MS = 26 * HOUR_MS;
const TIMEOUT_MS = 3_000;

/** Free space on the disk with DATA_DIR; null if unknown. */
export async function freeBytes(dataDir: string): Promise<number | null> {
  const disk = await statfs(dataDir).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}

/**
 * When the public address's certificate expires; null without https, or if it can't be reached from here. Caddy or
 * nginx has the certificate, not the service.
 */
export async function certificateEnd(publicUrl: string): Promise<Date | null> {
  const { protocol, hostname: host, port } = new URL(publicUrl);
  if (protocol !== 'https:') return null;
  return await new Promise((resolve) => {
    // Only the date matters here, not whether browsers trust it.
    const options = {
      host,
      port: Number(port) || 443,
      rejectUnauthorized: false,
      ...(isIP(host) ? {} : { servername: host }),
    };
    const socket = tls.connect(options, () => {
      const end = new Date(socket.getPeerCertificate().valid_to);
      socket.destroy();
      resolve(Number.isNaN(end.getTime()) ? null : end);
    });
    socket.setTimeout(TIMEOUT_MS, () => socket.destroy());
    socket.on('error', () => {});
    socket.once('close', () => resolve(null));
  });
}

const CACHE_MS = 60_000;
const warningsCache = new WeakMap<Config, { at: number; warnings: Promise<OperatingWarning[]> }>();

/** Only in production, and checked at most once a minute. */
export async function operatingWarnings(config: Config, now: Date): Promise<OperatingWarning[]> {
  if (!config.production) return [];
  let last = warningsCache.get(config);
  if (!last || performance.now() - last.at > CACHE_MS) {
    last = { at: performance.now(), warnings: readOperatingWarnings(config, now) };
    warningsCache.set(config, last);
  }
  return await last.warnings;
}

async function readOperatingWarnings({ dataDir, publicUrl }: Config, now: Date): Promise<OperatingWarning[]> {
  const [free, end, backup] = await Promise.all([
    freeBytes(dataDir),
    certificateEnd(publicUrl),
    lastBackupTime().catch(() => null),
  ]);
  const warnings: [OperatingWarning, boolean][] = [
    ['DISK_LOW', free !== null && free < LOW_BYTES],
    ['CERTIFICATE_EXPIRES', end !== null && end.getTime() - now.getTime() < EXPIRES_SOON_MS],
    // A new installation has no backup yet, so a missing one is reported by the doctor and the alert only.
    ['BACKUP_OLD', backup !== null && now.getTime() - backup.getTime() > BACKUP_MS],
  ];
  return warnings.filter(([, isSo]) => isSo).map(([warning]) => warning);
}
