/** Unfinished questionnaires in requests and replies. Browser-safe. */
import { z } from 'zod';
import { atLeastOneField, Id, IdInput, Instant } from '../../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../../platform/http/lists/list-schema.ts';
import { FAULTS, fault } from '../../platform/http/problems/error-codes.ts';

/** The maximum for a stored questionnaire. */
const MAX_CHARACTERS = 1024 * 1024;

const draftText = (max: number) => z.string().max(max, fault('AT_MOST', { count: max }).message);

/** Only the size is checked: a draft may be incomplete or invalid. */
const content = {
  name: draftText(200).meta({ example: 'Winter count' }),
  text: draftText(MAX_CHARACTERS).meta({
    description: 'The definition as JSON, as far as it is written; it may have errors.',
    example: '{"pages":[]}',
  }),
  networkSizeQuestion: draftText(200).meta({ example: 'networkSize' }),
  takesPartIf: draftText(10_000).meta({ description: 'Empty if the sender decides who is eligible.' }),
  identityQuestions: z.array(draftText(200)).max(50, FAULTS.TOO_MANY[1]),
};

export const QuestionnaireDraftSummary = z
  .object({
    id: Id,
    base: Id.nullable().meta({
      description: 'The version from which the next version is made; null for a new questionnaire.',
    }),
    name: z.string(),
    version: z.int().min(1).meta({ description: 'Increases with each change; for `If-Match`.' }),
    createdBy: Id,
    createdAt: Instant,
    updatedBy: Id,
    updatedAt: Instant,
  })
  .meta({ id: 'QuestionnaireDraftSummary' });
export type QuestionnaireDraftSummary = z.infer<typeof QuestionnaireDraftSummary>;

export const QuestionnaireDraft = QuestionnaireDraftSummary.extend({
  ...content,
}).meta({ id: 'QuestionnaireDraft' });
export type QuestionnaireDraft = z.infer<typeof QuestionnaireDraft>;

export const QuestionnaireDraftList = listSchema(QuestionnaireDraftSummary).meta({
  id: 'QuestionnaireDraftList',
});
export const QuestionnaireDraftQuery = z.strictObject({
  ...creationSortedQuery,
  base: IdInput.optional().meta({ description: 'Only the draft that is made from this version.' }),
});

export const QuestionnaireDraftCreate = z.strictObject({
  base: IdInput.nullable().optional().meta({
    description: 'A version has at most one draft, which everyone who may store questionnaires shares.',
  }),
  ...content,
});
export type QuestionnaireDraftCreate = z.infer<typeof QuestionnaireDraftCreate>;

export const QuestionnaireDraftPatch = z
  .strictObject(content)
  .partial()
  .refine(...atLeastOneField)
  .meta({ minProperties: 1 });
export type QuestionnaireDraftPatch = z.infer<typeof QuestionnaireDraftPatch>;
