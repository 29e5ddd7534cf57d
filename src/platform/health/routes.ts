import mongoose from 'mongoose';
import { z } from 'zod';
import type { Config } from '../config.ts';
import { isMigrated } from '../db/migrate.ts';
import { MIGRATIONS } from '../db/migrations/all.ts';
import type { Deps } from '../http/deps.ts';
import { hadMemoryPressure } from '../http/limits/slow-clients.ts';
import { problem } from '../http/problems/problem.ts';
import { defineRoute, routeGroup } from '../http/route.ts';
import { freeBytes, operatingWarnings } from './operating.ts';

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const Ready = Health.extend({
  warnings: z
    .array(z.enum(['TRUST_PROXY_UNSET', 'SLOW_CLIENTS', 'DISK_LOW', 'CERTIFICATE_EXPIRES', 'BACKUP_OLD']))
    .optional()
    .meta({
      description:
        'What needs attention although the service works; absent if there is nothing. The last three are checked in production.',
    }),
}).meta({ id: 'Ready' });
export const healthRoutes = routeGroup({ tag: 'Health' }, [
  defineRoute({
    method: 'get',
    path: '/api/health/live',
    access: 'public',
    summary: 'Check that the process is running',
    // Must succeed without the database; otherwise a monitor would restart the process for nothing.
    unlimited: true,
    reply: { 200: Health },
    handle: async () => ({ status: 'ok' }),
  }),
  defineRoute({
    method: 'get',
    path: '/api/health/ready',
    access: 'public',
    summary: 'Check that the process and its database work and have room',
    // Rate limits are counted in the database, so with them the reply couldn't report a missing database.
    unlimited: true,
    reply: { 200: Ready },
    description:
      'If the reply is 503, the parts with a problem are false in `parts`. `migrations` is also false if a unique index is missing.',
    handle: async ({ deps }) => {
      const { warnings, config, now } = deps;
      await requireParts(config, () => hasUniqueIndexes(deps));
      const crowded = hadMemoryPressure() ? ['SLOW_CLIENTS'] : [];
      const all = [...warnings, ...crowded, ...(await operatingWarnings(config, now()))];
      return { status: 'ok', ...(all.length > 0 && { warnings: all }) };
    },
  }),
  defineRoute({
    method: 'get',
    path: '/api/health/sms',
    access: 'public',
    summary:
      'Check that codes can be sent: the SMS provider is reachable, knows the account, and is set up correctly',
    description: 'Checks with the provider at most once a minute. Sends no message.',
    reply: { 200: Health },
    handle: async ({ deps }) => {
      await checkSms(deps.otp);
      return { status: 'ok' };
    },
  }),
]);

const CHECK_INTERVAL_MS = 60_000;
const lastCheck = new WeakMap<Deps['otp'], { at: number; answer: Promise<void> }>();

/** Reuses the last result for a minute. */
async function checkSms(otp: Deps['otp']): Promise<void> {
  let last = lastCheck.get(otp);
  if (!last || performance.now() - last.at > CHECK_INTERVAL_MS) {
    last = { at: performance.now(), answer: otp.checkHealth() };
    lastCheck.set(otp, last);
  }
  await last.answer;
}

const lastIndexes = new WeakMap<Deps, number>();

/** Once found, the indexes aren't checked again for a minute. */
async function hasUniqueIndexes(deps: Deps): Promise<boolean> {
  if (performance.now() - (lastIndexes.get(deps) ?? Number.NEGATIVE_INFINITY) < CHECK_INTERVAL_MS)
    return true;
  if (!(await deps.hasUniqueIndexes())) return false;
  lastIndexes.set(deps, performance.now());
  return true;
}

/** With less than this, the service's own mongod is about to stop. */
const MIN_FREE_BYTES = 20 * 2 ** 20;

/** Throws 503 with all parts if at least one of them is false. */
async function requireParts(
  config: Pick<Config, 'mongoUri' | 'dataDir'>,
  hasIndexes: () => Promise<boolean>,
): Promise<void> {
  const [database, disk] = await Promise.all([isDatabaseReady(), hasSpace(config)]);
  // True without the database: migrations ran before this process listened, and nothing else can be checked then.
  const isPrepared = async () => (await isMigrated(MIGRATIONS)) && (await hasIndexes());
  const migrations = !database || (await isPrepared().catch(() => true));
  const parts = { database, migrations, disk };
  if (Object.values(parts).includes(false)) throw problem('UNAVAILABLE', { parts });
}

async function isDatabaseReady(): Promise<boolean> {
  if (mongoose.connection.readyState !== 1) return false;
  const pinged = mongoose.connection.db?.command({ ping: 1 }, { timeoutMS: 2_000 });
  return (
    (await pinged?.then(
      () => true,
      () => false,
    )) === true
  );
}

/** Only relevant without `MONGO_URI`, since the service doesn't write data to disk otherwise. */
async function hasSpace({ mongoUri, dataDir }: Pick<Config, 'mongoUri' | 'dataDir'>): Promise<boolean> {
  if (mongoUri !== undefined) return true;
  const free = await freeBytes(dataDir);
  return free === null || free >= MIN_FREE_BYTES;
}
