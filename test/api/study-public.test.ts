/** The public data of the study, for people who scan a coupon with their own phone, and nothing beyond it. */
import mongoose from 'mongoose';
import { setupToken } from '../../src/access/auth/setup-link.ts';
import { startWorld, type World } from '../people.ts';
import { type Cast, seedCode, setStudy, startCast, submit, times } from './kit.ts';

describe('the public study', () => {
  let cast: Cast;
  beforeAll(async () => {
    cast = await startCast();
  });
  afterAll(() => cast.world.stop());

  const publicStudy = async () => (await cast.world.anonymous.get('/api/study/public').expect(200)).body;

  test('has name, contact, coupon texts and sites, without a token', async () => {
    const coordinates = { latitude: 47.6, longitude: -122.3 };
    await cast.admin
      .post('/api/locations', { name: 'Quay', type: 'MEAL_SITE', address: '2 Water Street', coordinates })
      .expect(201);
    await setStudy(cast, {
      name: 'Winter count',
      contact: 'Call 206 555 0100',
      languages: ['en', 'ar'],
      couponText: { en: 'Bring this', ar: 'أحضر هذه القسيمة' },
    });
    const study = await publicStudy();
    expect(study).toEqual({
      name: 'Winter count',
      contact: 'Call 206 555 0100',
      languages: ['en', 'ar'],
      couponText: { en: 'Bring this', ar: 'أحضر هذه القسيمة' },
      sites: expect.arrayContaining([
        { name: 'Quay', type: 'MEAL_SITE', address: '2 Water Street', coordinates },
      ]),
      region: 'US',
      fieldKey: { id: expect.any(String), recipient: expect.stringMatching(/^age1/) },
      needsSetup: false,
    });
  });

  test('has contacts of languages with their own contact', async () => {
    await setStudy(cast, { languages: ['en', 'es'], contactTexts: { es: 'Llame', en: ' ', fr: 'Appelez' } });
    expect(await publicStudy()).toMatchObject({
      contact: 'Call 206 555 0100',
      contactTexts: { es: 'Llame' },
    });
    await setStudy(cast, { contactTexts: {} });
  });

  test('reveals no settings, creators, times or ids', async () => {
    const study = await publicStudy();
    expect(Object.keys(study).sort()).toEqual(
      ['contact', 'couponText', 'fieldKey', 'languages', 'name', 'needsSetup', 'region', 'sites'].sort(),
    );
    for (const site of study.sites)
      expect(Object.keys(site).sort()).toEqual(['address', 'coordinates', 'name', 'type']);
  });

  test('omits deleted sites and has new names of renamed ones', async () => {
    const make = async (name: string) =>
      (await cast.admin.post('/api/locations', { name, type: 'CLINIC' }).expect(201)).body.id;
    const [deletedSite, moved] = [await make('Gone by noon'), await make('Old pier')];
    await cast.admin.delete(`/api/locations/${deletedSite}`).expect(204);
    await cast.admin.patch(`/api/locations/${moved}`, { name: 'New pier' }).expect(200);
    const names = (await publicStudy()).sites.map((site: { name: string }) => site.name);
    expect(names).toContain('New pier');
    expect(names).not.toContain('Old pier');
    expect(names).not.toContain('Gone by noon');
  });

  test('omits texts in languages that the study does not offer, and empty texts', async () => {
    const couponText = { en: 'Bring this', fr: 'Apportez ceci', es: '  ' };
    await setStudy(cast, { languages: ['es', 'en'], couponText });
    expect(await publicStudy()).toMatchObject({ languages: ['en'], couponText: { en: 'Bring this' } });
    await setStudy(cast, { languages: ['fr'], couponText: {} });
    expect(await publicStudy()).toMatchObject({ languages: [], couponText: {} });
  });

  test('does not depend on whether a code is used', async () => {
    const before = await publicStudy();
    const code = await seedCode(cast);
    const ask = (one: string) => cast.world.anonymous.get(`/api/study/public?code=${one}`);
    expect((await ask(code)).status).toBe(400);
    expect(await publicStudy()).toEqual(before);
    await submit(cast, { referralCode: code });
    expect(await publicStudy()).toEqual(before);
    await cast.world.anonymous.get(`/api/validate-referral-code/${code}`).expect(401);
  });
});

describe('a service that is not set up', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld({ config: { rateLimits: true } });
  });
  afterAll(() => world.stop());

  const needsSetup = async () => (await world.anonymous.get('/api/study/public').expect(200)).body.needsSetup;

  test('has needsSetup until its link is used, and never again, even without a super admin', async () => {
    expect(await needsSetup()).toBe(true);
    const person = { phone: world.newPhone(), firstName: 'Ada', lastName: 'Field' };
    const token = setupToken(world.deps.config);
    await world.anonymous.post('/api/setup', { token, ...person }).expect(200);
    expect(await needsSetup()).toBe(true);
    const code = world.otps.get(person.phone);
    await world.anonymous.post('/api/setup', { token, ...person, code }).expect(201);
    expect(await needsSetup()).toBe(false);
    await mongoose.connection.collection('users').updateMany({}, { $set: { deletedAt: new Date() } });
    expect(await needsSetup()).toBe(false);
  });

  test('limits the requests of an IP address', async () => {
    const ask = async () => (await world.anonymous.get('/api/study/public')).status;
    const askTimes = async (count: number) => new Set(await Promise.all(times(count, ask)));
    expect(await askTimes(10)).toEqual(new Set([200]));
    const counts = mongoose.connection.collection('ratelimits');
    await counts.updateMany({ key: /^requests:/ }, { $set: { points: 590 } });
    expect(await askTimes(20)).toEqual(new Set([200, 429]));
  });
});
