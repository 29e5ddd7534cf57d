import type { Config } from '../config.ts';
import { listLocations } from '../locations/find.ts';
import { hadSuperAdmin } from '../users/find.ts';
import { study } from './model.ts';

/** For anyone who asks. A text in a language that the study no longer speaks is kept, and not told. */
export async function publicStudy({ defaultRegion }: Config) {
  const [settings, sites, isSetUp] = await Promise.all([study(), listLocations(), hadSuperAdmin()]);
  const { name, contact, contacts } = settings;
  const texts = settings.languages.flatMap((language) => {
    const text = settings.couponText[language]?.trim();
    return text ? [[language, text] as const] : [];
  });
  const own = settings.languages.flatMap((language) => {
    const text = contacts[language]?.trim();
    return text ? [[language, text] as const] : [];
  });
  return {
    name,
    contact,
    ...(own.length > 0 && { contacts: Object.fromEntries(own) }),
    languages: texts.map(([language]) => language),
    couponText: Object.fromEntries(texts),
    sites,
    region: defaultRegion,
    needsSetup: !isSetUp,
  };
}
