/** The guard, called without a route: may this caller read, create and change this record? */
import { AbilityBuilder, createMongoAbility } from '@casl/ability';
import { SurveyModel } from '../../src/interviews/surveys/model.ts';
import { AuditEventModel } from '../../src/platform/audit/model.ts';
import { inTransaction } from '../../src/platform/db/transaction.ts';
import type { AppAbility } from '../../src/platform/rights/ability.ts';
import {
  loadPermittedRecord,
  parseId,
  permittedFilter,
  readsAll,
  requireMayChange,
  requireReadsAll,
  requireRightToCreate,
  visibleFilter,
} from '../../src/platform/rights/guard.ts';
import { UserModel } from '../../src/study/users/model.ts';
import type { Role } from '../../src/study/users/schema.ts';
import {
  able,
  closeDatabase,
  deleteUser,
  HERE,
  ME,
  NOW,
  newId,
  openDatabase,
  refusal,
  storedSurvey,
  storedUser,
  THERE,
} from '../database.ts';

const FORBIDDEN = expect.objectContaining({ name: 'FORBIDDEN' });
const NOT_FOUND = expect.objectContaining({ name: 'NOT_FOUND' });

beforeAll(openDatabase);
afterAll(closeDatabase);

describe('an id in the path', () => {
  test('is 24 hex digits in either case', () => {
    const text = '0123456789abcdefABCDEF01';
    expect(parseId(text).toHexString()).toBe(text.toLowerCase());
  });

  test.each(['', 'null', '0123456789abcdef0123456', '0123456789abcdef012345678', 'x123456789abcdef01234567'])(
    'is NOT_FOUND if it is %j',
    (text) => {
      for (const one of [text, ` ${text}`, `${text}\n`])
        expect(refusal(() => parseId(one))).toBe('NOT_FOUND');
    },
  );

  test('is NOT_FOUND with extra characters before or after it', () => {
    const text = '0123456789abcdef01234567';
    for (const one of [`x${text}`, `${text}x`]) expect(refusal(() => parseId(one))).toBe('NOT_FOUND');
  });
});

describe('the filter of permitted records', () => {
  const matchingIds = async (filter: object) =>
    (await UserModel.find({ $and: [{ lastName: 'Filtered' }, filter] }).lean()).map((one) => one._id);

  test('depends on the field, and matches nothing without a rule', async () => {
    const [here] = [
      await storedUser({ lastName: 'Filtered', location: HERE }),
      await storedUser({ lastName: 'Filtered', location: THERE }),
      await storedUser({ lastName: 'Filtered', location: HERE, role: 'ADMIN' }),
    ];
    expect(await matchingIds(permittedFilter(able('MANAGER'), 'update', 'User', 'location'))).toEqual([here]);
    expect(await matchingIds(permittedFilter(able('MANAGER'), 'update', 'User', 'firstName'))).toEqual([]);
    expect(await matchingIds(permittedFilter(able('MANAGER'), 'delete', 'User'))).toEqual([]);
    expect(await matchingIds(permittedFilter(able('MANAGER'), 'read', 'User'))).toHaveLength(3);
  });
});

test('the filter of permitted records leaves out the caller’s own account for decisions about it', async () => {
  const other = await storedUser({ lastName: 'Decided' });
  await storedUser({ _id: ME, lastName: 'Decided', role: 'SUPER_ADMIN' });
  const filter = permittedFilter(able('SUPER_ADMIN'), 'update', 'User', 'approvalStatus');
  const users = await UserModel.find({ $and: [{ lastName: 'Decided' }, filter] }).lean();
  expect(users.map((one) => one._id)).toEqual([other]);
});

test('figures about everyone are forbidden to people who may read only a part, or nothing', () => {
  const asked = (role: Role) => refusal(() => requireReadsAll(able(role), 'Recruitment'));
  expect([asked('SUPER_ADMIN'), asked('ADMIN')]).toEqual([null, null]);
  expect([asked('MANAGER'), asked('VOLUNTEER')]).toEqual(['FORBIDDEN', 'FORBIDDEN']);
});

test('the filter of permitted records reads none of them without a rule', async () => {
  await storedUser();
  const filter = permittedFilter(able('MANAGER'), 'delete', 'User');
  const { executionStats } = await UserModel.collection.find(filter).explain('executionStats');
  expect(executionStats).toMatchObject({ nReturned: 0, totalDocsExamined: 0 });
});

describe('a person who can read everything', () => {
  const ruled = (define: (rules: AbilityBuilder<AppAbility>) => void) => {
    const rules = new AbilityBuilder<AppAbility>(createMongoAbility);
    define(rules);
    return readsAll({ ability: rules.build() }, 'Survey');
  };

  test('has a rule without conditions and no prohibition', () => {
    expect(ruled(({ can }) => can('read', 'Survey'))).toBe(true);
    expect(ruled(({ can }) => can('read', 'Survey', {}))).toBe(true);
    expect(ruled(() => undefined)).toBe(false);
    expect(ruled(({ can }) => can('list', 'Survey'))).toBe(false);
    expect(ruled(({ can }) => can('read', 'Survey', { location: HERE }))).toBe(false);
    expect(ruled(({ cannot }) => cannot('read', 'Survey'))).toBe(false);
    const partly = ({ can, cannot }: AbilityBuilder<AppAbility>) => {
      can('read', 'Survey', { location: HERE });
      can('read', 'Survey');
      cannot('read', 'Survey', { location: THERE });
    };
    expect(ruled(partly)).toBe(false);
  });
});

describe('a list', () => {
  test('contains only matching, visible records that are not deleted', async () => {
    const [existingUser, deletedUser] = [
      await storedUser({ lastName: 'Kept' }),
      await storedUser({ lastName: 'Kept' }),
    ];
    await storedUser({ lastName: 'Else' });
    await deleteUser(deletedUser);
    const filter = visibleFilter(able('ADMIN'), ['list', 'read'], UserModel, { lastName: 'Kept' });
    expect((await UserModel.find(filter).lean()).map((one) => one._id)).toEqual([existingUser]);
  });

  test('contains only records that can be read one by one', async () => {
    const mine = await storedSurvey(ME, HERE);
    await storedSurvey(ME, THERE);
    await storedSurvey(await storedUser(), HERE);
    const surveys = await SurveyModel.find(
      visibleFilter(able('VOLUNTEER'), ['read'], SurveyModel, {}),
    ).lean();
    expect(surveys.map((one) => one._id)).toEqual([mine]);
  });

  test('has no filter for deletion if records are never deleted', () => {
    const filter = visibleFilter(able('ADMIN'), ['read'], AuditEventModel, { record: ME });
    expect(filter.$and?.slice(0, 1)).toEqual([{ record: ME }]);
    expect(filter.$and).toHaveLength(2);
  });

  test('is forbidden if one of the required permissions is missing entirely', () => {
    expect(refusal(() => visibleFilter(able('VOLUNTEER'), ['list', 'read'], UserModel, {}))).toBe(
      'FORBIDDEN',
    );
    expect(refusal(() => visibleFilter(able('VOLUNTEER'), ['read', 'list'], UserModel, {}))).toBe(
      'FORBIDDEN',
    );
    expect(refusal(() => visibleFilter(able('VOLUNTEER'), ['read'], AuditEventModel, {}))).toBe('FORBIDDEN');
    expect(refusal(() => visibleFilter(able('VOLUNTEER'), ['read'], UserModel, {}))).toBeNull();
  });
});

describe.each([
  ['alone', (role: Role, text: string) => loadPermittedRecord(able(role), 'delete', UserModel, text)],
  [
    'in a transaction',
    (role: Role, text: string) =>
      inTransaction((session) => loadPermittedRecord(able(role), 'delete', UserModel, text, session)),
  ],
])('a record loaded %s', (_title, loaded) => {
  test('is 404 if missing, before 403 is checked', async () => {
    const _id = await storedUser({ location: HERE });
    expect(await loaded('ADMIN', String(_id))).toMatchObject({ _id, location: HERE });
    await expect(loaded('VOLUNTEER', String(_id))).rejects.toEqual(FORBIDDEN);
    for (const text of [String(newId()), 'nonsense'])
      await expect(loaded('VOLUNTEER', text)).rejects.toEqual(NOT_FOUND);
  });

  test('is 404 once deleted', async () => {
    const deletedUser = await storedUser();
    await deleteUser(deletedUser);
    for (const role of ['ADMIN', 'VOLUNTEER'] as const)
      await expect(loaded(role, String(deletedUser))).rejects.toEqual(NOT_FOUND);
  });

  test('is checked by its own fields, not only by its subject', async () => {
    const root = await storedUser({ role: 'SUPER_ADMIN' });
    await expect(loaded('ADMIN', String(root))).rejects.toEqual(FORBIDDEN);
  });
});

describe('a change', () => {
  const volunteer = (fields: object = {}) => ({
    _id: newId(),
    role: 'VOLUNTEER',
    location: HERE,
    createdAt: NOW,
    ...fields,
  });
  const change = (role: Role, record: object, changes: object, judgedBefore?: string[]) =>
    refusal(() => requireMayChange(able(role), 'User', record, changes, judgedBefore));

  test('is allowed if each field may be changed, before and after the change', () => {
    expect(change('MANAGER', volunteer(), { approvalStatus: 'APPROVED' })).toBeNull();
    expect(change('ADMIN', volunteer(), { role: 'ADMIN', location: newId() })).toBeNull();
  });

  test('is forbidden if any one field may not be changed', () => {
    expect(change('MANAGER', volunteer(), { approvalStatus: 'APPROVED', firstName: 'X' })).toBe('FORBIDDEN');
    expect(change('MANAGER', volunteer(), { firstName: 'X', approvalStatus: 'APPROVED' })).toBe('FORBIDDEN');
  });

  test('that is forbidden lists only the fields that may not be changed', () => {
    const mixed = { approvalStatus: 'APPROVED', firstName: 'X', permissions: [] };
    expect(() => requireMayChange(able('MANAGER'), 'User', volunteer(), mixed)).toThrow(
      'You don’t have permission to change: firstName, permissions.',
    );
  });

  test('cannot move a record out of the caller’s permissions', () => {
    expect(change('ADMIN', volunteer(), { role: 'SUPER_ADMIN' })).toBe('FORBIDDEN');
    expect(change('MANAGER', volunteer(), { location: newId() })).toBe('FORBIDDEN');
  });

  test('cannot move a record into the caller’s permissions', () => {
    expect(change('ADMIN', volunteer({ role: 'SUPER_ADMIN' }), { role: 'ADMIN' })).toBe('FORBIDDEN');
    expect(change('MANAGER', volunteer({ location: newId() }), { location: HERE })).toBe('FORBIDDEN');
  });

  test('of a field checked by its old value only can move a record out, but not in', () => {
    expect(change('MANAGER', volunteer(), { location: newId() }, ['location'])).toBeNull();
    expect(change('MANAGER', volunteer({ location: newId() }), { location: HERE }, ['location'])).toBe(
      'FORBIDDEN',
    );
    const both = { role: 'ADMIN', location: newId() };
    expect(change('MANAGER', volunteer(), both, ['location'])).toBe('FORBIDDEN');
  });

  test('does not modify the record or the changes', () => {
    const [record, changes] = [volunteer(), { location: newId() }];
    const [was, changesBefore] = [{ ...record }, { ...changes }];
    change('MANAGER', record, changes, ['location']);
    expect([record, changes]).toEqual([was, changesBefore]);
    expect(() => change('ADMIN', Object.freeze(volunteer()), Object.freeze(changes))).not.toThrow();
  });
});

test('a new record is checked by all its fields', () => {
  const make = (role: Role, draft: object) =>
    refusal(() => requireRightToCreate(able(role), 'Survey', draft));
  expect(make('MANAGER', { location: HERE, createdAt: NOW })).toBeNull();
  expect(make('MANAGER', { location: newId(), createdAt: NOW })).toBe('FORBIDDEN');
  expect(make('MANAGER', {})).toBe('FORBIDDEN');
  expect(make('MANAGER', Object.freeze({ location: HERE, createdAt: NOW }))).toBeNull();
});
