/** The address that coupons lead to, told to the devices that show and print them. */
import { startWorld, type World } from '../people.ts';

let world: World;
afterEach(() => world.stop());

async function told(publicUrl: string): Promise<unknown> {
  world = await startWorld({ config: { publicUrl } });
  const { body } = await (await world.person()).get('/api/auth/session').expect(200);
  return body.publicUrl;
}

test.each(['https://survey.example.org', 'http://192.168.1.5:3000', 'https://localhost.example.org'])(
  'a session names the public address %s',
  async (publicUrl) => {
    expect(await told(publicUrl)).toBe(publicUrl);
  },
);

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000'])(
  'a session does not name %s, which is another machine on each phone',
  async (publicUrl) => {
    expect(await told(publicUrl)).toBeUndefined();
  },
);
