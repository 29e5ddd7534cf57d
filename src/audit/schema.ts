/** Who did what when, on the wire. Browser-safe. */
import { z } from 'zod';
import { DayOrInstant, Id, IdIn, Instant } from '../http/fields.ts';
import { byCreation, listOf } from '../http/list.ts';
import { AUDITED } from '../rights/names.ts';

export const AuditAction = z.enum(['create', 'update', 'delete', 'download']);

/** What events are told about: the names of the records. */
export const AuditSubject = z.enum(AUDITED);

export const AuditEvent = z
  .object({
    id: Id,
    at: Instant,
    by: Id.nullable().meta({ description: 'Null for a command of an operator.' }),
    action: AuditAction,
    subject: z.string().meta({ description: 'What kind of record.', example: 'Survey' }),
    record: Id,
    changes: z.array(z.object({ path: z.string(), before: z.unknown(), after: z.unknown() })).meta({
      description: 'Empty of a survey that the caller may not read; see `hidden`.',
      example: [{ path: 'status', before: 'IN_PROGRESS', after: 'COMPLETED' }],
    }),
    hidden: z
      .boolean()
      .meta({ description: 'The changes are not shown: the caller may not read the survey.' }),
  })
  .meta({ id: 'AuditEvent' });

export const AuditList = listOf(AuditEvent).meta({ id: 'AuditList' });

export const AuditQuery = z.strictObject({
  ...byCreation,
  by: IdIn.optional(),
  subject: AuditSubject.optional(),
  record: IdIn.optional(),
  action: AuditAction.optional(),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type AuditQuery = z.infer<typeof AuditQuery>;
