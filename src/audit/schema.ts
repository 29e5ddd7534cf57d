/** Who did what when, on the wire. Browser-safe. */
import { z } from 'zod';
import { DayOrInstant, Id, IdInput, Instant } from '../http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../http/list-schema.ts';
import { AUDITED } from '../rights/names.ts';

export const AuditAction = z.enum([
  'create',
  'update',
  'delete',
  'download',
  'check',
  'signOut',
  'signInCode',
  'signIn',
  'erase',
  'read',
]);
export type AuditAction = z.infer<typeof AuditAction>;

/** Which records have audit events. */
export const AuditSubject = z.enum(AUDITED);

/** What a record is called, in place of its id; of a deleted one what it was called last. */
export const RecordName = z
  .object({
    subject: z.string().meta({ description: 'What kind of record.', example: 'Survey' }),
    name: z.string().nullable().meta({ description: 'Of a person, a site, a version of the questions.' }),
    code: z.string().nullable().meta({ description: 'Of an interview the coupon that it came with.' }),
    location: Id.nullable().meta({ description: 'The site that it belongs to.' }),
    questionnaire: Id.nullable().meta({ description: 'Of an interview: the version that it answers.' }),
    deleted: z.boolean(),
  })
  .meta({ id: 'RecordName' });
export type RecordName = z.infer<typeof RecordName>;

export const Names = z.record(z.string(), RecordName).meta({
  description: 'Id → name, of the records that are named here and that the caller may know.',
  example: {},
});

export const Changed = z
  .object({
    path: z.string(),
    before: z.unknown(),
    after: z.unknown(),
    erased: z.literal(true).optional().meta({ description: 'Both values were erased.' }),
  })
  .meta({ example: { path: 'responses.networkSize', before: 12, after: 15 } });
export type Change = z.infer<typeof Changed>;

export const AuditEvent = z
  .object({
    id: Id,
    at: Instant,
    by: Id.nullable().meta({ description: 'Null for a command of an operator.' }),
    action: AuditAction,
    subject: z.string().meta({ description: 'What kind of record.', example: 'Survey' }),
    record: Id,
    location: Id.nullable().meta({ description: 'The site that it is about.' }),
    reason: z.string().nullable().meta({ description: 'Where whoever did it gave one.' }),
    names: Names,
    changes: z.array(Changed).meta({
      description: 'Empty of a survey that the caller may not read; see `hidden`.',
      example: [{ path: 'status', before: 'IN_PROGRESS', after: 'COMPLETED' }],
    }),
    hidden: z
      .boolean()
      .meta({ description: 'The changes are not shown: the caller may not read the survey.' }),
    byItself: z.boolean().meta({
      description:
        'The service did it, after what `by` did: an interview’s place in the tree followed another one’s.',
    }),
  })
  .meta({ id: 'AuditEvent' });

export const AuditList = listSchema(AuditEvent).meta({ id: 'AuditList' });

export const AuditQuery = z.strictObject({
  ...creationSortedQuery,
  by: IdInput.optional(),
  subject: AuditSubject.optional(),
  record: IdInput.optional(),
  location: IdInput.optional().meta({
    description: 'What is about this site: its interviews, people, seeds.',
  }),
  code: z.string().trim().min(1).max(50).optional().meta({
    description:
      'What concerns this coupon: itself, its seed, the interviews that gave it out or came with it.',
    example: 'ABCD-EFGC',
  }),
  action: AuditAction.optional(),
  reads: z.enum(['false']).optional().meta({
    description: '`false` leaves out who read what, unless `action` asks for it.',
  }),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
