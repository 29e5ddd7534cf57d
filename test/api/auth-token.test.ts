/** Tokens: their content, how long they are valid, and what is not accepted as one. */
import jwt from 'jsonwebtoken';
import { testConfig, worldOfFile } from '../people.ts';
import { signUp } from './user-kit.ts';

const MINUTE = 60_000;

const world = worldOfFile();
// Later than the real time, because MongoDB deletes expired codes by its own clock.
beforeEach(() => world.clock.set('2027-06-15T19:00:00Z'));

describe('a token', () => {
  const session = (authorization: string) =>
    world.anonymous.get('/api/auth/session').set('Authorization', authorization);
  const config = testConfig();
  const now = () => Math.floor(world.clock.now().getTime() / 1000);
  const sign = (payload: object, secret: string = config.jwtSecret, options: jwt.SignOptions = {}) =>
    jwt.sign({ iat: now(), exp: now() + 3600, ...payload }, secret, { algorithm: 'HS256', ...options });

  test('is HS256, has the user as subject and lasts 12 hours', async () => {
    const { body } = await signUp(world);
    const { header, payload } = jwt.decode(body.token, { complete: true }) as jwt.Jwt;
    const { sub, exp = 0, iat = 0 } = payload as jwt.JwtPayload;
    expect({ alg: header.alg, sub, hours: (exp - iat) / 3600 }).toEqual({
      alg: 'HS256',
      sub: body.user.id,
      hours: 12,
    });
    expect(JSON.stringify(payload)).not.toContain(body.user.phone);
  });

  test('expires after 12 hours', async () => {
    const { body } = await signUp(world);
    world.clock.advance(12 * 60 * MINUTE - 2000);
    await world.bearer(body.token).get('/api/auth/session').expect(200);
    world.clock.advance(4000);
    await world.bearer(body.token).get('/api/auth/session').expect(401);
  });

  test('is accepted with the scheme in upper or lower case', async () => {
    const { token } = await world.person();
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) await session(`${scheme} ${token}`).expect(200);
  });

  test.each<[string, (id: string) => string]>([
    ['without the scheme', (id) => sign({ sub: id })],
    ['with another scheme', (id) => `Basic ${sign({ sub: id })}`],
    ['that is empty', () => 'Bearer '],
    ['that is no token', () => 'Bearer nonsense'],
    [
      'signed with another secret',
      (id) => `Bearer ${sign({ sub: id }, 'another secret of more than thirty-two bytes')}`,
    ],
    ['of the algorithm none', (id) => `Bearer ${sign({ sub: id }, '', { algorithm: 'none' })}`],
    [
      'of the algorithm HS512',
      (id) => `Bearer ${sign({ sub: id }, config.jwtSecret, { algorithm: 'HS512' })}`,
    ],
    ['that has expired', (id) => `Bearer ${sign({ sub: id, iat: now() - 7200, exp: now() - 60 })}`],
    [
      'that never expires',
      (id) => `Bearer ${jwt.sign({ sub: id }, config.jwtSecret, { algorithm: 'HS256' })}`,
    ],
    ['without a subject', () => `Bearer ${sign({})}`],
    ['of a subject that is no id', () => `Bearer ${sign({ sub: 'root' })}`],
    ['of an unknown user', () => `Bearer ${sign({ sub: '0123456789abcdef01234567' })}`],
    ['with a changed payload', (id) => `Bearer ${tampered(sign({ sub: '0123456789abcdef01234567' }), id)}`],
  ])('%s is 401', async (_title, header) => {
    const root = await world.person({ role: 'SUPER_ADMIN' });
    for (const url of ['/api/auth/session', '/api/users']) {
      const { status, body } = await world.anonymous.get(url).set('Authorization', header(root.id));
      expect({ url, status, keys: Object.keys(body) }).toEqual({ url, status: 401, keys: ['message'] });
    }
  });

  const tampered = (token: string, sub: string) => {
    const [head, , signature] = token.split('.');
    const payload = Buffer.from(JSON.stringify({ sub, iat: now(), exp: now() + 3600 })).toString('base64url');
    return `${head}.${payload}.${signature}`;
  };

  test('of a deleted user is 401, also for the session', async () => {
    const [root, person] = [await world.person({ role: 'SUPER_ADMIN' }), await world.person()];
    await person.get('/api/auth/session').expect(200);
    await root.delete(`/api/users/${person.id}`).expect(204);
    await person.get('/api/auth/session').expect(401);
    await person.get('/api/surveys').expect(401);
  });

  test('is accepted only in the header, not in the query', async () => {
    const { token } = await world.person();
    await world.anonymous.get(`/api/auth/session?token=${token}`).expect(401);
  });
});
