/** The page behind a coupon's QR code: plain HTML that loads nothing, in the reader's language, the same for any code. */
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { worldOfFile } from '../people.ts';

const CODE = 'ABCDEFGC';
const LIMIT = 15_000;
const world = worldOfFile({ config: { publicUrl: 'https://survey.example.org' } });

const open = (code = CODE, language = 'en', query = '') =>
  world.anonymous.get(`/c/${code}${query}`).set('Accept-Language', language).set('Accept', 'text/html');

beforeAll(async () => {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  const study = {
    ...{ name: 'Harbor <count>', contact: 'Call 206 555 0100, 9.00-17.00\nor ask@example.org' },
    languages: ['en', 'es', 'ar'],
    couponText: { en: 'You are "invited" & welcome.', es: 'Le invitamos.', ar: 'أحضر هذه القسيمة.' },
  };
  await root.patch('/api/study', study).expect(200);
  const site = { name: 'Chapel meals', type: 'MEAL_SITE', address: '12 Harbor Street' };
  const coordinates = { latitude: 47.6, longitude: -122.3 };
  await root.post('/api/locations', { ...site, coordinates }).expect(201);
});

test('it has the study, the text, the sites, the contact and the code, and a QR code of itself', async () => {
  const { text } = await open().expect(200).expect('Content-Type', 'text/html; charset=utf-8');
  expect(text).toContain('<h1 dir="auto">Harbor &lt;count&gt;</h1>');
  expect(text).toContain('You are &quot;invited&quot; &amp; welcome.');
  for (const part of ['Chapel meals', '12 Harbor Street', 'Meals', 'ABCD-EFGC', '<svg role="img"'])
    expect(text).toContain(part);
  expect(text).toContain('<a dir="ltr" href="tel:2065550100">206 555 0100</a>');
  expect(text).toContain('href="mailto:ask@example.org"');
  expect(text).toContain('href="/start?code=ABCDEFGC"');
});

test('it is private, has no script, loads nothing and stays small', async () => {
  const { headers, text } = await open().expect(200);
  expect(headers['cache-control']).toBe('no-store');
  expect(headers['referrer-policy']).toBe('no-referrer');
  expect(headers['content-security-policy']).toContain("default-src 'none'");
  expect(text).not.toMatch(/<script|<link|<img|<iframe|@import|url\(|\son\w+=/i);
  expect(Buffer.byteLength(text)).toBeLessThan(LIMIT);
});

test('it is in the reader’s language or the chosen one, laid out right to left if that language is', async () => {
  const spanish = (await open(CODE, 'es-MX,es;q=0.9')).text;
  expect(spanish).toContain('<html lang="es" dir="ltr">');
  expect(spanish).toContain('Le invitamos.');
  expect(spanish).toContain('Dónde ir');
  const arabic = (await open(CODE, 'es', '?lang=ar')).text;
  expect(arabic).toContain('<html lang="ar" dir="rtl">');
  expect(arabic).toContain('أحضر هذه القسيمة.');
  for (const tag of ['en', 'es']) expect(arabic).toContain(`<a lang="${tag}" href="?lang=${tag}">`);
  expect((await open(CODE, 'sw')).text).toContain('<html lang="en"');
  expect((await open(CODE, 'en', '?lang=%22%3E')).text).toContain('<html lang="en"');
});

test('it is the same for codes that exist and codes that don’t, and says if the text is not a code', async () => {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  const { body } = await root.post('/api/seeds', { location: await world.place() }).expect(201);
  const bare = (text: string) => text.replace(/<svg.*<\/svg>/, '').replace(/[A-Z0-9]{4}-?[A-Z0-9]{4}/g, '');
  expect(bare((await open(body.referralCode).expect(200)).text)).toBe(bare((await open()).text));
  expect((await open('abcd-efgc').expect(200)).text).toContain('ABCD-EFGC');
  const { text } = await open('ABCDEFGD').expect(404);
  expect(text).toContain('This code is incomplete');
  expect(text).not.toContain('<svg');
  expect((await open('%3Cscript%3E').expect(404)).text).not.toContain('<script>');
});

test('with the longest texts, many languages and sites it stays below 15 kB', async () => {
  const root = await world.person({ role: 'SUPER_ADMIN' });
  const languages = [
    'zh',
    'en',
    'es',
    'ar',
    'ru',
    'vi',
    'fr',
    'de',
    'ko',
    'ja',
    'so',
    'am',
    'ti',
    'fa',
    'ur',
  ];
  const study = { languages, couponText: { zh: '请'.repeat(2_000) }, contact: '&'.repeat(500) };
  await root.patch('/api/study', { ...study, name: '&'.repeat(100) }).expect(200);
  for (let at = 0; at < 60; at++)
    await root
      .post('/api/locations', {
        name: `&<>${at} `.padEnd(100, '地'),
        type: 'STREET',
        address: '&'.repeat(300),
      })
      .expect(201);
  const { text } = await open(CODE, 'zh').expect(200);
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(LIMIT);
  expect(text).toContain('还有更多地点');
  expect(text).toMatch(/<\/footer><\/body><\/html>$/);
});

test('with rate limits, an address gets 300 pages an hour', async () => {
  const app = createApp({ ...world.deps, config: { ...world.deps.config, rateLimits: true } });
  const statuses: Record<number, number> = {};
  for (let at = 0; at < 310; at += 10) {
    const some = Array.from({ length: 10 }, () => supertest(app).get(`/c/${CODE}`));
    for (const { status } of await Promise.all(some)) statuses[status] = (statuses[status] ?? 0) + 1;
  }
  expect(statuses).toEqual({ 200: 300, 429: 10 });
});
