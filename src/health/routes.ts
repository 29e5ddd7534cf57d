import { z } from 'zod';
import type { Deps } from '../http/deps.ts';
import { type Route, route } from '../http/route.ts';
import { requireParts } from './parts.ts';

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
const Ready = Health.extend({
  warnings: z
    .array(z.enum(['TRUST_PROXY_UNSET']))
    .optional()
    .meta({ description: 'Settings that need a look; absent where there are none.' }),
}).meta({ id: 'Ready' });
const tag = 'Health';

export const healthRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/health/live',
    access: 'public',
    tag,
    summary: 'The process answers',
    // Must succeed without the database, or a monitor would restart the process for nothing.
    unlimited: true,
    reply: { 200: Health },
    handle: async () => ({ status: 'ok' }),
  }),
  route({
    method: 'get',
    path: '/api/health/ready',
    access: 'public',
    tag,
    summary: 'The process and its database answer, and take what is written',
    reply: { 200: Ready },
    problems: ['UNAVAILABLE'],
    description: 'Where it is 503, `parts` says which part is missing: those that are false.',
    handle: async ({ deps: { warnings, config } }) => {
      await requireParts(config);
      return { status: 'ok', ...(warnings.size > 0 && { warnings: [...warnings] }) };
    },
  }),
  route({
    method: 'get',
    path: '/api/health/sms',
    access: 'public',
    tag,
    summary: 'Codes can be sent: the SMS provider answers, knows the account, and is set up as it must be',
    description: 'Asked at most once a minute. Nothing is sent for it.',
    reply: { 200: Health },
    problems: ['UNAVAILABLE'],
    handle: async ({ deps }) => {
      await checkSms(deps.otp);
      return { status: 'ok' };
    },
  }),
];

const CHECK_INTERVAL_MS = 60_000;
const lastCheck = new WeakMap<Deps['otp'], { at: number; answer: Promise<void> }>();

/** Reuses the last result if asked again soon. */
async function checkSms(otp: Deps['otp']): Promise<void> {
  let last = lastCheck.get(otp);
  if (!last || performance.now() - last.at > CHECK_INTERVAL_MS) {
    last = { at: performance.now(), answer: otp.checkHealth() };
    lastCheck.set(otp, last);
  }
  await last.answer;
}
