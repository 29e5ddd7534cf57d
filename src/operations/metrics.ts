/**
 * GET /metrics for Prometheus, for callers with METRICS_TOKEN. Each process has its own numbers, except those read from
 * the database.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { RequestHandler } from 'express';
import mongoose from 'mongoose';
import { collectDefaultMetrics } from 'prom-client';
import type { Config } from '../platform/config.ts';
import { lastBackupTime } from '../platform/db/last-backup.ts';
import { certificateEnd, freeBytes } from '../platform/health/operating.ts';
import { setRouteName } from '../platform/http/measure.ts';
import { problem } from '../platform/http/problems/problem.ts';
import { codeVersion } from '../platform/lib/code-version.ts';
import { gauge, metricsRegistry } from '../platform/lib/metrics.ts';
import { VERSION } from '../platform/lib/version.ts';
import { AnalysisRunModel } from '../statistics/runs/model.ts';
import { RunState } from '../statistics/runs/schema.ts';

export const METRICS_PATH = '/metrics';

export function serveMetrics(token: string, config: Pick<Config, 'dataDir' | 'publicUrl'>): RequestHandler {
  startGauges(config);
  poolCounts();
  const expected = hashOf(`Bearer ${token}`);
  return async (req, res) => {
    setRouteName(res, METRICS_PATH);
    const received = (req.headers.authorization ?? '').replace(/^bearer +/i, 'Bearer ');
    // Hashes have the same length, so timing reveals nothing about the token.
    if (!timingSafeEqual(hashOf(received), expected))
      throw problem('UNAUTHORIZED', { headers: { 'WWW-Authenticate': 'Bearer' } });
    const text = await metricsRegistry.metrics();
    res.setHeader('Content-Type', metricsRegistry.contentType);
    res.setHeader('Cache-Control', 'no-store');
    res.end(text);
  };
}

const hashOf = (text: string) => createHash('sha256').update(text).digest();

let started = false;

/** Once per process, and only if someone reads the metrics. */
function startGauges({ dataDir, publicUrl }: Pick<Config, 'dataDir' | 'publicUrl'>): void {
  if (started) return;
  started = true;
  collectDefaultMetrics({ register: metricsRegistry });
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  gauge('event_loop_lag_seconds', '99th percentile of the lag since the last scrape.', [], async () => {
    const seconds = delay.percentile(99) / 1e9;
    delay.reset();
    return [[{}, seconds]];
  });
  gauge(
    'mongodb_pool_connections',
    'Connections to the database, and requests for one.',
    ['state'],
    async () => Object.entries(poolCounts()).map(([state, count]) => [{ state }, count]),
  );
  gauge('analysis_runs', 'Calculations that are stored, by state.', ['state'], async () =>
    (await countRuns()).map(([state, count]) => [{ state }, count]),
  );
  gauge(
    'backup_last_success_timestamp_seconds',
    'Of which moment the last successful backup is; absent if there was none.',
    [],
    async () => {
      const at = await lastBackupTime();
      return at ? [[{}, at.getTime() / 1000]] : [];
    },
  );
  gauge('disk_free_bytes', 'Free space on the disk with DATA_DIR.', [], async () => {
    const free = await freeBytes(dataDir);
    return free === null ? [] : [[{}, free]];
  });
  gauge(
    'certificate_expires_timestamp_seconds',
    'When the certificate of the public address ends; absent if that can’t be told from here.',
    [],
    async () => {
      const end = await certificateEnd(publicUrl);
      return end ? [[{}, end.getTime() / 1000]] : [];
    },
  );
  gauge('app_info', 'The running version.', ['version'], async () => [
    [{ version: `${VERSION}+${codeVersion().slice(0, 8)}` }, 1],
  ]);
}

/** The number of stored runs by state. */
async function countRuns(): Promise<[state: RunState, count: number][]> {
  return await Promise.all(
    RunState.options.map(async (state): Promise<[RunState, number]> => {
      return [state, await AnalysisRunModel.countDocuments({ state }, { maxTimeMS: 2_000 })];
    }),
  );
}

// Use of the driver's connection pool, counted from its events.

type Client = mongoose.mongo.MongoClient;
interface Event {
  address: string;
  connectionId: unknown;
}

interface PoolCounts {
  open: Set<string>;
  inUse: Set<string>;
  waiting: number;
}

const byClient = new WeakMap<Client, PoolCounts>();

/** For the current connection; counts from the first call on. */
function poolCounts(): { idle: number; in_use: number; waiting: number } {
  const client = mongoose.connection.getClient();
  const { open, inUse, waiting } = byClient.get(client) ?? watch(client);
  return { idle: open.size - inUse.size, in_use: inUse.size, waiting };
}

function watch(client: Client): PoolCounts {
  const counts: PoolCounts = { open: new Set(), inUse: new Set(), waiting: 0 };
  byClient.set(client, counts);
  const key = ({ address, connectionId }: Event) => `${address} ${String(connectionId)}`;
  const served = () => {
    // Not negative, because a request may have started to wait before counting began.
    counts.waiting = Math.max(0, counts.waiting - 1);
  };
  client.on('connectionCreated', (event) => counts.open.add(key(event)));
  client.on('connectionClosed', (event) => {
    counts.open.delete(key(event));
    counts.inUse.delete(key(event));
  });
  client.on('connectionCheckOutStarted', () => {
    counts.waiting += 1;
  });
  client.on('connectionCheckOutFailed', served);
  client.on('connectionCheckedOut', (event) => {
    served();
    counts.open.add(key(event));
    counts.inUse.add(key(event));
  });
  client.on('connectionCheckedIn', (event) => counts.inUse.delete(key(event)));
  return counts;
}
