/** Sends texts in one process at a time; another process takes over within seconds if it dies. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../platform/config.ts';
import { takeLease, withLease } from '../../platform/db/lease.ts';
import { HOUR_MS } from '../../platform/lib/day.ts';
import { hasMessages } from '../../study/settings/messages.ts';
import { loadStudy } from '../../study/settings/model.ts';
import { MessageModel } from '../messages/model.ts';
import type { MessageProvider } from './provider.ts';
import { queueCouponExpiryTexts } from './queue-due.ts';
import { recoverStuckTexts } from './recover.ts';
import { type SendContext, sendMessageBatch } from './send.ts';

interface Service {
  config: Pick<Config, 'contactKey' | 'publicUrl' | 'timeZone' | 'production'>;
  provider: MessageProvider;
  log: Logger;
  clock?: () => Date;
}

const POLL_MS = 5_000;

export interface TextingJob {
  stop(): Promise<void>;
}

export function startTexting(service: Service, pollMs = POLL_MS): TextingJob {
  const closing = new AbortController();
  const { signal } = closing;
  let coupons = 0;
  let failing = '';
  const look = async () => {
    while (!signal.aborted) {
      try {
        const isDue = Date.now() - coupons > HOUR_MS;
        if (await sendDueTexts(service, signal, isDue)) coupons = isDue ? Date.now() : coupons;
        failing = '';
      } catch (error) {
        // During an outage every attempt fails, so it is logged only once.
        const name = error instanceof Error ? error.name : 'Error';
        if (name !== failing) service.log.warn({ err: error }, 'sending texts failed; trying again');
        failing = name;
      }
      await sleep(pollMs, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const looking = look();
  return {
    async stop() {
      closing.abort();
      await Promise.race([looking, sleep(5_000, undefined, { ref: false })]);
    },
  };
}

/** False if another process is sending, or there is nothing to do. */
export async function sendDueTexts(
  { config, provider, log, clock = () => new Date() }: Service,
  signal: AbortSignal,
  withCoupons = true,
): Promise<boolean> {
  const study = await loadStudy();
  const isOpen = { state: { $in: ['QUEUED', 'SENDING'] as ('QUEUED' | 'SENDING')[] } };
  if (!hasMessages(study.messages) && !(await MessageModel.exists(isOpen))) return false;
  // It would print what respondents are owed to the log.
  if (config.production && provider.name === 'console') return false;
  const lease = await takeLease('texts');
  if (!lease) return false;
  await withLease(lease, async (lost) => {
    const stopped = () => lost() || signal.aborted;
    const zone = study.timeZone ?? config.timeZone;
    const { contactKey } = config;
    const current = (): SendContext => ({
      ...{ study, contactKey, zone, provider, config, log, clock },
      now: clock(),
    });
    await recoverStuckTexts(current());
    if (withCoupons) await queueCouponExpiryTexts(current());
    while (!stopped() && (await sendMessageBatch(current(), stopped)));
  });
  return true;
}
