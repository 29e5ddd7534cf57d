import mongoose from 'mongoose';
import { z } from 'zod';
import type { Deps } from '../http/deps.ts';
import { problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';

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
    // Whatever has become of the database: who watches the process would else end it for nothing.
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
    handle: async ({ deps: { warnings } }) => {
      if (mongoose.connection.readyState !== 1) throw problem('UNAVAILABLE');
      await mongoose.connection.db?.command({ ping: 1, maxTimeMS: 2000 });
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
      await smsIsWell(deps.otp);
      return { status: 'ok' };
    },
  }),
];

const ASK_AGAIN_MS = 60_000;
const asked = new WeakMap<Deps['otp'], { at: number; answer: Promise<void> }>();

/** Whoever asks often learns what was said last. */
async function smsIsWell(otp: Deps['otp']): Promise<void> {
  let last = asked.get(otp);
  if (!last || performance.now() - last.at > ASK_AGAIN_MS) {
    last = { at: performance.now(), answer: otp.isWell() };
    asked.set(otp, last);
  }
  await last.answer;
}
