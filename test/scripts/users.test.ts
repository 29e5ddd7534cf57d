/** Accounts from a terminal. */
import { startWorld, type World } from '../people.ts';
import { answerOf, command, SLOW } from './kit.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
}, SLOW);
afterAll(() => world.stop());

const PERSON = ['--first-name', 'Ada', '--last-name', 'Field'];

test(
  'create prints the id of an approved account, which can sign in',
  async () => {
    const made = await command('users', [
      'create',
      '--phone',
      '+12065559900',
      ...PERSON,
      '--role',
      'SUPER_ADMIN',
    ]);
    expect(made).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(made.err).toBe('Made Ada Field (+12065559900), SUPER_ADMIN, APPROVED.');
    await world.anonymous.post('/api/auth/send-otp-login', { phone: '+12065559900' }).expect(200);
    const code = world.otps.get('+12065559900');
    const { body } = await world.anonymous
      .post('/api/auth/verify-otp-login', { phone: '+12065559900', code })
      .expect(200);
    expect(body.user).toMatchObject({ id: made.out, role: 'SUPER_ADMIN', approvalStatus: 'APPROVED' });
    const again = await command('users', ['create', '--phone', '206 555 9900', ...PERSON]);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toBe(
      'There is an account with this phone already; `npm run users -- list --search PHONE` shows whose.',
    );
  },
  SLOW,
);

test(
  'a dry run says what would happen, the refusals included, and changes nothing',
  async () => {
    const free = ['create', '--phone', '+12065550177', ...PERSON, '--dry-run'];
    expect(await command('users', free)).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^Would make/),
    });
    expect(await command('users', ['create', '--phone', '+12065559900', ...PERSON, '-n'])).toMatchObject({
      code: 1,
    });
    expect(await answerOf('users', ['list', '--search', '0177'])).toEqual([]);
  },
  SLOW,
);

test(
  'an account goes its way: approve, reset, reject, another role, a right beyond it, deletion',
  async () => {
    const waiting = await world.person({ approvalStatus: 'PENDING', firstName: 'Vera' });
    const change = (...args: string[]) => answerOf('users', args);
    expect(await change('approve', waiting.phone)).toMatchObject({
      id: waiting.id,
      approvalStatus: 'APPROVED',
    });
    expect(await command('users', ['approve', waiting.id])).toMatchObject({
      code: 1,
      err: 'The account is APPROVED; from there it can not become APPROVED.',
    });
    expect(await change('reset', waiting.id)).toMatchObject({ approvalStatus: 'PENDING' });
    expect(await change('reject', waiting.id)).toMatchObject({ approvalStatus: 'REJECTED' });
    expect(await change('set-role', waiting.id, 'MANAGER')).toMatchObject({ role: 'MANAGER' });
    const grant = ['grant', waiting.id, '--action', 'read', '--subject', 'Survey'];
    const permissions = [{ action: 'read', subject: 'Survey', conditions: ['HAS_SAME_LOCATION'] }];
    expect(await change(...grant, '--conditions', 'HAS_SAME_LOCATION')).toMatchObject({ permissions });
    expect(await change(...grant, '--conditions', 'HAS_SAME_LOCATION')).toMatchObject({ permissions });
    expect(await change('grant', waiting.id, '--none')).toMatchObject({ permissions: [] });
    expect(await change('delete', waiting.id)).toMatchObject({ id: waiting.id });
    expect(await command('users', ['approve', waiting.id])).toMatchObject({ code: 1 });
  },
  SLOW,
);

test(
  'the last super-admin is neither deleted nor reset',
  async () => {
    for (const verb of ['delete', 'reset']) {
      const refused = await command('users', [verb, '+12065559900']);
      expect(refused).toMatchObject({ code: 1, err: 'This is the last approved super-admin.' });
    }
  },
  SLOW,
);

test(
  'the list is filtered by status, role, location and words',
  async () => {
    const site = await world.place('Harbor');
    await world.person({ role: 'MANAGER', location: site, firstName: 'Mo' });
    const { out, code } = await command('users', ['list', '--role', 'MANAGER', '--location', 'harbor']);
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(2);
    expect(out).toMatch(/Mo Person .* MANAGER +APPROVED +Harbor$/);
    expect((await command('users', ['list', '--search', 'nobody'])).out).toBe('No account fits.');
  },
  SLOW,
);

test.each([
  [['create', ...PERSON], /--phone/],
  [['create', '--phone', '12', ...PERSON], /^phone: This is not a valid phone number/],
  [['create', '--phone', '+12065550111', ...PERSON, '--role', 'BOSS'], /role.*BOSS/],
  [['create', '--phone', '+12065550111', ...PERSON, '--mail', 'x'], /unknown option '--mail'/],
  [['set-role', '+12065559900', 'BOSS'], /^role: /],
  [['grant', '+12065559900', '--action', 'read'], /--subject/],
  [['promote', '+12065559900'], /unknown command 'promote'/],
])(
  'wrong arguments end with 2 and one line: %j',
  async (args, line) => {
    const { code, out, err } = await command('users', args);
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
    expect(err).toMatch(line);
  },
  SLOW,
);

test(
  'the help tells the verbs and examples',
  async () => {
    const { code, out } = await command('users', ['--help']);
    expect(code).toBe(0);
    for (const word of ['create', 'approve', 'set-role', 'grant', 'npm run users -- create'])
      expect(out).toContain(word);
  },
  SLOW,
);

test(
  'a database that is out of reach is one line and 1',
  async () => {
    const uri = 'mongodb://127.0.0.1:9/none?serverSelectionTimeoutMS=300';
    const { code, err } = await command('users', ['list'], { MONGO_URI: uri });
    expect(code).toBe(1);
    expect(err).toMatch(/^The database is out of reach: .*$/);
  },
  SLOW,
);
