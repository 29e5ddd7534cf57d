/** What a site can expect tomorrow: its own live coupons, by the return curve of the whole study. */
import { recruit } from './incentive-kit.ts';
import { castOfFile, DAY, makeStudyOld, setStudy, submit, times } from './kit.ts';

const cast = castOfFile();

test('a site without returns of its own has the study’s return curve, and its own live coupons', async () => {
  await makeStudyOld();
  await setStudy(cast, { couponsPerSurvey: 3 });
  cast.world.clock.set('2026-03-02T20:00:00Z');
  const seeds = await Promise.all(times(12, () => submit(cast)));
  cast.world.clock.advance(3 * DAY);
  for (const seed of seeds) for (const at of [0, 1, 2]) await recruit(cast, seed, at);
  const { body: other } = await cast.root
    .post('/api/locations', { name: 'New site', type: 'SHELTER', address: '1 Main St' })
    .expect(201);
  await submit(cast, { location: other.id }, cast.root);
  cast.world.clock.advance(2 * DAY);
  const forecast = async (query = '') =>
    (await cast.admin.get(`/api/recruitment/forecast${query}`).expect(200)).body;
  const [whole, site] = [await forecast(), await forecast(`?location=${other.id}`)];
  expect(whole).toMatchObject({ noForecast: null, liveCoupons: 3 * 36 + 3 });
  expect(site).toMatchObject({ noForecast: null, liveCoupons: 3 });
  expect(site.returnCurve).toEqual(whole.returnCurve);
  expect(site.returnCurve[3].share).toBeGreaterThan(0.2);
  expect(site.days).toHaveLength(7);
  expect(site.days[0].expected).toBeLessThan(whole.days[0].expected);
}, 60_000);
