import type { Deps } from '../http/deps.ts';
import { largeReply, type Route, route } from '../http/route.ts';
import { authorOf } from '../rights/actor.ts';
import { mayChange } from '../rights/guard.ts';
import { updateStudy } from './change.ts';
import { loadStudy, type StudyRecord } from './model.ts';
import { publicStudy } from './public-study.ts';
import { PublicStudy, Study, StudyPatch } from './schema.ts';

const tag = 'Study';

const withZone = (settings: StudyRecord, { config }: Deps) => ({
  ...settings,
  zone: settings.timeZone ?? config.timeZone,
});

export const studyRoutes: Route[] = [
  route({
    method: 'get',
    path: '/api/study',
    access: 'approved',
    tag,
    summary: "The study's settings",
    reply: { 200: Study },
    handle: async ({ deps }) => withZone(await loadStudy(), deps),
  }),
  route({
    method: 'get',
    path: '/api/study/public',
    access: 'public',
    tag,
    summary: 'What the study tells everyone: what stands on its coupons, and where to go',
    description:
      'Open to everyone, since who scans a coupon with the own phone has no account. It knows nothing of any code.',
    reply: { 200: PublicStudy },
    handle: async ({ deps }) => largeReply(await publicStudy(deps.config)),
  }),
  route({
    method: 'patch',
    path: '/api/study',
    access: 'approved',
    tag,
    summary: "Change the study's settings",
    description: 'Coupons that are out keep the dates they were given.',
    body: StudyPatch,
    example: { name: 'Winter count', couponsPerSurvey: 3, couponValidDays: 21 },
    reply: { 200: Study },
    problems: ['FORBIDDEN', 'INVALID_TRANSITION'],
    handle: async ({ actor, deps, body }) => {
      const allow = (before: object) => mayChange(actor, 'Study', before, body);
      return withZone(await updateStudy(body, authorOf(actor), allow), deps);
    },
  }),
];
