/** Surveys in requests and replies. Browser-safe. */
import { z } from 'zod';
import { CouponCode } from '../../coupons/referral-codes/schema.ts';
import { ChangedField, RecordNamesById } from '../../platform/audit/schema.ts';
import {
  atLeastOneField,
  DayOrInstant,
  GpsPoint,
  Id,
  IdInput,
  Instant,
  InstantInput,
  textSchema,
} from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS } from '../../platform/http/problems/error-codes.ts';
import { FaultParams, FieldErrorCode, FieldErrors } from '../../platform/http/problems/field-errors.ts';
import { ContactInput, ContactStatus } from '../contacts/schema.ts';
import { IncentiveHandedOver, IncentiveMethod } from '../incentives/schema.ts';
import { QUALITY_CHECKS } from './checks.ts';

export const SurveyStatus = z.enum(['IN_PROGRESS', 'COMPLETED']);
export type SurveyStatus = z.infer<typeof SurveyStatus>;

export const FlagCode = z.enum([
  'REFERRAL_CODE_MALFORMED',
  'REFERRAL_CODE_UNKNOWN',
  'REFERRAL_CODE_USED',
  'REFERRAL_CODE_VOID',
  'REFERRAL_CODE_EXPIRED',
  'REFERRAL_CODE_NOT_YET',
  'ISSUED_CODE_REFUSED',
  'RECRUITER_PENDING',
  'SECOND_COPY',
  'CLOCK_ODD',
  'NO_ROUND',
  'IMPORTED',
  'INCENTIVE_NOT_DUE',
  'POSSIBLE_REPEAT',
  'CONTACT_REFUSED',
  'STATUS_REFUSED',
]);
export type FlagCode = z.infer<typeof FlagCode>;

/** A reviewer's decision on a survey. */
export const ReviewState = z.enum(['HAS_ISSUES', 'APPROVED', 'REJECTED']);
export type ReviewState = z.infer<typeof ReviewState>;
const RECEIVED = { state: 'RECEIVED', by: null, at: null } as const;

const Responses = z.record(z.string(), z.unknown()).meta({
  description: 'Question name → answer, in SurveyJS format.',
  example: { consent: 'yes', networkSize: 12 },
});

const Flag = z
  .object({
    code: FlagCode.meta({
      description:
        'CLOCK_ODD: the device’s clock was wrong. The interview ended before it began, or began more than 365 days before it was received or more than six hours before its coupon was handed out (never later than it was first redeemed), its questionnaire version was posted, or its interviewer’s account or the study was created. It is counted and paid by when it was received. NO_ROUND: its round was closed, or none was open, when it was held; it doesn’t count until someone who may review it clears this flag. IMPORTED: someone else entered it for its interviewer (`by`), who may not review it; only people who may review the survey can clear this flag. INCENTIVE_NOT_DUE: something was handed over at the interview although nothing was due; only people who may review the survey can clear this flag. POSSIBLE_REPEAT: another counted interview has the same identity clues; only people who may review the survey can see this flag, filter by it or clear it. CONTACT_REFUSED: a phone number for texts was sent that can’t be used, or the study texts nobody; it was not stored. STATUS_REFUSED: `statusHash` was malformed, or another survey has it, so the person has no page of their own.',
    }),
    referralCode: z.string().nullable().meta({
      description: 'The code that the flag is about; as entered if it can’t be a code.',
      example: 'ABCDEFGC',
    }),
    at: Instant,
    copy: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'For SECOND_COPY: what was sent later with the same clientId.' }),
    by: Id.nullable().optional().meta({
      description: 'For IMPORTED: who entered it; null for an operator’s command.',
    }),
    method: IncentiveMethod.optional().meta({ description: 'For INCENTIVE_NOT_DUE: what was handed over.' }),
    reference: z.string().nullable().optional().meta({ description: 'For INCENTIVE_NOT_DUE.' }),
    strength: z.enum(['EXACT', 'NEAR']).optional().meta({
      description: 'For POSSIBLE_REPEAT. NEAR: all clues but one are the same, or one was skipped.',
    }),
    other: z
      .object({ survey: Id.nullable(), day: z.string().meta({ example: '2026-11-21' }), location: Id })
      .optional()
      .meta({
        description:
          'For POSSIBLE_REPEAT: the earlier survey; `survey` is null if the caller may not read it.',
      }),
  })
  .meta({ id: 'Flag' });

export const Survey = z
  .object({
    id: Id,
    clientId: z.string().meta({
      description: 'The UUID from the device, or one created by the server.',
      example: '5b0c6f6e-52a5-4a6e-9b8e-0f6f2c1d7a11',
    }),
    referralCode: CouponCode.nullable().meta({ description: 'The code it redeemed.' }),
    seed: Id.nullable(),
    recruiter: Id.nullable().meta({ description: 'The survey that handed out this code; null for a seed.' }),
    wave: z
      .int()
      .min(0)
      .nullable()
      .meta({ description: "0 for a seed's survey, otherwise the recruiter's + 1.", example: 1 }),
    issuedCodes: z.array(CouponCode),
    questionnaire: Id,
    responses: Responses,
    networkSize: z.number().nullable().meta({ description: 'Personal degree, as answered.', example: 12 }),
    status: SurveyStatus,
    takesPart: z.literal(false).optional().meta({
      description:
        'Only present if the person declined or is not eligible: the survey issues no coupons and is not in the sample. The server decides this if the questionnaire has `takesPartIf`.',
    }),
    flags: z.array(Flag),
    review: z
      .object({
        state: z.enum([RECEIVED.state, ...ReviewState.options]),
        by: Id.nullable(),
        at: Instant.nullable(),
      })
      .default(RECEIVED)
      .meta({
        description:
          'The last review. RECEIVED: nobody has reviewed these answers. REJECTED ones are not in the sample. `by` is also null if an operator’s command rejected it.',
        example: RECEIVED,
      }),
    coordinates: z
      .object({ latitude: z.number(), longitude: z.number(), accuracy: z.number().optional() })
      .nullable()
      .meta({ example: { latitude: 47.6062, longitude: -122.3321, accuracy: 20 } }),
    location: Id,
    round: Id.meta({
      description: 'The round of its chain; without a chain, the one that was open when it was held.',
    }),
    createdBy: Id,
    importedBy: Id.nullable().optional().meta({
      description:
        'Only present if someone else entered it for `createdBy`: who, or null for an operator’s command. That person can’t review it.',
    }),
    startedAt: Instant,
    completedAt: Instant.nullable(),
    heldAt: Instant.meta({
      description:
        'The interview date, by which it is counted and paid: `startedAt`, or `createdAt` if the device’s clock was wrong (CLOCK_ODD), also once that flag is cleared.',
    }),
    createdAt: Instant.meta({ description: 'When the server received it.' }),
    updatedAt: Instant,
    version: z.int().min(1).meta({ description: 'For If-Match; increases with each change by a person.' }),
    contact: ContactStatus.nullable().optional().meta({
      description:
        'Whether the person can be texted; null if they did not agree. Nobody sees the number. Not in lists.',
    }),
    note: z.string().nullable().optional().meta({
      description:
        'What the interviewer wrote for reviewers. Only present for the interviewer and people who may review the survey; not in lists.',
      example: 'The person was interrupted twice.',
    }),
    erasedAt: Instant.optional().meta({
      description:
        'Only present if the contents were erased: answers, position, comments and the values in the history.',
    }),
  })
  .meta({ id: 'Survey' });

/**
 * Lists include answers, coordinates, the network size, and the copies in `flags` only with `fields=full`; replies to
 * changes only if the caller may read the survey. No list includes the interviewer's note.
 */
export const ListedSurvey = Survey.omit({ note: true, contact: true })
  .extend({
    responses: Responses.optional(),
    networkSize: Survey.shape.networkSize.optional(),
    coordinates: Survey.shape.coordinates.optional(),
  })
  .meta({ id: 'ListedSurvey' });

/** The reply to a send token. */
export const SurveyReceipt = Survey.pick({
  id: true,
  clientId: true,
  version: true,
  status: true,
  issuedCodes: true,
  createdAt: true,
})
  .extend({ flags: z.array(FlagCode) })
  .meta({ id: 'SurveyReceipt' });
export type SurveyReceipt = z.infer<typeof SurveyReceipt>;

/** The reply to a change. */
export const ChangedSurvey = Survey.extend({ responses: Responses.optional() }).meta({ id: 'ChangedSurvey' });

export const SurveyList = listSchema(ListedSurvey).meta({ id: 'SurveyList' });

/** A code as typed. It is checked later, because a wrong code shouldn't lose the interview. */
const CodeInput = z
  .string()
  .trim()
  .overwrite((text) => text.slice(0, 1000))
  .meta({ example: 'ABCD-EFGC' });

const Note = textSchema(1, 500).meta({
  description: 'For reviewers: only the interviewer and people who may review the survey can read it.',
  example: 'The person was interrupted twice.',
});

/** Checked later, because an invalid hash must not lose the interview. */
const StatusHash = z
  .string()
  .overwrite((text) => text.trim().toLowerCase().slice(0, 100))
  .meta({
    description:
      'SHA-256 in hexadecimal of the secret that the phone made for this person (16 characters of the alphabet of codes); see `GET /api/status/:secret`. No reply contains it. A malformed one, or one that another survey has, is dropped with the flag STATUS_REFUSED.',
    example: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  });

export const SurveyCreate = z.strictObject({
  location: IdInput.meta({ description: 'Where the interview takes place: the `id` of a location.' }),
  responses: Responses,
  referralCode: CodeInput.nullable()
    .optional()
    .meta({ description: 'Without a code, the server creates a walk-in seed.' }),
  walkInCode: CodeInput.optional().meta({
    description:
      "For a walk-in: one of the caller's reserved codes to use instead of a new one, so that the phone can show the claim number offline.",
  }),
  clientId: z.guid(FAULTS.NOT_UUID).toLowerCase().nullable().optional().meta({
    description: 'Makes it safe to send again: the same id gets 200 with the stored survey.',
  }),
  questionnaire: IdInput.optional().meta({ description: 'Default: the active questionnaire.' }),
  status: SurveyStatus.default('COMPLETED'),
  takesPart: z.boolean().optional().meta({
    description:
      '`false` if the person declined or is not eligible; the survey then issues no codes. Ignored if the questionnaire has `takesPartIf`.',
  }),
  startedAt: InstantInput.optional().meta({
    description:
      "When it began, by the device's clock; a time in the future is stored as the current time. The dates of `referralCode` are checked against this time, which is taken as no earlier than when the code was handed out (or created).",
    type: 'string',
    format: 'date-time',
    example: '2026-11-21T18:00:00.000Z',
  }),
  completedAt: InstantInput.nullable().optional(),
  coordinates: GpsPoint.nullable().optional(),
  issuedCodes: z.array(CodeInput).max(100).default([]).meta({
    description: "Codes that were already handed out, from the caller's reserved blocks or a printed batch.",
  }),
  incentive: IncentiveHandedOver.optional().meta({
    description:
      'What was handed over at the interview; only for a completed survey. Recorded as paid by the sender at the time of completion. If nothing was due, the survey gets the flag INCENTIVE_NOT_DUE.',
  }),
  contact: z
    .unknown()
    .optional()
    .meta({
      type: 'object',
      description:
        'As `contact` of PATCH, from somebody who agreed to texts. A number that can’t be texted never refuses an interview: it is dropped, with the flag CONTACT_REFUSED.',
      example: { phone: '+12065550123', language: 'en', consent: true },
    }),
  note: Note.optional(),
  statusHash: StatusHash.optional(),
  onCodeProblem: z.enum(['REJECT', 'FLAG']).default('REJECT').meta({
    description: 'FLAG stores the interview despite problems with its codes, and reports them in `flags`.',
  }),
});
export type SurveyCreate = z.infer<typeof SurveyCreate>;

/** Maximum size of a body with encrypted answers, which are a third larger. */
export const MAX_SEALED_BYTES = 1.5 * 1024 * 1024;

const Sealed = z.string().min(1).max(MAX_SEALED_BYTES).meta({
  description:
    'An age file in base64, sealed for `fieldKey` of GET /api/study: the JSON of `{clientId, owner, responses, coordinates?, note?, contact?, incentive?: {reference}}`, where `owner` is the `id` of the interviewer. None of these fields but `clientId` may then be in clear.',
  example: 'YWdlLWVuY3J5cHRpb24ub3JnL3YxCi0+IFgyNTUxOSA…',
});

/** As phones send it: with answers in plaintext, or encrypted. */
export const SurveySubmission = SurveyCreate.extend({
  responses: Responses.optional(),
  sealed: Sealed.optional(),
})
  .superRefine(({ sealed, clientId, responses, coordinates, note, contact, incentive }, context) => {
    const fault = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    if (sealed === undefined) {
      if (responses === undefined) fault('responses', FAULTS.MISSING);
      return;
    }
    if (!clientId) fault('clientId', FAULTS.MISSING);
    const clear = { responses, coordinates, note, contact, 'incentive.reference': incentive?.reference };
    for (const [path, value] of Object.entries(clear)) if (value !== undefined) fault(path, FAULTS.IN_CLEAR);
  })
  .meta({ id: 'SurveySubmission' });
export type SurveySubmission = z.infer<typeof SurveySubmission>;

export const UnsealRequest = z.strictObject({
  clientId: z.guid(FAULTS.NOT_UUID).toLowerCase(),
  sealed: Sealed,
});
export type UnsealRequest = z.infer<typeof UnsealRequest>;

export const Unsealed = z
  .object({
    responses: Responses,
    coordinates: z.unknown().optional(),
    incentive: z.unknown().optional(),
    note: z.unknown().optional(),
    contact: z.unknown().optional(),
    farewell: z.unknown().optional(),
  })
  .meta({ id: 'Unsealed' });

export const SurveyImport = z.strictObject({
  owner: IdInput.meta({ description: 'The user who did the interviews, who may have been deleted.' }),
  surveys: z
    .array(z.looseObject({ clientId: z.guid(FAULTS.NOT_UUID).toLowerCase() }))
    .min(1)
    .max(100)
    .meta({
      description: 'Bodies as for `POST /api/surveys`, each with its `clientId`.',
    }),
});
export type SurveyImport = z.infer<typeof SurveyImport>;

const ImportedSurvey = z.object({
  clientId: z.string(),
  status: z.int().meta({
    description:
      'The status that `POST /api/surveys` would have: 201 for a new survey, 200 if it was stored before.',
    example: 201,
  }),
  id: Id.nullable().meta({ description: 'The survey; null if it was refused.' }),
  code: z.string().nullable().meta({ description: 'The error code, if there is one.', example: null }),
  message: z.string().nullable().meta({ description: 'Why it was refused.', example: null }),
  reason: FieldErrorCode.optional(),
  params: FaultParams.optional(),
  errors: FieldErrors.optional(),
});
/** As returned by a handler, with ObjectIds. */
export type SurveyImportResult = Omit<z.infer<typeof ImportedSurvey>, 'id'> & { id: unknown };

export const SurveyImported = z.object({ data: z.array(ImportedSurvey) }).meta({ id: 'SurveyImported' });

export const SurveyPatch = z
  .strictObject({
    responses: Responses.optional().meta({ description: 'Replaces all answers.' }),
    status: SurveyStatus.optional(),
    coordinates: GpsPoint.nullable().optional(),
    referralCode: CodeInput.optional().meta({
      description: 'Only if the survey has no code; clears its flag.',
    }),
    issuedCodes: z.array(CodeInput).max(100).optional().meta({
      description:
        "Codes handed out later, from the caller's reserved blocks or a printed batch. They are added to the existing ones, up to the study's `couponsPerSurvey`.",
    }),
    clearFlags: z
      .array(FlagCode)
      .min(1)
      .max(20)
      .optional()
      .meta({ description: 'Flags that a person has checked and resolved.' }),
    takesPart: z.boolean().optional().meta({
      description:
        'Whether the person takes part. If they do now, the survey gets the missing codes; if they no longer do, it keeps the codes it has. Ignored if the questionnaire has `takesPartIf`.',
    }),
    incentive: IncentiveHandedOver.optional().meta({
      description: 'What was handed over at the interview; only with the change that completes it.',
    }),
    location: IdInput.optional().meta({
      description:
        'The right site, with a `reason`: for callers who may update the survey, or may review it, at both sites. What its person is owed and the figures follow; nobody’s current location changes.',
    }),
    contact: ContactInput.nullable()
      .optional()
      .meta({ description: 'How the person can be texted; null deletes the number.' }),
    note: Note.nullable().optional(),
    statusHash: StatusHash.optional().meta({
      description: 'As in `POST /api/surveys`; only with the change that completes the survey.',
    }),
    reason: textSchema(1, 500).optional().meta({
      description:
        'The reason, for the history; only with another field. With a reason, people who may review the survey can set a `referralCode` that has expired or is not valid yet.',
      example: 'The coupon was handed over in time; the phone was at the repair shop.',
    }),
  })
  .refine(({ reason: _, ...changes }) => atLeastOneField[0](changes), atLeastOneField[1])
  .refine(({ location, reason }) => location === undefined || reason !== undefined, {
    path: ['reason'],
    error: FAULTS.MISSING,
  })
  .meta({ id: 'SurveyPatch', minProperties: 1 });
export type SurveyPatch = z.infer<typeof SurveyPatch>;

export const RedeemedCodeTakeover = z
  .strictObject({
    from: IdInput.meta({ description: 'The survey that has redeemed the code.' }),
    reason: z.string().trim().min(1).max(500).meta({ example: 'The coupon had been copied.' }),
  })
  .meta({ id: 'TakeCode' });
export type RedeemedCodeTakeover = z.infer<typeof RedeemedCodeTakeover>;

const ReviewFields = z.strictObject({
  state: ReviewState,
  comment: textSchema(1, 2_000).optional().meta({
    description: 'The reason; required for HAS_ISSUES and REJECTED.',
    example: 'The network size is missing.',
  }),
});
const needsComment = ({ state, comment }: z.infer<typeof ReviewFields>) =>
  state === 'APPROVED' || comment !== undefined;
const NEEDS_COMMENT = { path: ['comment'], error: FAULTS.MISSING };

export const SurveyReviewRequest = ReviewFields.refine(needsComment, NEEDS_COMMENT).meta({ id: 'Review' });
export type SurveyReviewRequest = z.infer<typeof SurveyReviewRequest>;

export const BulkReview = ReviewFields.extend({ ids: z.array(IdInput).min(1).max(200) })
  .refine(needsComment, NEEDS_COMMENT)
  .meta({ id: 'BulkReview' });
export type BulkReview = z.infer<typeof BulkReview>;

export const BulkReviewed = z
  .object({
    done: z.int(),
    refused: z.array(
      z.object({
        id: Id,
        message: z.string(),
        code: z.string().nullable().meta({ description: 'The error code, if there is one.', example: null }),
        reason: FieldErrorCode.optional(),
      }),
    ),
  })
  .meta({ id: 'BulkReviewed' });

export const SurveyErasureRequest = z
  .strictObject({
    reason: textSchema(1, 500).meta({
      description:
        'The reason, for the history. Don’t write anything about the person, because the reason stays.',
      example: 'Asked for on 21 November.',
    }),
  })
  .meta({ id: 'Erase' });

export const CommentInput = z.strictObject({ text: textSchema(1, 2_000) }).meta({ id: 'CommentInput' });
export type CommentInput = z.infer<typeof CommentInput>;

export const SurveyComment = z
  .object({
    id: Id,
    text: z.string().meta({ example: 'The network size is missing.' }),
    by: Id.nullable().meta({ description: 'Null for a command run by an operator.' }),
    at: Instant,
    state: ReviewState.nullable().meta({ description: 'The state of the review it belongs to.' }),
  })
  .meta({ id: 'SurveyComment' });
export const SurveyCommentList = listSchema(SurveyComment).meta({ id: 'SurveyCommentList' });

export const CommentQuery = z.strictObject(creationSortedQuery);
export type CommentQuery = z.infer<typeof CommentQuery>;

const Clue = z.union([z.string().max(1_000), z.number(), z.boolean()]).nullable();

export const RepeatCheckRequest = z
  .strictObject({
    questionnaire: IdInput.meta({ description: 'The questionnaire whose identity questions are answered.' }),
    clues: z.record(z.string().max(100), Clue).meta({
      description: 'Question name → answer. There is no match if two or more are skipped.',
      example: { birthDay: 7, birthMonth: '3', birthYear: 1971, firstNameStart: 'Zo', lastNameStart: 'Ng' },
    }),
  })
  .meta({ id: 'RepeatCheck' });
export type RepeatCheckRequest = z.infer<typeof RepeatCheckRequest>;

export const RepeatCheckResult = z
  .object({
    match: z.enum(['NONE', 'NEAR', 'EXACT']).meta({
      description: 'NEAR: all clues but one are the same, or one was skipped.',
    }),
  })
  .meta({ id: 'RepeatChecked' });
export type RepeatCheckResult = z.infer<typeof RepeatCheckResult>;

export const SurveyQuery = z.strictObject({
  ...creationSortedQuery,
  sort: z
    .enum(['createdAt', '-createdAt', 'heldAt', '-heldAt'])
    .default('-createdAt')
    .meta({ description: '`heldAt`: by interview date, which is also the day on which they are counted.' }),
  location: IdInput.optional(),
  round: IdInput.optional(),
  seed: IdInput.optional(),
  recruiter: IdInput.optional(),
  status: SurveyStatus.optional(),
  createdBy: IdInput.optional(),
  review: z.enum([RECEIVED.state, ...ReviewState.options]).optional(),
  flag: z
    .enum([...FlagCode.options, 'any'])
    .optional()
    .meta({ description: 'Only surveys with this flag, or with any flag.' }),
  finding: z
    .enum([...QUALITY_CHECKS, 'any'])
    .optional()
    .meta({
      description:
        'Only surveys with an open finding of this check, or of any (at most the 2,000 worst). 403 for callers who may not list findings.',
    }),
  fields: z.enum(['light', 'full']).optional().meta({
    description:
      '`full` includes answers, coordinates, network sizes and second copies, in pages of at most 2 MiB; that others’ were read is in the audit trail.',
  }),
  search: z.string().trim().min(1).max(100).optional().meta({
    description:
      'A referral code in any spelling (finds surveys that redeemed it, issued it, or presented it when it was no longer valid); words of the interviewer’s name, as in the search for users, if the caller may list users; or an id.',
  }),
  from: DayOrInstant.optional(),
  to: DayOrInstant.optional(),
});
export type SurveyQuery = z.infer<typeof SurveyQuery>;

export const SurveyHistory = z
  .array(
    z.object({
      at: Instant,
      by: Id.nullable(),
      action: z.literal('erase').optional().meta({ description: 'Present if the contents were erased.' }),
      reason: z.string().optional().meta({ description: 'The reason, if one was given.' }),
      changes: z.array(ChangedField),
      names: RecordNamesById,
    }),
  )
  .meta({ id: 'SurveyHistory' });
