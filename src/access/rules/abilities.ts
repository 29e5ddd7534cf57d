/**
 * All permissions: one function per role, grants to individual users, and general prohibitions. Everything that no rule
 * allows is forbidden. A pure function: time and place are arguments. Actions: `list` exists for users only (a
 * volunteer may read their own record but gets no list); `reopen` takes an account back from REJECTED; `signIn` creates
 * a sign-in code for a user; `review`, `import` and `erase` exist for surveys, `pay` and `withdraw` for incentives.
 * `docs/roles.md` is generated from these rules.
 */
import { AbilityBuilder, createMongoAbility } from '@casl/ability';
import type { Types } from 'mongoose';
import type { ReferralCodeRecord } from '../../coupons/referral-codes/model.ts';
import type { SeedRecord } from '../../coupons/seeds/model.ts';
import type { CardRecord } from '../../interviews/cards/model.ts';
import type { CashDayRecord } from '../../interviews/cash-days/model.ts';
import type { IncentiveRecord } from '../../interviews/incentives/model.ts';
import type { MessageRecord } from '../../interviews/messages/model.ts';
import type { SurveyRecord } from '../../interviews/surveys/model.ts';
import type { AuditEventRecord } from '../../platform/audit/model.ts';
import {
  ACTIONS,
  type AppAbility,
  type PermissionAction,
  type Subject,
} from '../../platform/rights/ability.ts';
import { caslConditionsMatcher } from '../../platform/rights/matcher.ts';
import type { QuestionnaireRecord } from '../../questionnaires/model.ts';
import type { LocationRecord } from '../../study/locations/model.ts';
import type { RoundRecord } from '../../study/rounds/model.ts';
import type { StudyRecord } from '../../study/settings/model.ts';
import type { ReadTokenRecord } from '../../study/tokens/model.ts';
import type { TokenScope } from '../../study/tokens/schema.ts';
import type { UserRecord } from '../../study/users/model.ts';
import type { Grant, Role } from '../../study/users/schema.ts';
import { type AccessConditionContext, namedAccessConditions } from './conditions.ts';

/** The record of each subject, so that a misspelled field in a rule doesn't compile. */
declare module '../../platform/rights/ability.ts' {
  interface RecordsBySubject {
    AuditEvent: AuditEventRecord;
    Seed: SeedRecord;
    ReferralCode: ReferralCodeRecord;
    Incentive: IncentiveRecord;
    CashDay: CashDayRecord;
    Card: CardRecord;
    Message: MessageRecord;
    Survey: SurveyRecord;
    User: UserRecord;
    ReadToken: ReadTokenRecord;
    Location: LocationRecord;
    Round: RoundRecord;
    Study: StudyRecord;
    Questionnaire: QuestionnaireRecord;
  }
}

export interface AbilityInput extends AccessConditionContext {
  user: { _id: Types.ObjectId; role: Role; permissions: Grant[] };
}

type Builder = AbilityBuilder<AppAbility>;
type Where = ReturnType<typeof namedAccessConditions>;

const PROFILE = ['firstName', 'lastName', 'email'];

function addCommonRights({ can }: Builder, where: Where): void {
  can('read', 'Location');
  can('read', 'Questionnaire');
  can('read', 'Study');
  can('read', 'Round');
  can(['create', 'read'], 'Seed');
  // By the site of payment: the payer's current site.
  can('pay', 'Incentive', where.HAS_SAME_LOCATION);
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
    can('signIn', 'User', where.HAS_ROLE('VOLUNTEER', 'MANAGER'));
    can(['create', 'read', 'update', 'delete', 'review'], 'Survey', where.WAS_CREATED_TODAY);
    can('import', 'Survey');
    can('delete', 'Seed');
    can(['create', 'update', 'delete'], 'Location');
    can(['create', 'update'], 'Questionnaire');
    can(['create', 'read', 'update'], 'ReferralCode');
    can('update', 'Study');
    can('read', 'AuditEvent');
    can('read', 'Recruitment');
    can(['read', 'pay', 'withdraw'], 'Incentive');
    can('read', 'Message');
    can(['create', 'read', 'update'], 'CashDay');
  },

  MANAGER: ({ can }, where) => {
    const hereToday = { ...where.HAS_SAME_LOCATION, ...where.WAS_CREATED_TODAY };
    can(['read', 'list'], 'User');
    can('create', 'User', { ...where.HAS_VOLUNTEER_ROLE, ...where.HAS_SAME_LOCATION });
    can('update', 'User', ['approvalStatus', 'location'], { ...where.HAS_VOLUNTEER_ROLE, ...hereToday });
    can('signIn', 'User', { ...where.HAS_VOLUNTEER_ROLE, ...where.HAS_SAME_LOCATION });
    can('create', 'Survey', where.HAS_SAME_LOCATION);
    can(['read', 'update', 'review'], 'Survey', hereToday);
    can('create', 'ReferralCode');
    can('read', 'Recruitment', where.HAS_SAME_LOCATION);
    can('read', 'Incentive', { ...where.HAS_SAME_LOCATION, ...where.WAS_RECORDED_TODAY });
    can(['create', 'read', 'update'], 'CashDay', { ...where.HAS_SAME_LOCATION, ...where.IS_FOR_TODAY });
  },

  VOLUNTEER: ({ can }, where) => {
    can('create', 'Survey');
    can(['read', 'update'], 'Survey', {
      ...where.IS_CREATED_BY_SELF,
      ...where.WAS_CREATED_TODAY,
      ...where.HAS_SAME_LOCATION,
    });
    can('read', 'Incentive', { ...where.IS_PAID_BY_SELF, ...where.WAS_RECORDED_TODAY });
  },
};

/** Extra rights that a super-admin gave to one user. No grant covers role, approval or permissions. */
function applyGrant({ can }: Builder, grant: Grant, where: Where): void {
  // The compiler can't check these conditions, because the subject is only known at run time.
  const allow = can as (action: PermissionAction, subject: Subject, ...rest: unknown[]) => unknown;
  const conditions = grant.conditions.map((name) => where[name]);
  const all = conditions.length > 0 ? { $and: conditions } : {};
  if (grant.subject !== 'User') allow(grant.action, grant.subject, all);
  else if (grant.action === 'update') allow('update', 'User', [...PROFILE, 'location'], all);
  else if (grant.action === 'create')
    allow('create', 'User', { $and: [...conditions, where.HAS_VOLUNTEER_ROLE] });
  else allow(grant.action, 'User', all);
  // Reviewers may also read the interview. Nobody reviews an interview that they held or entered themselves.
  if (grant.action === 'review' && grant.subject === 'Survey')
    allow('read', 'Survey', { $and: [...conditions, where.IS_CREATED_BY_OTHERS] });
  // Days are closed by people who see all payments at a site.
  const ofSites = grant.conditions.every((name) => name === 'HAS_SAME_LOCATION');
  if (grant.action === 'read' && grant.subject === 'Incentive' && ofSites)
    for (const action of ['create', 'read', 'update'] as const) allow(action, 'CashDay', all);
}

/**
 * Settings that only a super-admin can change: the time zone determines which day is today, and the others protect
 * respondents from being identified or texted, even by admins, and accounts from being taken over.
 */
const SUPER_ADMIN_SETTINGS = [
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
];

/** Must come after roles and grants, because the last matching rule decides. */
function addProhibitions({ cannot }: Builder, where: Where, role: Role): void {
  cannot('update', 'User', ['role', 'approvalStatus', 'permissions'], where.IS_SELF);
  cannot('delete', 'User', where.IS_SELF);
  cannot('signIn', 'User', where.HAS_ROLE('SUPER_ADMIN'));
  if (role === 'SUPER_ADMIN') return;
  // Otherwise a sign-in code would hand over the grants to whoever creates it.
  cannot('signIn', 'User', where.HAS_GRANTS);
  // Super-admins may, because there may be only one of them.
  cannot('review', 'Survey', where.IS_CREATED_BY_SELF);
  cannot('review', 'Survey', where.IS_IMPORTED_BY_SELF);
  // Whoever gives out cards must not be able to make one disappear.
  cannot('update', 'Card');
  cannot('update', 'Study', SUPER_ADMIN_SETTINGS);
  // With a retention period, the end date determines when all answers are erased.
  cannot('update', 'Study', ['endsOn'], where.HAS_RETENTION_PERIOD);
}

/** All actions except reading; 'manage' would include everything. */
const CHANGES = ACTIONS.filter((action) => !['manage', 'list', 'read'].includes(action));

/** The rights of a program with a read token: whatever an admin may read and, with EXPORTS, every interview. */
export const abilityOfToken = (input: AccessConditionContext, scopes: readonly TokenScope[]): AppAbility =>
  buildAbility(input, (builder, where) => {
    ROLES.ADMIN(builder, where);
    if (scopes.includes('EXPORTS')) builder.can('read', 'Survey');
    builder.cannot(CHANGES, 'all');
  });

export const abilityFor = (input: AbilityInput): AppAbility =>
  buildAbility(input, (builder, where) => {
    const { role, permissions } = input.user;
    ROLES[role](builder, where);
    for (const grant of permissions ?? []) applyGrant(builder, grant, where);
    addProhibitions(builder, where, role);
  });

function buildAbility(
  input: AccessConditionContext,
  addRights: (builder: Builder, where: Where) => void,
): AppAbility {
  const builder: Builder = new AbilityBuilder<AppAbility>(createMongoAbility);
  const where = namedAccessConditions(input);
  addCommonRights(builder, where);
  addRights(builder, where);
  return builder.build({ conditionsMatcher: caslConditionsMatcher });
}
