/**
 * Checks that PUBLIC_URL leads to this service, and that the service learns callers' addresses from the proxy. It
 * counts each caller's requests in the database, so a few requests through the proxy show which address it counts.
 */

import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP } from 'node:net';
import os from 'node:os';
import { text as readText } from 'node:stream/consumers';
import express from 'express';
import mongoose from 'mongoose';
import type { Config } from '../../src/platform/config.ts';
import {
  RATE_LIMIT_COLLECTION,
  rateLimitKeyOfAddress,
  setLimitSecret,
} from '../../src/platform/http/limits/rate-limits.ts';
import { parseJsonOrNull } from '../../src/platform/lib/objects/parse-json.ts';
import { codeOf, commandForSetup, type Finding, failure, ok, RESTART, warning } from './finding.ts';

const REQUESTS = 25;
const TIMEOUT_MS = 10_000;
const KEY = 'requests:';
/** Of each network that this machine is part of, at most this many addresses are tried. */
const MAX_ADDRESSES = 65_536;
const READY = '/api/health/ready';
/** Counted, unlike the above. */
const COUNTED_PATH = '/api/study/public';
const RIGHT = commandForSetup('TRUST_PROXY=loopback', 'TRUST_PROXY=1');
const SET = `Set ${RIGHT} in .env (more proxies in front: their number), then: ${RESTART}`;
const CHECK_PROXY = commandForSetup(
  'sudo systemctl status caddy field-survey@3001; sudo journalctl -u caddy -n 30',
  'sudo docker compose ps; sudo docker compose logs --tail 30 proxy',
);

const local = new BlockList();
for (const [net, bits] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const)
  local.addSubnet(net, bits, 'ipv4');
for (const [net, bits] of [
  ['::1', 128],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  local.addSubnet(net, bits, 'ipv6');
/** Of this machine or its network, rather than of a caller from the internet. */
const isLocal = (address: string) => local.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');

export async function examineProxy(config: Config, withDatabase: boolean): Promise<Finding[]> {
  const { publicUrl, trustProxy, rateLimits, jwtSecret } = config;
  setLimitSecret(jwtSecret);
  const isHttps = publicUrl.startsWith('https:');
  // What nobody has: an address for documentation, other each time.
  const marker = `2001:db8:${randomBytes(2).toString('hex')}:1::1`;
  const before = withDatabase ? await counts() : new Map<string, number>();
  let own = '';
  let isOwnKnown = false;
  try {
    const caller = await openCaller(publicUrl);
    isOwnKnown = caller.isOwnKnown;
    for (let requestCount = 0; requestCount <= (withDatabase ? REQUESTS : 0); requestCount++) {
      const reply = await caller.ask(requestCount === 0 ? READY : COUNTED_PATH, marker);
      own = reply.from;
      if (reply.status !== 200) return [unready(publicUrl, reply)];
    }
    caller.close();
  } catch (error) {
    return [
      failure(
        `${publicUrl} doesn’t answer: ${codeOf(error)}.`,
        `Check that the proxy is running and the domain points to this server: ${CHECK_PROXY}`,
      ),
    ];
  }
  if (isHttps && (trustProxy === undefined || trustProxy === false))
    return [
      failure(
        `There is a proxy, and TRUST_PROXY is ${trustProxy ?? 'not set'}: everyone shares its limits.`,
        SET,
      ),
    ];
  if (!rateLimits || !withDatabase)
    return [
      warning(
        `${publicUrl} answers, but it is not known which address it counts.`,
        withDatabase ? 'Remove RATE_LIMITS=off from .env.' : 'Fix the database first.',
      ),
    ];
  const after = await counts();
  const grown = new Set(
    [...after].filter(([key, points]) => points - (before.get(key) ?? 0) >= REQUESTS).map(([key]) => key),
  );
  if (after.has(rateLimitKeyOfAddress(marker)) && trusts(trustProxy, own))
    return [
      warning(
        `TRUST_PROXY=${trustProxy} takes this machine (${own}) for a proxy, so its limits can’t be checked from here.`,
        'Name only the addresses of proxies there, or run this outside of that network.',
      ),
    ];
  if (after.has(rateLimitKeyOfAddress(marker)))
    return [
      failure('The service believes any address that a caller claims, so callers can avoid the limits.', SET),
    ];
  if (grown.has(rateLimitKeyOfAddress(own)))
    return [ok(`${publicUrl} answers, and counts callers by their own addresses`)];
  const ownAddress = localAddresses().find((address) => grown.has(rateLimitKeyOfAddress(address)));
  if (grown.size === 0 || (isOwnKnown && !ownAddress))
    return [
      failure(
        `${publicUrl} leads to another service, or one with another database or JWT_SECRET.`,
        'Correct PUBLIC_URL, MONGO_URI and JWT_SECRET in .env, or the domain’s A record.',
      ),
    ];
  if (ownAddress && (isOwnKnown || !isLocal(own)))
    return [
      failure(
        `Everyone is counted as the proxy (${ownAddress}), and shares its limits.`,
        toTrust(trustProxy, ownAddress),
      ),
    ];
  // Behind a translation of addresses it can't be told from here whose address that is.
  return [
    ok(`${publicUrl} answers, and counts this machine by ${ownAddress ?? 'the address it has outside'}`),
  ];
}

/** This machine's, and those beside it: of a proxy in a container too. */
function localAddresses(): string[] {
  const interfaces = Object.values(os.networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address }) => isLocal(address));
  return ['127.0.0.1', '::1', ...interfaces.flatMap(({ address, cidr }) => [address, ...neighborsOf(cidr)])];
}

/** The addresses around one of IPv4, e.g. `172.18.0.3/16`; none around one of IPv6, which is counted by network. */
function neighborsOf(cidr: string | null): string[] {
  const [address = '', bits] = cidr?.split('/') ?? [];
  if (isIP(address) !== 4) return [];
  const size = Math.min(2 ** (32 - Number(bits)), MAX_ADDRESSES);
  const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  const start = number - (number % size);
  return Array.from({ length: size }, (_, index) =>
    [24, 16, 8, 0].map((shift) => ((start + index) >>> shift) & 255).join('.'),
  );
}

function unready(publicUrl: string, { status, body }: Reply): Finding {
  const parts = (body as { parts?: Record<string, boolean> } | null)?.parts;
  const missing = Object.entries(parts ?? {}).flatMap(([name, isThere]) => (isThere ? [] : name));
  if (missing.length > 0)
    return failure(
      `The service answers, but has a problem with: ${missing.join(', ')}.`,
      'See the lines above.',
    );
  if (status === 429) return warning('This machine has sent too many requests.', 'Try again in a minute.');
  return failure(
    `${publicUrl} answers ${status}.`,
    `Check that the service is running behind the proxy: ${CHECK_PROXY}`,
  );
}

/** Networks that are trusted already stay: there may be a load balancer in front of the proxy. */
const toTrust = (trustProxy: Config['trustProxy'], proxy: string) =>
  typeof trustProxy === 'string'
    ? `Add it: TRUST_PROXY=${trustProxy},${proxy} in .env, then: ${RESTART}`
    : SET;

/** Whether TRUST_PROXY names networks that this address belongs to, so that what it claims is believed. */
function trusts(trustProxy: Config['trustProxy'], address: string): boolean {
  if (typeof trustProxy !== 'string') return false;
  const isTrusted = express().set('trust proxy', trustProxy).get('trust proxy fn') as (
    address: string,
    hop: number,
  ) => boolean;
  return isTrusted(address, 0);
}

/**
 * How many requests are counted under each key, of addresses and of users. Counters live for a minute; MongoDB removes them later,
 * and a request in between starts again from one.
 */
async function counts(): Promise<Map<string, number>> {
  const buckets = await mongoose.connection
    .collection<{ key: string; points: number; expire: Date }>(RATE_LIMIT_COLLECTION)
    .find(
      { key: { $gte: KEY, $lt: `${KEY}~` }, expire: { $gt: new Date() } },
      { limit: 50_000, maxTimeMS: 5_000 },
    )
    .toArray();
  return new Map(buckets.map(({ key, points }) => [key, points]));
}

interface Reply {
  status: number;
  body: unknown;
  /** From which address of this machine it was asked. */
  from: string;
}

async function openCaller(publicUrl: string) {
  const { protocol, hostname } = new URL(publicUrl);
  const client = protocol === 'https:' ? https : http;
  // Certificates have a line of their own.
  const agent = new client.Agent({
    keepAlive: true,
    maxSockets: 1,
    rejectUnauthorized: false,
  } as https.AgentOptions);
  const { address } = await lookup(hostname.replace(/^\[|\]$/g, ''));
  // On one machine, so that this caller has another address than the proxy.
  const localAddress = address.startsWith('127.') && process.platform === 'linux' ? '127.0.0.77' : undefined;
  const ask = (path: string, marker: string): Promise<Reply> =>
    new Promise((resolve, reject) => {
      const request = client.get(publicUrl + path, {
        ...{ agent, timeout: TIMEOUT_MS, headers: { 'X-Forwarded-For': marker } },
        ...(localAddress && { localAddress, family: 4 }),
      });
      request.on('timeout', () => request.destroy(new Error('no answer within 10 seconds')));
      request.on('error', reject);
      request.on('response', (reply) => {
        const from = reply.socket.localAddress?.replace(/^::ffff:/, '') ?? '';
        readText(reply).then(
          (text) => resolve({ status: reply.statusCode ?? 0, body: parseJsonOrNull(text), from }),
          reject,
        );
      });
    });
  return { ask, isOwnKnown: localAddress !== undefined, close: () => agent.destroy() };
}
