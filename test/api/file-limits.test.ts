/** The limit on files outside the API, which is counted in the process itself. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Request, Response } from 'express';
import { limitFileRequests } from '../../src/platform/http/limits/rate-limits.ts';
import { worldOfFile } from '../people.ts';
import { collection } from './kit.ts';

worldOfFile();

test('a rate-limited address stays limited, however many others send requests meanwhile', async () => {
  const limit = limitFileRequests();
  const ask = (ip: string): boolean => {
    try {
      void limit({ ip } as Request, {} as Response, () => {});
      return true;
    } catch {
      return false;
    }
  };
  const asksABatch = (ip: string) => Array.from({ length: 60 }, () => ask(ip)).some(Boolean);
  const counters = collection('ratelimits');
  asksABatch('203.0.113.7');
  while ((await counters.countDocuments({ key: /^files:/ })) === 0) await sleep(10);
  await counters.updateMany({ key: /^files:/ }, { $inc: { points: 6_000 } });
  while (asksABatch('203.0.113.7')) await sleep(10);
  for (let at = 0; at < 10_002; at++) ask(`10.0.${Math.floor(at / 250)}.${at % 250}`);
  expect([ask('203.0.113.7'), ask('203.0.113.8')]).toEqual([false, true]);
});
