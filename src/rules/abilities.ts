/**
 * All rights of the service on one page: a function a role, grants to one user, and what nobody may. Everything that
 * no rule allows is forbidden. Pure: the clock and the caller's place are arguments.
 *
 * Actions: `list` is asked of users only (a volunteer reads the own record but gets no list); `reopen` is the way
 * back from REJECTED; `review` and `import` are asked of surveys. `docs/roles.md` is written from these rules.
 */
import { AbilityBuilder, createMongoAbility } from '@casl/ability';
import type { Types } from 'mongoose';
import type { Action, AppAbility, Subject } from '../rights/ability.ts';
import { conditionsMatcher } from '../rights/matcher.ts';
import type { Grant, Role } from '../users/schema.ts';
import { conditionsFor, type Viewpoint } from './conditions.ts';

export interface AbilityInput extends Viewpoint {
  user: { _id: Types.ObjectId; role: Role; permissions: Grant[] };
}

type Builder = AbilityBuilder<AppAbility>;
type Where = ReturnType<typeof conditionsFor>;

const PROFILE = ['firstName', 'lastName', 'email'];

function everyone({ can }: Builder, where: Where): void {
  can('read', 'Location');
  can('read', 'Questionnaire');
  can('read', 'Study');
  can(['create', 'read'], 'Seed');
  can('read', 'User', where.IS_SELF);
  can('update', 'User', PROFILE, where.IS_SELF);
}

const ROLES: Record<Role, (builder: Builder, where: Where) => void> = {
  SUPER_ADMIN: ({ can }) => {
    can('manage', 'all');
  },

  ADMIN: ({ can }, where) => {
    const staff = where.HAS_ROLE('VOLUNTEER', 'MANAGER', 'ADMIN');
    can(['read', 'list'], 'User');
    can(['create', 'delete'], 'User', staff);
    can('update', 'User', ['approvalStatus', 'role', 'location'], staff);
    can(['create', 'read', 'update', 'delete', 'review'], 'Survey', where.WAS_CREATED_TODAY);
    can('import', 'Survey');
    can('delete', 'Seed');
    can(['create', 'update', 'delete'], 'Location');
    can(['create', 'update'], 'Questionnaire');
    can(['create', 'read', 'update'], 'ReferralCode');
    can('update', 'Study');
    can('read', 'AuditEvent');
    can('read', 'Recruitment');
  },

  MANAGER: ({ can }, where) => {
    const hereToday = { ...where.HAS_SAME_LOCATION, ...where.WAS_CREATED_TODAY };
    can(['read', 'list'], 'User');
    can('create', 'User', { ...where.HAS_VOLUNTEER_ROLE, ...where.HAS_SAME_LOCATION });
    can('update', 'User', ['approvalStatus', 'location'], { ...where.HAS_VOLUNTEER_ROLE, ...hereToday });
    can('create', 'Survey', where.HAS_SAME_LOCATION);
    can(['read', 'update', 'review'], 'Survey', hereToday);
    can('create', 'ReferralCode');
    can('read', 'Recruitment', where.HAS_SAME_LOCATION);
  },

  VOLUNTEER: ({ can }, where) => {
    can('create', 'Survey');
    can(['read', 'update'], 'Survey', {
      ...where.IS_CREATED_BY_SELF,
      ...where.WAS_CREATED_TODAY,
      ...where.HAS_SAME_LOCATION,
    });
  },
};

/** Rights beyond the role, given to one user by a super-admin. No grant reaches role, approval or permissions. */
function granted({ can }: Builder, grant: Grant, where: Where): void {
  // The record's type is known at run time only, so the compiler can't check these conditions.
  const allow = can as (action: Action, subject: Subject, ...rest: unknown[]) => unknown;
  const named = grant.conditions.map((name) => where[name]);
  const all = named.length > 0 ? { $and: named } : {};
  if (grant.subject !== 'User') allow(grant.action, grant.subject, all);
  else if (grant.action === 'update') allow('update', 'User', [...PROFILE, 'location'], all);
  else if (grant.action === 'create') allow('create', 'User', { $and: [...named, where.HAS_VOLUNTEER_ROLE] });
  else allow(grant.action, 'User', all);
}

/**
 * Settings that only a super-admin changes: the zone decides which day is today, and the others protect people from
 * being found, also by those who would change them.
 */
const SUPER_ADMIN_SETTINGS = ['timeZone', 'smallestCell', 'outcomes', 'repeatCheck'];

/** Added after all roles and grants: the last rule that speaks of a field decides. */
function nobody({ cannot }: Builder, where: Where, role: Role): void {
  cannot('update', 'User', ['role', 'approvalStatus', 'permissions'], where.IS_SELF);
  cannot('delete', 'User', where.IS_SELF);
  if (role === 'SUPER_ADMIN') return;
  // A super-admin may be the only one there is.
  cannot('review', 'Survey', where.IS_CREATED_BY_SELF);
  cannot('update', 'Study', SUPER_ADMIN_SETTINGS);
}

export function abilityFor(input: AbilityInput): AppAbility {
  const builder: Builder = new AbilityBuilder<AppAbility>(createMongoAbility);
  const where = conditionsFor(input);
  everyone(builder, where);
  ROLES[input.user.role](builder, where);
  for (const grant of input.user.permissions ?? []) granted(builder, grant, where);
  nobody(builder, where, input.user.role);
  return builder.build({ conditionsMatcher });
}
