/** Users in requests and replies. Browser-safe. */
import { z } from 'zod';
import { atLeastOneField, Id, IdInput, Instant, Name } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { GRANTABLE_SUBJECTS } from '../../platform/rights/names.ts';

export const ROLE_NAMES = ['SUPER_ADMIN', 'ADMIN', 'MANAGER', 'VOLUNTEER'] as const;
export const Role = z.enum(ROLE_NAMES);
export type Role = z.infer<typeof Role>;

export const ApprovalStatus = z.enum(['PENDING', 'APPROVED', 'REJECTED']);
export type ApprovalStatus = z.infer<typeof ApprovalStatus>;

/** Defined in access/rules/conditions.ts. */
export const GrantConditionName = z.enum([
  'IS_SELF',
  'IS_CREATED_BY_SELF',
  'WAS_CREATED_TODAY',
  'HAS_SAME_LOCATION',
  'HAS_VOLUNTEER_ROLE',
  'HAS_MANAGER_ROLE',
  'HAS_ADMIN_ROLE',
]);
export type GrantConditionName = z.infer<typeof GrantConditionName>;

/** A right beyond the role. All of its conditions must be met. */
export const Grant = z.strictObject({
  action: z.enum([
    'create',
    'read',
    'update',
    'delete',
    'list',
    'review',
    'import',
    'erase',
    'pay',
    'withdraw',
  ]),
  subject: z.enum(GRANTABLE_SUBJECTS),
  conditions: z.array(GrantConditionName).max(7),
});
export type Grant = z.infer<typeof Grant>;

/** Whether the study requires a second factor. */
export const SecondFactorMode = z.enum(['OFF', 'OPTIONAL', 'REQUIRED']);
export type SecondFactorMode = z.infer<typeof SecondFactorMode>;

/** Whether a session has a second factor, and what its owner must do if it needs one. */
export const SecondFactorStatus = z.enum(['NOT_NEEDED', 'VERIFIED', 'VERIFY', 'ENROLL', 'SIGN_IN_AGAIN']);
export type SecondFactorStatus = z.infer<typeof SecondFactorStatus>;

export const User = z
  .object({
    id: Id,
    firstName: z.string().meta({ example: 'Bo' }),
    lastName: z.string().meta({ example: 'Lind' }),
    phone: z.string().meta({ description: 'E.164.', example: '+12065550123' }),
    email: z.string().nullable().meta({ example: 'bo@example.org' }),
    role: Role,
    approvalStatus: ApprovalStatus,
    approvedBy: Id.nullable(),
    location: Id.nullable().meta({ description: 'The assigned location.' }),
    permissions: z.array(Grant),
    passkeys: z
      .array(z.object({ createdAt: Instant }))
      .optional()
      .meta({ description: 'When each of the user’s passkeys was added. Absent if there are none.' }),
    createdAt: Instant,
    updatedAt: Instant,
  })
  .meta({ id: 'User' });

export const UserList = listSchema(User).meta({ id: 'UserList' });

/** As typed; lib/text/phone.ts checks whether it is a phone number. */
export const PhoneInput = z
  .string()
  .trim()
  .min(1, FAULTS.NO_PHONE)
  .max(40, FAULTS.PHONE_TOO_LONG)
  .meta({ example: '+12065550123' });

export const Email = z
  .string()
  .trim()
  .max(254, 'at most 254 characters')
  .pipe(z.email(FAULTS.NOT_EMAIL))
  .meta({ type: 'string', format: 'email', example: 'bo@example.org' });

export const UserQuery = z.strictObject({
  ...creationSortedQuery,
  sort: z
    .enum(['createdAt', '-createdAt', 'firstName', '-firstName'])
    .default('-createdAt')
    .meta({ description: '`firstName`: by first name, then last name.' }),
  location: IdInput.optional(),
  status: ApprovalStatus.optional(),
  role: Role.optional(),
  decidable: z.enum(['true', 'false']).optional().meta({
    description: '`true`: only pending users whom the caller can approve or reject.',
  }),
  withoutPasskey: z.enum(['true']).optional().meta({
    description:
      '`true`: only approved users without a passkey who would need one if the study required it (`secondFactor: REQUIRED`): all but volunteers without grants.',
  }),
  search: z.string().trim().min(1).max(100).optional().meta({
    description:
      'Words in upper or lower case: each the beginning of a name, or at least 3 digits of the phone number.',
  }),
});
export type UserQuery = z.infer<typeof UserQuery>;

/** The reply to creating an account, with warnings for the caller. */
export const CreatedUser = User.extend({
  warnings: z
    .array(z.object({ path: z.string(), code: z.string(), message: z.string() }))
    .optional()
    .meta({
      description: 'Absent if there are none. PHONE_NOT_SERVED: no one-time code is sent to this number.',
      example: [],
    }),
}).meta({ id: 'CreatedUser' });
export type CreatedUser = z.infer<typeof CreatedUser>;

export const UserCreate = z.strictObject({
  phone: PhoneInput,
  firstName: Name,
  lastName: Name,
  email: Email.nullable().optional(),
  role: Role,
  location: IdInput.nullable().optional(),
  approvalStatus: z.enum(['PENDING', 'APPROVED']).default('PENDING'),
});
export type UserCreate = z.infer<typeof UserCreate>;

/** Decisions about someone that can be undone. */
const decided = {
  approvalStatus: ApprovalStatus.optional(),
  role: Role.optional(),
};

export const UserPatch = z
  .strictObject({
    firstName: Name.optional(),
    lastName: Name.optional(),
    email: Email.nullable().optional(),
    role: Role.optional(),
    location: IdInput.nullable().optional(),
    approvalStatus: ApprovalStatus.optional(),
    permissions: z.array(Grant).max(50).optional(),
    was: z
      .strictObject({ ...decided, location: IdInput.nullable().optional() })
      .optional()
      .meta({
        description:
          'The values that the caller knows. If one of them has changed since, nothing is changed and the reply is 409 EDIT_CONFLICT.',
        example: { approvalStatus: 'PENDING' },
      }),
  })
  // A condition alone changes nothing.
  .refine(({ was, ...changes }) => atLeastOneField[0](changes), atLeastOneField[1])
  .meta({ id: 'UserPatch', minProperties: 1 });
export type UserPatch = z.infer<typeof UserPatch>;

export const UserDecisionQuery = z.strictObject({
  user: IdInput.optional().meta({
    description: 'The last decision of each kind on this user, by anyone.',
  }),
});

const Decision = z.object({
  at: Instant,
  by: Id.nullable().meta({ description: 'Null for a command run by an operator.' }),
  user: User,
  changes: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })).meta({
    description: 'Changes of `approvalStatus` and `role`, or of `location`.',
    example: [{ path: 'approvalStatus', before: 'PENDING', after: 'APPROVED' }],
  }),
  undo: z
    .object({
      ...decided,
      location: Id.nullable().optional(),
      was: z.object({ ...decided, location: Id.nullable().optional() }),
    })
    .meta({
      description:
        'The body of the PATCH that undoes it. Its `was` makes sure that no later decision is undone.',
      example: { approvalStatus: 'PENDING', was: { approvalStatus: 'APPROVED' } },
    }),
});

export const UserDecisionList = z.object({ data: z.array(Decision) }).meta({ id: 'DecisionList' });
