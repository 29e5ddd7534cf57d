/** The address in coupon links, as devices that show and print coupons get it. */
import supertest from 'supertest';
import { createApp } from '../../src/app.ts';
import { type Person, worldOfFile } from '../people.ts';

let person: Person;
const world = worldOfFile();
beforeAll(async () => {
  person = await world.person();
});

async function urlInSession(publicUrl: string): Promise<unknown> {
  const app = createApp({ ...world.deps, config: { ...world.deps.config, publicUrl } });
  const request = supertest(app).get('/api/auth/session').set('Authorization', `Bearer ${person.token}`);
  return (await request.expect(200)).body.publicUrl;
}

test.each(['https://survey.example.org', 'http://192.168.1.5:3000', 'https://localhost.example.org'])(
  'a session contains the public URL %s',
  async (publicUrl) => {
    expect(await urlInSession(publicUrl)).toBe(publicUrl);
  },
);

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'a session does not contain the local URL %s',
  async (publicUrl) => {
    expect(await urlInSession(publicUrl)).toBeUndefined();
  },
);
