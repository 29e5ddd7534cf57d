/** What a new study says to respondents. */
import {
  DEFAULT_CONTACT_CONSENT,
  DEFAULT_MESSAGE_TEXTS,
  MessageSettings,
} from '../../src/study/settings/messages.ts';

const LANGUAGES = ['ar', 'en', 'es', 'ru', 'vi', 'zh'];
/** The alphabet of which 160 letters are one SMS. */
const GSM = /^[@£$¥èéùìòÇØøÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&'()*+,\-./0-9:;<=>?¡A-ZÄÖÑÜ§¿a-zäöñüà]*$/;
const VALUES: Record<string, string> = {
  study: 'Winter count',
  amount: '$20.00',
  sites: 'Harbor shelter, Day center',
  days: '3',
};
const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_, name: string) => VALUES[name] ?? '');
const segments = (text: string): number => {
  const [one, more] = GSM.test(text) ? [160, 153] : [70, 67];
  return text.length <= one ? 1 : Math.ceil(text.length / more);
};

test('texts of a new study are in every language of the app, valid, and say how to stop them', () => {
  expect(MessageSettings.safeParse({}).success).toBe(true);
  for (const texts of Object.values(DEFAULT_MESSAGE_TEXTS)) {
    expect(Object.keys(texts).sort()).toEqual(LANGUAGES);
    for (const text of Object.values(texts)) expect(text).toMatch(/^\{study\}.*STOP/);
  }
  expect(Object.keys(DEFAULT_CONTACT_CONSENT).sort()).toEqual(LANGUAGES);
});

test('they cost one SMS in English and Spanish, and at most three in any language', () => {
  for (const texts of Object.values(DEFAULT_MESSAGE_TEXTS))
    for (const [language, text] of Object.entries(texts)) {
      const max = ['en', 'es'].includes(language) ? 1 : language === 'vi' ? 3 : 2;
      expect([text, segments(fill(text)) <= max]).toEqual([text, true]);
    }
});
