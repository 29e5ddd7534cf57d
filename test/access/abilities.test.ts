/**
 * The rules themselves, tested in memory: every role, every kind of record, each condition met and just missed. The
 * matrix tests the same over HTTP; here a rule that is slightly too broad fails within a second.
 */
import mongoose from 'mongoose';
import { abilityFor, abilityOfToken } from '../../src/access/rules/abilities.ts';
import {
  ACTIONS,
  asSubject,
  type PermissionAction,
  type Subject,
} from '../../src/platform/rights/ability.ts';
import { GRANTABLE_SUBJECTS } from '../../src/platform/rights/names.ts';
import type { TokenScope } from '../../src/study/tokens/schema.ts';
import { Grant, type Role } from '../../src/study/users/schema.ts';

const id = () => new mongoose.Types.ObjectId();
const ME = id();
const HERE = id();
const THERE = id();
const ZONE = 'America/Los_Angeles';
const NOW = new Date('2026-11-21T20:00:00.000Z');
const DAY_START = new Date('2026-11-21T08:00:00.000Z');
const DAY_END = new Date('2026-11-22T08:00:00.000Z');
const justBefore = (at: Date) => new Date(at.getTime() - 1);

const able = (
  role: Role,
  {
    location = HERE,
    permissions = [],
  }: { location?: mongoose.Types.ObjectId | null; permissions?: Grant[] } = {},
) => abilityFor({ user: { _id: ME, role, permissions }, location, now: NOW, timeZone: ZONE });

type Fields = Record<string, unknown>;
const user = (fields: Fields = {}) => ({
  _id: id(),
  role: 'VOLUNTEER',
  location: HERE,
  createdAt: NOW,
  approvalStatus: 'PENDING',
  ...fields,
});
const survey = (fields: Fields = {}) => ({
  _id: id(),
  createdBy: ME,
  location: HERE,
  createdAt: NOW,
  ...fields,
});

function expectOnly(
  role: Role,
  action: PermissionAction,
  subject: Subject,
  { allowed, refused }: { allowed: Fields[]; refused: Fields[] },
  field?: string,
) {
  const ability = able(role);
  for (const record of allowed) {
    expect([record, ability.can(action, asSubject(subject, { ...record }), field)]).toEqual([record, true]);
  }
  for (const record of refused) {
    expect([record, ability.can(action, asSubject(subject, { ...record }), field)]).toEqual([record, false]);
  }
}

const grantOf = (action: Grant['action']): Grant => ({ action, subject: 'Survey', conditions: [] });

const EVERY_ROLE: Role[] = ['SUPER_ADMIN', 'ADMIN', 'MANAGER', 'VOLUNTEER'];

describe.each(EVERY_ROLE)('%s', (role) => {
  test('can read sites, questionnaires, the study, its rounds and seeds, and create seeds', () => {
    for (const subject of ['Location', 'Questionnaire', 'Study', 'Round', 'Seed'] as const) {
      expect(able(role).can('read', asSubject(subject, { _id: id() }))).toBe(true);
    }
    expect(able(role).can('create', asSubject('Seed', { location: THERE }))).toBe(true);
  });

  test('can read and update their own profile, but not their role, approval status or permissions', () => {
    const me = user({ _id: ME, role, location: THERE });
    expect(able(role).can('read', asSubject('User', { ...me }))).toBe(true);
    for (const field of ['firstName', 'lastName', 'email']) {
      expect(able(role).can('update', asSubject('User', { ...me }), field)).toBe(true);
    }
    for (const field of ['role', 'approvalStatus', 'permissions']) {
      expect(able(role).can('update', asSubject('User', { ...me }), field)).toBe(false);
    }
    expect(able(role).can('delete', asSubject('User', { ...me }))).toBe(false);
  });

  test('cannot change roles, approval statuses or permissions through any grant', () => {
    const permissions: Grant[] = (['create', 'read', 'update', 'delete', 'list'] as const).map((action) => ({
      action,
      subject: 'User',
      conditions: [],
    }));
    const other = user({ role: 'SUPER_ADMIN', location: THERE });
    for (const field of ['role', 'approvalStatus', 'permissions']) {
      const without = able(role).can('update', asSubject('User', { ...other }), field);
      expect(able(role, { permissions }).can('update', asSubject('User', { ...other }), field)).toBe(without);
    }
    expect(able(role, { permissions }).can('update', asSubject('User', { ...other }), 'firstName')).toBe(
      true,
    );
    expect(able(role, { permissions }).can('update', asSubject('User', { ...other }), 'location')).toBe(true);
    expect(able(role, { permissions }).can('create', asSubject('User', user({ location: THERE })))).toBe(
      true,
    );
  });
});

test('only a super admin can delete old surveys of others, reopen rejected accounts and change permissions', () => {
  for (const action of ['create', 'read', 'update', 'delete', 'list', 'reopen'] as const) {
    expect(able('SUPER_ADMIN').can(action, asSubject('User', user({ role: 'SUPER_ADMIN' })))).toBe(true);
  }
  const past = survey({ createdAt: new Date(0), location: THERE, createdBy: id() });
  expect(able('SUPER_ADMIN').can('delete', asSubject('Survey', past))).toBe(true);
  for (const role of EVERY_ROLE) {
    expect(able(role).can('update', asSubject('User', user()), 'permissions')).toBe(role === 'SUPER_ADMIN');
    expect(able(role).can('reopen', asSubject('User', user()))).toBe(role === 'SUPER_ADMIN');
  }
});

describe('reviewing and importing surveys', () => {
  const others = (fields: Fields = {}) => asSubject('Survey', survey({ createdBy: id(), ...fields }));
  const yesterday = { createdAt: justBefore(DAY_START) };
  const every = [grantOf('review'), grantOf('import')];

  test('super admins can review all surveys, admins those of today, managers those of today at their own site', () => {
    const rights = (role: Role) =>
      [others(), others({ location: THERE }), others(yesterday)].map((one) => able(role).can('review', one));
    expect(rights('SUPER_ADMIN')).toEqual([true, true, true]);
    expect(rights('ADMIN')).toEqual([true, true, false]);
    expect(rights('MANAGER')).toEqual([true, false, false]);
    expect(rights('VOLUNTEER')).toEqual([false, false, false]);
  });

  test('only a super admin can review their own survey, even with a grant', () => {
    for (const permissions of [[], every]) {
      const own = (role: Role) => able(role, { permissions }).can('review', asSubject('Survey', survey()));
      expect(EVERY_ROLE.map(own)).toEqual([true, false, false, false]);
    }
  });

  test.each(['ADMIN', 'MANAGER', 'VOLUNTEER'] as const)(
    'a %s cannot review a survey that they entered for another interviewer, even with a grant',
    (role) => {
      const reviewer = able(role, { permissions: every });
      expect(reviewer.can('review', others({ importedBy: id() }))).toBe(true);
      expect(reviewer.can('review', others({ importedBy: ME }))).toBe(false);
    },
  );

  test('a super admin can review a survey that they entered for another interviewer', () => {
    expect(able('SUPER_ADMIN').can('review', others({ importedBy: ME }))).toBe(true);
  });

  test('a grant to review or import surveys applies to surveys of others, and does not allow updating them', () => {
    const granted = able('VOLUNTEER', { permissions: every });
    expect(granted.can('review', others({ location: THERE, ...yesterday }))).toBe(true);
    expect(granted.can('import', others())).toBe(true);
    expect(granted.can('update', others())).toBe(false);
  });

  test('a grant to review surveys also allows reading them, and nothing else', () => {
    const conditions: Grant['conditions'] = ['HAS_SAME_LOCATION'];
    const granted = able('VOLUNTEER', { permissions: [{ ...grantOf('review'), conditions }] });
    expect(granted.can('read', others(yesterday))).toBe(true);
    expect(granted.can('read', others({ location: THERE }))).toBe(false);
    expect(granted.can('read', asSubject('Survey', survey(yesterday)))).toBe(false);
    expect(granted.can('read', asSubject('User', user()))).toBe(false);
    const importer = able('VOLUNTEER', { permissions: [grantOf('import')] });
    expect(importer.can('read', others())).toBe(false);
    const ofUsers = able('VOLUNTEER', { permissions: [{ ...grantOf('review'), subject: 'User' }] });
    expect(ofUsers.can('read', others())).toBe(false);
  });

  test('only super admins and admins can import surveys, of any day and site', () => {
    const imports = (role: Role) => able(role).can('import', others({ location: THERE, ...yesterday }));
    expect(EVERY_ROLE.map(imports)).toEqual([true, true, false, false]);
  });
});

test('admins can read users, the board, the audit log and coupons; managers only users and the board; volunteers none', () => {
  const other = user();
  const rights = (role: Role) => [
    able(role).can('list', 'User'),
    able(role).can('read', asSubject('User', { ...other })),
    able(role).can('read', 'Recruitment'),
    able(role).can('read', 'AuditEvent'),
    able(role).can('read', 'ReferralCode'),
    able(role).can('update', 'ReferralCode'),
    able(role).can('create', 'ReferralCode'),
  ];
  expect(rights('ADMIN')).toEqual([true, true, true, true, true, true, true]);
  expect(rights('MANAGER')).toEqual([true, true, true, false, false, false, true]);
  expect(rights('VOLUNTEER')).toEqual([false, false, false, false, false, false, false]);
});

test('admins can read the texts sent to respondents; managers and volunteers cannot', () => {
  expect(EVERY_ROLE.map((role) => able(role).can('read', 'Message'))).toEqual([true, true, false, false]);
});

test('only super admins can open and close rounds', () => {
  for (const action of ['create', 'update'] as const)
    expect(EVERY_ROLE.map((role) => able(role).can(action, 'Round'))).toEqual([true, false, false, false]);
});

test('only admins can change sites, questionnaires, the study and seeds', () => {
  const rights = (role: Role) => [
    ...(['create', 'update', 'delete'] as const).map((action) => able(role).can(action, 'Location')),
    ...(['create', 'update', 'delete'] as const).map((action) => able(role).can(action, 'Questionnaire')),
    able(role).can('update', 'Study'),
    able(role).can('delete', 'Seed'),
    able(role).can('update', 'Seed'),
  ];
  expect(rights('ADMIN')).toEqual([true, true, true, true, true, false, true, true, false]);
  for (const role of ['MANAGER', 'VOLUNTEER'] as const) expect(rights(role)).toEqual(Array(9).fill(false));
});

describe('an admin', () => {
  const staff = ['VOLUNTEER', 'MANAGER', 'ADMIN'].map((role) =>
    user({ role, location: THERE, createdAt: new Date(0) }),
  );
  const top = [user({ role: 'SUPER_ADMIN' })];

  test.each(['create', 'delete'] as const)(
    'can %s volunteers, managers and admins, but not super admins',
    (action) => {
      expectOnly('ADMIN', action, 'User', { allowed: staff, refused: top });
    },
  );

  test.each(['approvalStatus', 'role', 'location'])(
    'can change the %s of volunteers, managers and admins, but not of super admins',
    (field) => {
      expectOnly('ADMIN', 'update', 'User', { allowed: staff, refused: top }, field);
    },
  );

  test.each(['firstName', 'lastName', 'email', 'permissions', 'phone'])(
    'cannot change the %s of others',
    (field) => {
      expectOnly('ADMIN', 'update', 'User', { allowed: [], refused: [...staff, ...top] }, field);
    },
  );

  test.each(['create', 'read', 'update', 'delete'] as const)(
    'can %s only surveys of today, at all sites',
    (action) => {
      expectOnly('ADMIN', action, 'Survey', {
        allowed: [survey({ createdBy: id(), location: THERE }), survey({ createdAt: DAY_START })],
        refused: [
          survey({ createdAt: justBefore(DAY_START) }),
          survey({ createdAt: DAY_END }),
          survey({ createdAt: null }),
        ],
      });
    },
  );
});

describe('a manager', () => {
  test('can create only volunteers at their own site', () => {
    expectOnly('MANAGER', 'create', 'User', {
      allowed: [user(), user({ createdAt: new Date(0) })],
      refused: [user({ location: THERE }), user({ location: null }), user({ role: 'MANAGER' })],
    });
  });

  test.each(['approvalStatus', 'location'])(
    'can change the %s only of volunteers at their own site created today',
    (field) => {
      const refused = [
        user({ location: THERE }),
        user({ location: null }),
        user({ role: 'MANAGER' }),
        user({ createdAt: justBefore(DAY_START) }),
        user({ createdAt: DAY_END }),
      ];
      expectOnly(
        'MANAGER',
        'update',
        'User',
        { allowed: [user(), user({ createdAt: DAY_START })], refused },
        field,
      );
    },
  );

  test.each(['role', 'firstName', 'permissions'])('cannot change the %s of anyone else', (field) => {
    expectOnly('MANAGER', 'update', 'User', { allowed: [], refused: [user()] }, field);
  });

  test('cannot delete users or surveys, and can create surveys only at their own site', () => {
    expectOnly('MANAGER', 'delete', 'User', { allowed: [], refused: [user()] });
    expectOnly('MANAGER', 'delete', 'Survey', { allowed: [], refused: [survey()] });
    expectOnly('MANAGER', 'create', 'Survey', {
      allowed: [survey(), survey({ createdAt: new Date(0) })],
      refused: [survey({ location: THERE })],
    });
  });

  test.each(['read', 'update'] as const)(
    'can %s only surveys of today at their own site, by any interviewer',
    (action) => {
      expectOnly('MANAGER', action, 'Survey', {
        allowed: [survey({ createdBy: id() })],
        refused: [
          survey({ location: THERE }),
          survey({ createdAt: justBefore(DAY_START) }),
          survey({ createdAt: DAY_END }),
        ],
      });
    },
  );
});

describe('a volunteer', () => {
  test('can create surveys at any site', () => {
    expectOnly('VOLUNTEER', 'create', 'Survey', { allowed: [survey({ location: THERE })], refused: [] });
  });

  test.each(['read', 'update'] as const)(
    'can %s only their own surveys of today at their current location',
    (action) => {
      expectOnly('VOLUNTEER', action, 'Survey', {
        allowed: [survey(), survey({ createdAt: DAY_START })],
        refused: [
          survey({ createdBy: id() }),
          survey({ location: THERE }),
          survey({ createdAt: justBefore(DAY_START) }),
          survey({ createdAt: DAY_END }),
        ],
      });
    },
  );

  test('has no permissions on other users, and cannot delete surveys', () => {
    for (const action of ['create', 'update', 'delete', 'read', 'list'] as const) {
      expectOnly('VOLUNTEER', action, 'User', { allowed: [], refused: [user()] });
    }
    expectOnly('VOLUNTEER', 'delete', 'Survey', { allowed: [], refused: [survey()] });
  });
});

describe('incentives', () => {
  const incentive = (fields: Fields = {}) => ({
    _id: id(),
    paidBy: ME,
    location: HERE,
    recordedAt: NOW,
    ...fields,
  });
  const elsewhere = [incentive({ location: THERE }), incentive({ location: null })];
  const otherDays = [incentive({ recordedAt: justBefore(DAY_START) }), incentive({ recordedAt: DAY_END })];

  test.each(['MANAGER', 'VOLUNTEER'] as const)('a %s can pay only at their current site', (role) => {
    expectOnly(role, 'pay', 'Incentive', {
      allowed: [incentive({ paidBy: id() }), ...otherDays],
      refused: elsewhere,
    });
    expect(able(role, { location: null }).can('pay', asSubject('Incentive', incentive()))).toBe(false);
  });

  test.each(['read', 'pay', 'withdraw'] as const)('an admin can %s all of them', (action) => {
    const all = [incentive({ paidBy: id() }), ...elsewhere, ...otherDays];
    expectOnly('ADMIN', action, 'Incentive', { allowed: all, refused: [] });
  });

  test('a manager reads those of today at their own site, a volunteer those they paid today', () => {
    expectOnly('MANAGER', 'read', 'Incentive', {
      allowed: [incentive({ paidBy: id() })],
      refused: [...elsewhere, ...otherDays],
    });
    expectOnly('VOLUNTEER', 'read', 'Incentive', {
      allowed: [incentive({ location: THERE })],
      refused: [incentive({ paidBy: id() }), ...otherDays],
    });
  });

  test('managers and volunteers can’t withdraw any', () => {
    for (const role of ['MANAGER', 'VOLUNTEER'] as const)
      expectOnly(role, 'withdraw', 'Incentive', { allowed: [], refused: [incentive()] });
  });
});

describe('days of the cash box', () => {
  const TODAY = '2026-11-21';
  const YESTERDAY = '2026-11-20';
  const cashDay = (fields: Fields = {}) => ({
    _id: id(),
    location: HERE,
    day: TODAY,
    createdAt: NOW,
    ...fields,
  });
  const elsewhere = [cashDay({ location: THERE }), cashDay({ location: THERE, day: YESTERDAY })];
  const actions = ['create', 'read', 'update'] as const;
  const allowedWith = (action: (typeof actions)[number], ...permissions: Grant[]) =>
    [cashDay(), cashDay({ day: YESTERDAY }), ...elsewhere].map((record) =>
      able('VOLUNTEER', { permissions }).can(action, asSubject('CashDay', record)),
    );
  const grantWith = (
    action: Grant['action'],
    subject: Grant['subject'],
    ...conditions: Grant['conditions']
  ): Grant => ({ action, subject, conditions });

  test.each(actions)('an admin can %s any, a manager those of today at their own site', (action) => {
    const mine = [cashDay()];
    const others = [cashDay({ day: YESTERDAY }), cashDay({ day: '2026-11-22' }), ...elsewhere];
    expectOnly('ADMIN', action, 'CashDay', { allowed: [...mine, ...others], refused: [] });
    expectOnly('MANAGER', action, 'CashDay', { allowed: mine, refused: others });
    expectOnly('VOLUNTEER', action, 'CashDay', { allowed: [], refused: [...mine, ...others] });
  });

  test('a manager without a current site has none', () => {
    const lost = able('MANAGER', { location: null });
    for (const location of [HERE, null])
      expect(lost.can('create', asSubject('CashDay', cashDay({ location })))).toBe(false);
  });

  test.each(actions)('someone with a grant to read all incentives can %s any', (action) => {
    expect(allowedWith(action, grantWith('read', 'Incentive'))).toEqual([true, true, true, true]);
  });

  test.each(actions)(
    'someone with a grant to read the incentives of their site can %s those there',
    (action) => {
      const granted = allowedWith(action, grantWith('read', 'Incentive', 'HAS_SAME_LOCATION'));
      expect(granted).toEqual([true, true, false, false]);
    },
  );

  test.each([
    ['to read only the incentives of today', grantWith('read', 'Incentive', 'WAS_CREATED_TODAY')],
    [
      'to read only the incentives of today at their site',
      grantWith('read', 'Incentive', 'HAS_SAME_LOCATION', 'WAS_CREATED_TODAY'),
    ],
    ['to pay incentives', grantWith('pay', 'Incentive')],
    ['to withdraw incentives', grantWith('withdraw', 'Incentive')],
    ['to read interviews', grantWith('read', 'Survey')],
    ['to update interviews', grantWith('update', 'Survey')],
  ])('a grant %s allows none of it', (_what, permission) => {
    for (const action of actions)
      expect(allowedWith(action, permission)).toEqual([false, false, false, false]);
  });
});

describe('creating a sign-in code for someone', () => {
  const of = (...roles: Role[]) => roles.map((role) => user({ role, createdAt: new Date(0) }));

  test('admins can for volunteers and managers, super admins for everyone except super admins', () => {
    expectOnly('ADMIN', 'signIn', 'User', {
      allowed: [...of('VOLUNTEER', 'MANAGER'), user({ location: THERE })],
      refused: of('ADMIN', 'SUPER_ADMIN'),
    });
    expectOnly('SUPER_ADMIN', 'signIn', 'User', {
      allowed: of('VOLUNTEER', 'MANAGER', 'ADMIN'),
      refused: of('SUPER_ADMIN'),
    });
  });

  test('only super admins can for someone with a grant', () => {
    const granted = user({ permissions: [{ action: 'read', subject: 'Survey', conditions: [] }] });
    for (const role of ['ADMIN', 'MANAGER'] as const)
      expectOnly(role, 'signIn', 'User', { allowed: [user({})], refused: [granted] });
    expectOnly('SUPER_ADMIN', 'signIn', 'User', { allowed: [granted], refused: [] });
  });

  test('managers can for volunteers at their own site, volunteers for nobody', () => {
    expectOnly('MANAGER', 'signIn', 'User', {
      allowed: of('VOLUNTEER'),
      refused: [user({ location: THERE }), ...of('MANAGER', 'ADMIN', 'SUPER_ADMIN')],
    });
    expectOnly('VOLUNTEER', 'signIn', 'User', { allowed: [], refused: of(...EVERY_ROLE) });
  });
});

test.each([
  'timeZone',
  'smallestCell',
  'outcomes',
  'siteQuestion',
  'siteSizes',
  'repeatCheck',
  'statusPage',
  'retentionDays',
  'secondFactor',
  'contacts',
  'contactDays',
  'contactConsent',
  'messages',
  'quietHours',
  'messagesPerDay',
])('only super admins can change the setting %s; admins can change other settings', (setting) => {
  const rights = (field: string) => EVERY_ROLE.map((role) => able(role).can('update', 'Study', field));
  expect(rights(setting)).toEqual([true, false, false, false]);
  expect(rights('name')).toEqual([true, true, false, false]);
});

test('while the study has a retention period, only super-admins can change its end date', () => {
  const rights = (retentionDays: number | null) =>
    EVERY_ROLE.map((role) => able(role).can('update', asSubject('Study', { retentionDays }), 'endsOn'));
  expect(rights(null)).toEqual([true, true, false, false]);
  expect(rights(30)).toEqual([true, false, false, false]);
});

test.each(EVERY_ROLE.filter((role) => role !== 'SUPER_ADMIN'))(
  'actions of one subject do not apply to another for a %s',
  (role) => {
    const subjects = ['Location', 'Questionnaire', 'Study', 'Seed', 'ReferralCode', 'AuditEvent'] as const;
    for (const action of ['pay', 'withdraw', 'signIn', 'import', 'review'] as const)
      for (const subject of subjects) {
        const record = { _id: id(), location: HERE, createdBy: id(), createdAt: NOW, role: 'VOLUNTEER' };
        expect([action, subject, able(role).can(action, asSubject(subject, record))]).toEqual([
          action,
          subject,
          false,
        ]);
      }
  },
);

test('a person without a current location matches no record by location, not even one without a location', () => {
  for (const role of ['MANAGER', 'VOLUNTEER'] as const) {
    const lost = able(role, { location: null });
    for (const location of [HERE, null, undefined]) {
      expect(lost.can('read', asSubject('Survey', survey({ location })))).toBe(false);
    }
  }
});

describe('a grant', () => {
  const grant = (action: Grant['action'], subject: Grant['subject'], ...conditions: Grant['conditions']) => ({
    action,
    subject,
    conditions,
  });

  test('without conditions applies to every record of its subject, for its action only', () => {
    const ability = able('VOLUNTEER', { permissions: [grant('delete', 'Survey')] });
    const other = survey({ createdBy: id(), location: THERE, createdAt: new Date(0) });
    expect(ability.can('delete', asSubject('Survey', { ...other }))).toBe(true);
    expect(ability.can('read', asSubject('Survey', { ...other }))).toBe(false);
    expect(ability.can('delete', asSubject('Seed', { ...other }))).toBe(false);
  });

  test('applies only if all of its conditions are met', () => {
    const permissions = [grant('read', 'Survey', 'HAS_SAME_LOCATION', 'WAS_CREATED_TODAY')];
    const ability = able('VOLUNTEER', { permissions });
    const theirs = (fields: Fields) => asSubject('Survey', survey({ createdBy: id(), ...fields }));
    expect(ability.can('read', theirs({}))).toBe(true);
    expect(ability.can('read', theirs({ location: THERE }))).toBe(false);
    expect(ability.can('read', theirs({ createdAt: DAY_END }))).toBe(false);
  });

  test.each([
    ['HAS_VOLUNTEER_ROLE', 'VOLUNTEER'],
    ['HAS_MANAGER_ROLE', 'MANAGER'],
    ['HAS_ADMIN_ROLE', 'ADMIN'],
  ] as const)('with %s applies only to users of that role', (condition, role) => {
    const ability = able('VOLUNTEER', { permissions: [grant('read', 'User', condition)] });
    for (const one of EVERY_ROLE) {
      expect(ability.can('read', asSubject('User', user({ role: one })))).toBe(one === role);
    }
  });

  test('with IS_SELF or IS_CREATED_BY_SELF applies only to the caller or their own records', () => {
    const self = able('VOLUNTEER', { permissions: [grant('list', 'User', 'IS_SELF')] });
    expect(self.can('list', asSubject('User', user({ _id: ME })))).toBe(true);
    expect(self.can('list', asSubject('User', user()))).toBe(false);
    const own = able('VOLUNTEER', { permissions: [grant('delete', 'Survey', 'IS_CREATED_BY_SELF')] });
    expect(own.can('delete', asSubject('Survey', survey({ location: THERE })))).toBe(true);
    expect(own.can('delete', asSubject('Survey', survey({ createdBy: id() })))).toBe(false);
  });

  test('to create users allows only volunteers, also with conditions', () => {
    const ability = able('VOLUNTEER', { permissions: [grant('create', 'User')] });
    expect(ability.can('create', asSubject('User', user({ location: THERE })))).toBe(true);
    for (const role of ['MANAGER', 'ADMIN', 'SUPER_ADMIN']) {
      expect(ability.can('create', asSubject('User', user({ role })))).toBe(false);
    }
    const here = able('VOLUNTEER', { permissions: [grant('create', 'User', 'HAS_SAME_LOCATION')] });
    expect(here.can('create', asSubject('User', user()))).toBe(true);
    expect(here.can('create', asSubject('User', user({ location: THERE })))).toBe(false);
  });

  test.each(EVERY_ROLE)('never comes after a prohibition in the rules of a %s', (role) => {
    const permissions = GRANTABLE_SUBJECTS.flatMap((subject) =>
      Grant.shape.action.options.map((action) => ({ action, subject, conditions: [] })),
    );
    // CASL holds the last rule of a list first.
    const inverted = able(role, { permissions }).rules.map((rule) => rule.inverted === true);
    expect(inverted.indexOf(true)).toBeGreaterThan(0);
    expect(inverted.lastIndexOf(false)).toBeLessThan(inverted.indexOf(true));
  });

  test('for gift cards lets someone store and read them; only super-admins can void them', () => {
    const permissions = (['create', 'read', 'update'] as const).map((action) => grant(action, 'Card'));
    const admin = able('ADMIN', { permissions });
    expect(['create', 'read', 'update'].map((action) => admin.can(action as 'read', 'Card'))).toEqual([
      ...[true, true, false],
    ]);
    expect(able('SUPER_ADMIN').can('update', 'Card')).toBe(true);
  });

  test('may be missing on users created before grants existed', () => {
    const { permissions: _, ...bare } = { _id: ME, role: 'VOLUNTEER' as const, permissions: [] };
    const ability = abilityFor({ user: bare as never, location: HERE, now: NOW, timeZone: ZONE });
    expect(ability.can('create', asSubject('Survey', survey()))).toBe(true);
  });
});

describe('a program with a read token', () => {
  const token = (...scopes: TokenScope[]) =>
    abilityOfToken({ user: { _id: ME }, location: null, now: NOW, timeZone: ZONE }, scopes);
  const every: TokenScope[] = ['EXPORTS', 'RESULTS', 'RECRUITMENT'];

  test('can read whatever an admin can read', () => {
    const admin = able('ADMIN');
    for (const subject of [...GRANTABLE_SUBJECTS, 'Round', 'Message', 'CashDay', 'ReadToken'] as const)
      expect([subject, token(...every).can('read', subject)]).toEqual([subject, admin.can('read', subject)]);
    expect(token('RESULTS').can('list', 'User')).toBe(true);
  });

  test('can read interviews of earlier days only if it may export', () => {
    const old = asSubject('Survey', survey({ createdAt: justBefore(DAY_START), location: THERE }));
    const today = asSubject('Survey', survey({ createdBy: id(), location: THERE }));
    expect([token('EXPORTS').can('read', today), token('EXPORTS').can('read', old)]).toEqual([true, true]);
    const without = token('RESULTS', 'RECRUITMENT');
    expect([without.can('read', today), without.can('read', old)]).toEqual([true, false]);
  });

  test.each(ACTIONS.filter((action) => action !== 'read' && action !== 'list'))(
    'cannot %s anything, not even its own record',
    (action) => {
      const record = { _id: ME, createdBy: ME, location: HERE, createdAt: NOW, role: 'VOLUNTEER' };
      for (const subject of [...GRANTABLE_SUBJECTS, 'Round', 'Message', 'CashDay', 'ReadToken'] as const)
        expect([subject, token(...every).can(action, asSubject(subject, record))]).toEqual([subject, false]);
    },
  );
});
