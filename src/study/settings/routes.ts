import type { Config } from '../../platform/config.ts';
import type { Deps } from '../../platform/http/deps.ts';
import { fault } from '../../platform/http/problems/error-codes.ts';
import { problem } from '../../platform/http/problems/problem.ts';
import { defineRoute, largeReply, routeGroup } from '../../platform/http/route.ts';
import { authorFromActor } from '../../platform/rights/actor.ts';
import { requireMayChange } from '../../platform/rights/guard.ts';
import { listLocations } from '../locations/find.ts';
import { hadSuperAdmin } from '../users/find.ts';
import { hasPasskey } from '../users/second-factor.ts';
import { type CheckOutcomes, updateStudy } from './change.ts';
import { fieldPublicKeyOf } from './field-keys.ts';
import { hasMessages } from './messages.ts';
import { loadStudy, type StudyRecord } from './model.ts';
import { requirePasskeysWork } from './require-passkeys.ts';
import { PublicStudy, Study, StudyPatch } from './schema.ts';

declare module '../../platform/http/deps.ts' {
  interface Deps {
    checkOutcomes: CheckOutcomes;
  }
}

const withZone = (settings: StudyRecord, { config }: Deps) => ({
  ...settings,
  fieldKey: fieldPublicKeyOf(config),
  zone: settings.timeZone ?? config.timeZone,
});

export const studyRoutes = routeGroup({ tag: 'Study' }, [
  defineRoute({
    method: 'get',
    path: '/api/study',
    summary: "Get the study's settings",
    reply: { 200: Study },
    handle: async ({ deps }) => withZone(await loadStudy(), deps),
  }),
  defineRoute({
    method: 'get',
    path: '/api/study/public',
    access: 'public',
    summary: 'Get what the study shows to everyone: the texts of its coupons, and where to go',
    description:
      'Public, because people who scan a coupon with their own phone have no account. It reveals nothing about codes.',
    reply: { 200: PublicStudy },
    handle: async ({ deps }) => largeReply(await publicStudy(deps.config)),
  }),
  defineRoute({
    method: 'patch',
    path: '/api/study',
    summary: "Change the study's settings",
    description: 'Coupons that were already handed out keep their dates.',
    body: StudyPatch,
    example: { name: 'Winter count', couponsPerSurvey: 3, couponValidDays: 21 },
    reply: { 200: Study },
    problems: ['INVALID_TRANSITION'],
    handle: async ({ actor, deps, body }) => {
      const allow = (before: StudyRecord) => {
        requireMayChange(actor, 'Study', before, body);
        requirePasskeysWork(before, body, deps.config, hasPasskey(actor.user));
        if (body.messages && hasMessages(body.messages)) requireMessageProvider(deps.config);
      };
      return withZone(await updateStudy(body, authorFromActor(actor), deps.checkOutcomes, allow), deps);
    },
  }),
]);

/** The console would print what respondents are owed and parts of their numbers. */
function requireMessageProvider({ production, messages }: Config): void {
  if (production && messages.provider === 'console')
    throw problem('INVALID_TRANSITION', { why: fault('MESSAGES_NEED_PROVIDER') });
}

/** The public settings. Texts in languages that the study no longer uses are stored but omitted. */
async function publicStudy(config: Config) {
  const { defaultRegion, otpChannels } = config;
  const [settings, sites, isSetUp] = await Promise.all([loadStudy(), listLocations(), hadSuperAdmin()]);
  const { name, contact, contactTexts } = settings;
  const texts = textsIn(settings.languages, settings.couponText);
  const own = textsIn(settings.languages, contactTexts);
  return {
    name,
    contact,
    ...(own.length > 0 && { contactTexts: Object.fromEntries(own) }),
    languages: texts.map(([language]) => language),
    couponText: Object.fromEntries(texts),
    sites,
    region: defaultRegion,
    ...(otpChannels.length > 1 && { otpChannels }),
    fieldKey: fieldPublicKeyOf(config),
    needsSetup: !isSetUp,
  };
}

/** The non-empty texts, in language order. */
const textsIn = (languages: string[], texts: Record<string, string>): [string, string][] =>
  languages
    .map((language): [string, string] => [language, texts[language]?.trim() ?? ''])
    .filter(([, text]) => text !== '');
