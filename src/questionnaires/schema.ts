/** Questionnaires on the wire. Browser-safe. */
import { z } from 'zod';
import { Id, Instant, Name } from '../http/fields.ts';
import { byCreation, listOf } from '../http/list.ts';

const Definition = z.record(z.string(), z.unknown()).meta({
  description: 'SurveyJS JSON.',
  example: { pages: [{ elements: [{ type: 'text', name: 'networkSize' }] }] },
});

export const Questionnaire = z
  .object({
    id: Id,
    name: z.string().meta({ example: 'Winter count' }),
    version: z.int().min(1),
    definition: Definition,
    networkSizeQuestion: z
      .string()
      .meta({ description: 'The question that asks for the network size.', example: 'networkSize' }),
    active: z.boolean(),
    createdAt: Instant,
  })
  .meta({ id: 'Questionnaire' });

export const QuestionnaireList = listOf(Questionnaire).meta({ id: 'QuestionnaireList' });
export const QuestionnaireQuery = z.strictObject(byCreation);

export const QuestionnaireCreate = z.strictObject({
  name: Name,
  definition: Definition,
  networkSizeQuestion: Name,
});
export type QuestionnaireCreate = z.infer<typeof QuestionnaireCreate>;

export const QuestionnaireActivate = z.strictObject({ active: z.literal(true) });
