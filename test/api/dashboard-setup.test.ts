import { setupLink } from '../../src/access/auth/setup-link.ts';
import { worldOfFile } from '../people.ts';
import { refused } from './kit.ts';

const world = worldOfFile();

test('the person who sets up the service is signed in, and can set up the study, sites and seeds', async () => {
  const token = (await setupLink(world.deps.config))?.split('#token=')[1];
  const person = { phone: world.newPhone(), firstName: 'Ada', lastName: 'Field' };
  const setUp = (fields: object) => world.anonymous.post('/api/setup', { token, ...person, ...fields });
  // With a mistyped phone number the code reaches no one; the link stays valid for the right number.
  await setUp({ phone: world.newPhone() }).expect(200);
  await setUp({}).expect(200);
  const code = world.otps.get(person.phone);
  refused(await setUp({ phone: world.newPhone(), code }), 400, 'OTP_INVALID');
  refused(await setUp({ code: code === '000000' ? '000001' : '000000' }), 400, 'OTP_INVALID');
  refused(await setUp({ token: 'wrong', code }), 403);
  const { body } = await setUp({ code }).expect(201);
  expect(Object.keys(body).sort()).toEqual(['device', 'token', 'user']);
  expect(body.user).toMatchObject({ role: 'SUPER_ADMIN', approvalStatus: 'APPROVED', phone: person.phone });

  const ada = world.bearer(body.token);
  await ada.patch('/api/study', { name: 'Winter count', languages: ['en', 'es'] }).expect(200);
  await ada.post('/api/locations/import', { locations: [{ name: 'Pier 7', type: 'SHELTER' }] }).expect(200);
  const [site] = (await ada.get('/api/locations').expect(200)).body.data;
  const seed = (await ada.post('/api/seeds', { location: site.id }).expect(201)).body;
  await ada
    .post('/api/seeds/print', { seeds: [seed.id] })
    .expect(200)
    .expect('Content-Type', 'application/pdf');

  const otpCount = world.otps.size;
  refused(await setUp({ phone: world.newPhone() }), 403);
  expect(world.otps.size).toBe(otpCount);
});
