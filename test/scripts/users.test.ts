/** Accounts by command. */
import { writeFile } from 'node:fs/promises';
import mongoose from 'mongoose';
import { startWorld, type World } from '../people.ts';
import { all, answerOf, command, openFolder, SLOW } from './kit.ts';

let world: World;
let folder: Awaited<ReturnType<typeof openFolder>>;
beforeAll(async () => {
  [world, folder] = [await startWorld(), await openFolder()];
}, SLOW);
afterAll(async () => {
  await world.stop();
  await folder.remove();
});

const PERSON = ['--first-name', 'Ada', '--last-name', 'Field'];

test(
  'create prints the id of an approved account, which can sign in',
  async () => {
    const createResult = await command('users', [
      'create',
      '--phone',
      '+12065559900',
      ...PERSON,
      '--role',
      'SUPER_ADMIN',
    ]);
    expect(createResult).toMatchObject({ code: 0, out: expect.stringMatching(/^[0-9a-f]{24}$/) });
    expect(createResult.err).toBe('Created Ada Field (+12065559900), SUPER_ADMIN, APPROVED.');
    await world.anonymous.post('/api/auth/send-otp-login', { phone: '+12065559900' }).expect(200);
    const code = world.otps.get('+12065559900');
    const { body } = await world.anonymous
      .post('/api/auth/verify-otp-login', { phone: '+12065559900', code })
      .expect(200);
    expect(body.user).toMatchObject({
      id: createResult.out,
      role: 'SUPER_ADMIN',
      approvalStatus: 'APPROVED',
    });
    const create = ['create', '--phone', '206 555 9900', ...PERSON];
    const again = await command('users', [...create, '--role', 'SUPER_ADMIN']);
    expect(again).toMatchObject({
      code: 0,
      out: createResult.out,
      err: expect.stringMatching(/^Already exists: Ada/),
    });
    expect(await command('users', create)).toMatchObject({
      code: 1,
      out: '',
      err: '+12065559900: there is an account with this phone already, with another role.',
    });
  },
  SLOW,
);

const HEADING = 'phone,firstName,lastName,email,role,location';

test(
  'an imported list becomes approved accounts, all or none; a second import changes nothing',
  async () => {
    const pier = await world.place('Pier 7, north');
    const waiting = await world.person({
      approvalStatus: 'PENDING',
      phone: '+12065559814',
      firstName: 'Wim',
      lastName: 'Wait',
    });
    const path = folder.path('people.csv');
    // As a spreadsheet saves it in many countries: a BOM, semicolons, quoted commas, empty lines.
    const lines = [
      `\ufeff${HEADING.replaceAll(',', ';')}`,
      '206 555 9811;José;Núñez;jose@example.org;manager;"pier 7, NORTH"',
      '+12065559812;Bo;"Lind',
      'the second";;;',
      ';;;;;',
      '+12065559813;Root;Field;;SUPER_ADMIN;',
      '+12065559814;Wim;Wait;;;',
      '',
    ];
    await writeFile(path, lines.join('\r\n'));
    const dry = await command('users', ['import', path, '--dry-run']);
    expect(dry).toMatchObject({
      code: 0,
      out: expect.stringMatching(/3 created, 1 approved, 0 unchanged \(not done/),
    });
    expect(await answerOf('users', ['list', '--search', '981'])).toHaveLength(1);
    const result = await command('users', ['import', path]);
    expect(result.code).toBe(0);
    expect(result.out.split('\n')[0]).toBe('line 2: José Núñez (+12065559811): created');
    expect(result.err).toBe('Warning: SUPER_ADMIN can do everything. The file has made +12065559813 one.');
    const [jose] = await answerOf('users', ['list', '--search', 'Núñez']);
    const fields = { role: 'MANAGER', approvalStatus: 'APPROVED', location: pier, email: 'jose@example.org' };
    expect(jose).toMatchObject({ phone: '+12065559811', firstName: 'José', ...fields });
    expect(await answerOf('users', ['list', '--search', '9814'])).toMatchObject([
      { id: waiting.id, approvalStatus: 'APPROVED' },
    ]);
    const before = [await all('users'), await all('auditevents')];
    expect((await command('users', ['import', path])).out).toMatch(/0 created, 0 approved, 4 unchanged$/);
    expect([await all('users'), await all('auditevents')]).toEqual(before);
    await answerOf('users', ['delete', '+12065559813']);
  },
  SLOW,
);

test(
  'an imported list restores nobody who was deleted or moved back to pending since',
  async () => {
    const path = folder.path('again.csv');
    const lines = ['+12065559841,Gone,Away,,,', '+12065559842,Under,Review,,,', '+12065559843,Still,Here,,,'];
    await writeFile(path, [HEADING, ...lines].join('\n'));
    expect((await command('users', ['import', path])).out).toMatch(/3 created, 0 approved, 0 unchanged$/);
    const [moved] = await answerOf('users', ['list', '--search', '9842']);
    await answerOf('users', ['delete', '+12065559841']);
    const admin = await world.person({ role: 'ADMIN' });
    await admin.patch(`/api/users/${moved.id}`, { approvalStatus: 'PENDING' }).expect(200);
    const before = await all('users');
    const { code, err } = await command('users', ['import', path]);
    expect({ code, lines: err.split('\n') }).toEqual({
      code: 1,
      lines: [
        'line 2: Gone Away (+12065559841): wrong (an account with this phone was deleted; make a new one with "users create")',
        'line 3: Under Review (+12065559842): wrong (the account with this phone was moved back to PENDING)',
        '2 wrong. Nothing was changed.',
      ],
    });
    expect(await all('users')).toEqual(before);
  },
  SLOW,
);

test(
  'one invalid line stops the import; each is listed with its errors',
  async () => {
    const path = folder.path('wrong.csv');
    const before = await all('users');
    const lines = [
      '+12065559821,New,Person,,,',
      '12,No,Phone,,,',
      '13,,Nameless,,BOSS,Nowhere',
      '+12065559823,At,Nowhere,,,Nowhere',
      '206-555-9821,Second,Person,,,',
      '+12065559811,Joseph,Núñez,,,',
      '+12065559824,Too,Long,,,,more',
    ];
    await writeFile(path, [HEADING, ...lines.slice(0, 5)].join('\n'));
    const { code, err } = await command('users', ['import', path]);
    expect({ code, told: err.split('\n').map((line) => line.slice(0, 40)) }).toEqual({
      code: 1,
      told: [
        'line 3: No Phone (12): wrong (phone: Thi',
        'line 4: Nameless (13): wrong (firstName:',
        'line 5: At Nowhere (+12065559823): wrong',
        'line 6: Second Person (+12065559821): wr',
        '4 wrong. Nothing was changed.',
      ],
    });
    const [, nameless = ''] = err.split('\n');
    const faultFields = [...nameless.matchAll(/(?:\(|; )(\w+): /g)].map(([, field]) => field);
    expect(faultFields).toEqual(['firstName', 'role', 'phone', 'location']);
    await writeFile(path, [HEADING, lines[0], lines[5]].join('\n'));
    expect((await command('users', ['import', path])).err.split('\n')).toEqual([
      'line 3: Joseph Núñez (+12065559811): wrong (there is an account with this phone already, with another firstName, role)',
      '1 wrong. Nothing was changed.',
    ]);
    expect(await all('users')).toEqual(before);
  },
  SLOW,
);

test.each([
  [
    'a letter that is not UTF-8',
    Buffer.from(`${HEADING}\n+12065559831,Jos\xe9,X,,,\n`, 'latin1'),
    /line 2 is not UTF-8/,
  ],
  ['two columns of one name', `${HEADING},phone\n`, /two columns "phone"/],
  ['more than 5 MB', 'x'.repeat(5_000_001), /larger than 5 MB/],
])(
  'a list with %s is rejected as a whole',
  async (_what, content, message) => {
    const path = folder.path('refused.csv');
    await writeFile(path, content);
    const { code, err } = await command('users', ['import', path]);
    expect({ code, lines: err.split('\n').length }).toEqual({ code: 1, lines: 1 });
    expect(err).toMatch(message);
  },
  SLOW,
);

test(
  'changes name, email and location of an account separately, and removes them',
  async () => {
    const site = await world.place('Update hall');
    const vera = await world.person({ firstName: 'Vera', lastName: 'Old' });
    const change = (...args: string[]) => answerOf('users', ['update', vera.phone, ...args]);
    expect(await change('--last-name', 'New', '--email', 'vera@example.org')).toMatchObject({
      firstName: 'Vera',
      lastName: 'New',
      email: 'vera@example.org',
      location: null,
    });
    expect(await change('--location', 'update HALL')).toMatchObject({ lastName: 'New', location: site });
    expect(await change('--location', 'none', '--email', 'none')).toMatchObject({
      email: null,
      location: null,
    });
    expect(await command('users', ['update', vera.phone])).toMatchObject({ code: 2 });
    expect(await command('users', ['update', vera.phone, '--email', 'x'])).toMatchObject({ code: 2 });
  },
  SLOW,
);

test(
  'a dry run says what would happen, including errors, and changes nothing',
  async () => {
    const free = ['create', '--phone', '+12065550177', ...PERSON, '--dry-run'];
    expect(await command('users', free)).toMatchObject({
      code: 0,
      out: '',
      err: expect.stringMatching(/^Would create/),
    });
    expect(await command('users', ['create', '--phone', '+12065559900', ...PERSON, '-n'])).toMatchObject({
      code: 1,
    });
    expect(await answerOf('users', ['list', '--search', '0177'])).toEqual([]);
  },
  SLOW,
);

test(
  'an account can be approved, reset, rejected, given a role and a permission, and deleted',
  async () => {
    const waiting = await world.person({ approvalStatus: 'PENDING', firstName: 'Vera' });
    const change = (...args: string[]) => answerOf('users', args);
    expect(await change('approve', waiting.phone)).toMatchObject({
      id: waiting.id,
      approvalStatus: 'APPROVED',
    });
    expect(await command('users', ['approve', waiting.id])).toMatchObject({
      code: 1,
      err: 'The account is APPROVED and can’t change to APPROVED.',
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
  'reset-passkeys removes all passkeys and recovery codes, and ends the sessions that they opened',
  async () => {
    const { id, phone, get } = await world.person({ role: 'ADMIN' });
    const _id = new mongoose.Types.ObjectId(id);
    const users = mongoose.connection.collection('users');
    const passkeys = [{ id: _id, name: 'Pixel 8' }];
    const factors = { passkeys, recoveryCodes: ['hash'], 'sessions.0.secondFactor': true };
    await users.updateOne({ _id }, { $set: factors });
    const dry = await answerOf('users', ['reset-passkeys', '--phone', phone, '--dry-run']);
    expect(dry).toMatchObject({ removed: 1 });
    await get('/api/study').expect(200);
    expect(await answerOf('users', ['reset-passkeys', '--phone', phone])).toMatchObject({ removed: 1 });
    await get('/api/study').expect(401);
    const after = await users.findOne({ _id });
    expect(after).toMatchObject({ sessions: [], passkeysRemoved: { by: null } });
    expect(after).not.toHaveProperty('passkeys');
    expect(after).not.toHaveProperty('recoveryCodes');
    expect(await answerOf('users', ['reset-passkeys', '--phone', phone])).toMatchObject({ removed: 0 });
  },
  SLOW,
);

test(
  'the last super admin cannot be deleted or reset',
  async () => {
    for (const verb of ['delete', 'reset']) {
      const refused = await command('users', [verb, '+12065559900']);
      expect(refused).toMatchObject({
        code: 1,
        err: 'This is the last approved super admin. Add another one first.',
      });
    }
  },
  SLOW,
);

test(
  'the list can be filtered by role, location and search, and fits 80 columns',
  async () => {
    const site = await world.place('Harbor');
    await world.person({ role: 'MANAGER', location: site, firstName: 'Mo' });
    const { out, code } = await command('users', ['list', '--role', 'MANAGER', '--location', 'harbor']);
    expect(code).toBe(0);
    expect(out.split('\n')).toHaveLength(2);
    expect(out).toMatch(/Mo Person .* MANAGER +APPROVED +Harbor$/);
    expect((await command('users', ['list', '--search', 'nobody'])).out).toBe('No accounts match.');
    const elsewhere = await world.place('A shelter with a very long name beside the river');
    await world.person({ role: 'SUPER_ADMIN', location: elsewhere, firstName: 'Maximiliana-Alexandrina' });
    const wide = (await command('users', ['list'])).out.split('\n');
    expect(Math.max(...wide.map((line) => line.length))).toBeLessThanOrEqual(80);
  },
  SLOW,
);

test.each([
  [['create', ...PERSON], /--phone/],
  [['create', '--phone', '12', ...PERSON], /^phone: This isn’t a valid phone number/],
  [['create', '--phone', '+12065550111', ...PERSON, '--role', 'BOSS'], /role.*BOSS/],
  [['create', '--phone', '+12065550111', ...PERSON, '--mail', 'x'], /unknown option '--mail'/],
  [['set-role', '+12065559900', 'BOSS'], /^role: /],
  [['grant', '+12065559900', '--action', 'read'], /--subject/],
  [['promote', '+12065559900'], /unknown command 'promote'/],
])(
  'invalid arguments exit with 2 and one line: %j',
  async (args, line) => {
    const { code, out, err } = await command('users', args);
    expect({ code, out, lines: err.split('\n').length }).toEqual({ code: 2, out: '', lines: 1 });
    expect(err).toMatch(line);
  },
  SLOW,
);

test(
  'the help lists the verbs and examples',
  async () => {
    const { code, out } = await command('users', ['--help']);
    expect(code).toBe(0);
    for (const word of ['create', 'approve', 'set-role', 'grant', 'npm run users -- create'])
      expect(out).toContain(word);
  },
  SLOW,
);

test(
  'an unreachable database is one line and exit code 1',
  async () => {
    const uri = 'mongodb://127.0.0.1:9/none?serverSelectionTimeoutMS=300';
    const { code, err } = await command('users', ['list'], { MONGO_URI: uri });
    expect(code).toBe(1);
    expect(err).toMatch(/^Can't reach the database: .*$/);
  },
  SLOW,
);
