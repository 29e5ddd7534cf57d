/** Questionnaires on the wire. Browser-safe. */
import { z } from 'zod';
import { FAULTS } from '../http/error-codes.ts';
import { FaultParams } from '../http/field-errors.ts';
import { Id, Instant, Name, text } from '../http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../http/list-schema.ts';
import { isLanguageTag } from '../lib/language-tag.ts';
import { CLUE_COUNT } from './identity-answers.ts';

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
    takesPartIf: z.string().nullable().meta({
      description:
        'A SurveyJS expression over the questions and calculated values. A completed interview for which it is not true has `takesPart: false`, whatever the sender says. Null: the sender says who takes part.',
      example: "{consent} = 'yes'",
    }),
    identityQuestions: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'The questions by which a person who was interviewed before is known again. Their answers are never kept. Null: there are none.',
        example: ['birthDay', 'birthMonth', 'birthYear', 'firstNameStart', 'lastNameStart'],
      }),
    active: z.boolean(),
    createdAt: Instant,
  })
  .meta({ id: 'Questionnaire' });

export const QuestionnaireList = listSchema(Questionnaire).meta({ id: 'QuestionnaireList' });
export const QuestionnaireQuery = z.strictObject(creationSortedQuery);

export const XlsformQuery = z.strictObject({
  language: z.string().max(35).refine(isLanguageTag, FAULTS.NOT_LANGUAGE).optional().meta({
    description:
      'What was left out is told in this language; in English where the service has no words in it.',
    example: 'es',
  }),
});

export const WordsQuery = z.strictObject({
  language: z.string().max(35).refine(isLanguageTag, FAULTS.NOT_LANGUAGE).optional().meta({
    description: 'English where the questionnaire has no words in it. Default: `en`.',
    example: 'es',
  }),
});

export const AnswersInWords = z
  .array(
    z.object({
      name: z.string().meta({ description: 'Of the question.', example: 'networkSize' }),
      title: z.string().meta({ example: 'How many people do you know?' }),
      answer: z.string().meta({ description: 'Empty where there is none.', example: '12' }),
      kept: z.literal(false).optional().meta({ description: 'Where answers to this question are not kept.' }),
    }),
  )
  .meta({ id: 'AnswersInWords' });
export type Line = z.infer<typeof AnswersInWords>[number];

export const QuestionnaireCreate = z.strictObject({
  name: Name,
  definition: Definition,
  networkSizeQuestion: Name,
  takesPartIf: text(1, 1_000).nullable().optional().meta({
    description:
      'A SurveyJS expression over the questions and calculated values: who takes part, and so gets coupons. At most 1,000 characters, 4,000 with the calculated values that it reads, and no function whose result depends on the day or the device. Default: null, the sender says it.',
    example: '{networkSize} > 0',
  }),
  identityQuestions: z
    .array(Name)
    .min(CLUE_COUNT.least)
    .max(CLUE_COUNT.most)
    .nullable()
    .optional()
    .meta({
      description:
        'Names of questions with one answer each (a text, a number, one choice), none of them required, none read by an expression or a text. Their answers are hashed with a key and never kept. Default: null, none.',
      example: ['birthDay', 'birthMonth', 'birthYear', 'firstNameStart', 'lastNameStart'],
    }),
});
export type QuestionnaireCreate = z.infer<typeof QuestionnaireCreate>;

export const QuestionnaireActivate = z.strictObject({ active: z.literal(true) });

/** What is told of a form that came as a file, or why it can not be read. */
const FormNotes = z.array(
  z.object({
    sheet: z.string().meta({ description: 'Empty where it is said of the whole file.' }),
    row: z.int().min(0).meta({ description: 'As a spreadsheet numbers its rows; 0 for the whole sheet.' }),
    code: z.string().meta({ example: 'TYPE_LEFT_OUT' }),
    message: z.string(),
    params: FaultParams.optional(),
  }),
);

export const QuestionnaireRead = z
  .object({
    name: z.string(),
    definition: Definition.nullable().meta({ description: 'Null where there are `faults`.' }),
    networkSizeQuestion: z
      .string()
      .nullable()
      .meta({ description: 'Null where the form does not tell which question it is.' }),
    takesPartIf: z.string().nullable(),
    identityQuestions: z.array(z.string()).nullable(),
    notes: FormNotes,
    faults: FormNotes,
  })
  .meta({ id: 'QuestionnaireRead' });
export type QuestionnaireRead = z.infer<typeof QuestionnaireRead>;
