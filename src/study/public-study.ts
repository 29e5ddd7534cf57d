import type { Config } from '../config.ts';
import { listLocations } from '../locations/find.ts';
import { hadSuperAdmin } from '../users/find.ts';
import { loadStudy } from './model.ts';

/** What anyone may read. Texts in languages that the study no longer uses are stored but left out. */
export async function publicStudy({ defaultRegion, otpChannels }: Config) {
  const [settings, sites, isSetUp] = await Promise.all([loadStudy(), listLocations(), hadSuperAdmin()]);
  const { name, contact, contacts } = settings;
  const texts = textsIn(settings.languages, settings.couponText);
  const own = textsIn(settings.languages, contacts);
  return {
    name,
    contact,
    ...(own.length > 0 && { contacts: Object.fromEntries(own) }),
    languages: texts.map(([language]) => language),
    couponText: Object.fromEntries(texts),
    sites,
    region: defaultRegion,
    ...(otpChannels.length > 1 && { otpChannels }),
    needsSetup: !isSetUp,
  };
}

/** The texts that are not empty, in the order of the languages. */
const textsIn = (languages: string[], texts: Record<string, string>): [string, string][] =>
  languages
    .map((language): [string, string] => [language, texts[language]?.trim() ?? ''])
    .filter(([, text]) => text !== '');
