/** The pages for people who were invited or interviewed, in each language: small, without a script, and well formed. */
import { renderCouponPage } from '../../src/coupons/print/coupon-page.ts';
import { renderRespondentStatusPage } from '../../src/interviews/status/page.ts';

const LANGUAGES = ['ar', 'en', 'es', 'ru', 'vi', 'zh'];
const MAX_BYTES = 15_000;
const text = (said: string) => Object.fromEntries(LANGUAGES.map((language) => [language, said]));
const study = {
  ...{ name: 'Harbor <count> & "co"', contact: 'Call 206 555 0100 or ask@example.org', contactTexts: {} },
  ...{ couponText: text('You are "invited" & welcome.'), languages: LANGUAGES },
};
const sites = Array.from({ length: 12 }, (_, at) => ({
  ...{ name: `Site <${at}>`, address: `${at} Harbor "Street" & more`, type: 'SHELTER' },
  coordinates: { latitude: 47.6, longitude: -122.3 },
}));
const totals = {
  ...{ asOf: new Date('2026-03-11T07:00:00Z'), zone: 'America/Los_Angeles' },
  ...{ coupons: { given: 3, returned: 1 }, incentives: { currency: 'USD', due: '1120.00', paid: '20.00' } },
};
const SECRET = 'ABCDEFGHJKMNPQRS';

const pagesIn = (language: string): [name: string, html: string][] => {
  const page = { study, sites, preferredLanguages: [language] };
  const at = (path: string) => `https://survey.example.org${path}`;
  return [
    ['/c', renderCouponPage({ ...page, code: 'ABCDEFGC', url: at('/c/ABCDEFGC') })],
    ['/c of no code', renderCouponPage({ ...page, code: null, url: at('/c/') })],
    ['/s', renderRespondentStatusPage({ ...page, totals, secret: SECRET, url: at(`/s/${SECRET}`) })],
    ['/s of nobody', renderRespondentStatusPage({ ...page, totals: null, secret: '', url: at('/s/') })],
  ];
};

const VOID = new Set(['meta', '!doctype']);
/** Inside them stand only these. */
const ONLY_IN: Record<string, string[]> = { ul: ['li'], dl: ['div'], svg: ['path'] };
const NO_BLOCK_IN = new Set(['p', 'h1', 'h2', 'b', 'a', 'small', 'dt', 'dd']);
const BLOCKS = /^(div|p|ul|li|dl|section|h\d|nav|footer|main)$/;

/** What HTML does not allow of what these pages are made of; a parser of it would mend it silently. */
function faultsOf(html: string): string[] {
  const faults: string[] = [];
  const open: string[] = [];
  const body = html.replace(/<style>.*?<\/style>/s, '');
  for (const [tag, closes, name = '', attributes = ''] of body.matchAll(/<(\/?)([!a-z][a-z0-9]*)([^>]*)>/g)) {
    const parent = open.at(-1) ?? '';
    if (closes) {
      if (open.pop() !== name) faults.push(`${tag} closes <${parent}>`);
      continue;
    }
    if (ONLY_IN[parent] && !ONLY_IN[parent].includes(name)) faults.push(`${tag} in <${parent}>`);
    if (BLOCKS.test(name) && open.some((one) => NO_BLOCK_IN.has(one)))
      faults.push(`${tag} in ${open.join(' ')}`);
    if (!/^( ?[a-zA-Z-]+(="[^"<]*")?|\/)*$/.test(attributes)) faults.push(`attributes of ${tag}`);
    const names = [...attributes.matchAll(/([a-zA-Z-]+)="/g)].map(([, one]) => one);
    if (new Set(names).size < names.length) faults.push(`an attribute twice in ${tag}`);
    if (!VOID.has(name) && !attributes.endsWith('/')) open.push(name);
  }
  const words = body.replace(/<[^>]*>/g, '');
  if (/[<>]|&(?!(amp|lt|gt|quot|#39);)/.test(words)) faults.push('a character that is not escaped');
  return [...faults, ...open.map((name) => `<${name}> is not closed`)];
}

test('the check of pages finds faults', () => {
  expect(faultsOf('<ul><div></div></ul><p><div></div></p><b>a & b')).toEqual([
    '<div> in <ul>',
    '<div> in p',
    'a character that is not escaped',
    '<b> is not closed',
  ]);
});

test.each(LANGUAGES)(
  'pages for respondents in %s have at most 15 kB, no script, and no fault',
  (language) => {
    for (const [name, html] of pagesIn(language)) {
      expect([name, Buffer.byteLength(html) <= MAX_BYTES]).toEqual([name, true]);
      expect([name, faultsOf(html)]).toEqual([name, []]);
      expect(html).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=|javascript:/i);
      expect(html).toContain(`<html lang="${language}" dir="${language === 'ar' ? 'rtl' : 'ltr'}">`);
      expect(html.match(/<h1/g)).toHaveLength(1);
    }
  },
);
