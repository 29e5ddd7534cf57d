/** Audit events in requests and replies. Browser-safe. */
import { z } from 'zod';
import { DayOrInstant, Id, IdInput, Instant } from '../http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../http/lists/list-schema.ts';
import { AUDITED_SUBJECTS } from '../rights/names.ts';

export const AuditAction = z.enum([
  'create',
  'update',
  'delete',
  'download',
  'check',
  'unseal',
  'signOut',
  'endSession',
  'signInCode',
  'signIn',
  'signInFailed',
  'lockOut',
  'erase',
  'read',
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** Why someone could not sign in: the reason of `signInFailed` and `lockOut`. */
export const SIGN_IN_FAILURE_REASONS = [
  'WRONG_CODE',
  'NO_CODE',
  'WRONG_PASSKEY',
  'PASSKEY_COUNTER',
  'WRONG_RECOVERY_CODE',
  'TOO_MANY_GUESSES',
  'TOO_MANY_CODES',
] as const;
export type SignInFailureReason = (typeof SIGN_IN_FAILURE_REASONS)[number];

/** Which records have audit events. */
export const AuditSubject = z.enum(AUDITED_SUBJECTS);

/** The name shown instead of a record's id; for a deleted record, its last name. */
export const RecordName = z
  .object({
    subject: z.string().meta({ description: 'The type of record.', example: 'Survey' }),
    name: z
      .string()
      .nullable()
      .meta({ description: 'The name of a person, a site or a questionnaire version.' }),
    code: z
      .string()
      .nullable()
      .meta({ description: 'For an interview, the code of the coupon that was presented.' }),
    location: Id.nullable().meta({ description: 'The site it belongs to.' }),
    questionnaire: Id.nullable().meta({ description: 'For an interview, its questionnaire version.' }),
    interview: Id.optional().meta({
      description: 'For an incentive, its interview, whose name is then in the list too.',
    }),
    deleted: z.boolean(),
  })
  .meta({ id: 'RecordName' });
export type RecordName = z.infer<typeof RecordName>;

export const RecordNamesById = z.record(z.string(), RecordName).meta({
  description: 'Id → name, for records mentioned here whose names the caller may know.',
  example: {},
});

export const ChangedField = z
  .object({
    path: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    erased: z.literal(true).optional().meta({ description: 'Both values were erased.' }),
  })
  .meta({ example: { path: 'responses.networkSize', before: 12, after: 15 } });
export type AuditedFieldChange = z.infer<typeof ChangedField>;

export const AuditEvent = z
  .object({
    id: Id,
    at: Instant,
    by: Id.nullable().meta({ description: 'Null for a command run by an operator.' }),
    action: AuditAction,
    subject: z.string().meta({ description: 'The type of record.', example: 'Survey' }),
    record: Id,
    location: Id.nullable().meta({ description: 'The site it is about.' }),
    reason: z.string().nullable().meta({ description: 'The reason, if one was given.' }),
    names: RecordNamesById,
    changes: z.array(ChangedField).meta({
      description: 'Empty for a survey that the caller may not read; see `hidden`.',
      example: [{ path: 'status', before: 'IN_PROGRESS', after: 'COMPLETED' }],
    }),
    hidden: z
      .boolean()
      .meta({ description: 'The changes are not shown, because the caller may not read the survey.' }),
    automatic: z.boolean().meta({
      description:
        'An automatic change that followed from what `by` did: the interview’s place in the tree changed because another one’s did.',
    }),
  })
  .meta({ id: 'AuditEvent' });

export const AuditEventList = listSchema(AuditEvent).meta({ id: 'AuditList' });

export const AuditQuery = z.strictObject({
  ...creationSortedQuery,
  by: IdInput.optional(),
  subject: AuditSubject.optional(),
  record: IdInput.optional(),
  location: IdInput.optional().meta({
    description: 'Only events about this site: its interviews, people and seeds.',
  }),
  code: z.string().trim().min(1).max(50).optional().meta({
    description:
      'Only events about this coupon: the coupon itself, its seed, and the interviews that handed it out or presented it.',
    example: 'ABCD-EFGC',
  }),
  action: AuditAction.optional(),
  reads: z.enum(['false']).optional().meta({
    description: '`false` leaves out read events, unless `action` selects them.',
  }),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
