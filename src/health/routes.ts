import mongoose from 'mongoose';
import { z } from 'zod';
import { problem } from '../http/problem.ts';
import { type Route, route } from '../http/route.ts';

const Health = z.object({ status: z.literal('ok') }).meta({ id: 'Health' });
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
    summary: 'The process and its database answer',
    reply: { 200: Health },
    problems: ['UNAVAILABLE'],
    handle: async () => {
      if (mongoose.connection.readyState !== 1) throw problem('UNAVAILABLE');
      await mongoose.connection.db?.command({ ping: 1, maxTimeMS: 2000 });
      return { status: 'ok' };
    },
  }),
];
