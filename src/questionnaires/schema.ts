/** Questionnaires in requests and replies. Browser-safe. */
import { z } from 'zod';
import { Id, Instant, Name, textSchema } from '../platform/http/field-schemas.ts';
import { creationSortedQuery, listSchema } from '../platform/http/lists/list-schema.ts';
import { FAULTS } from '../platform/http/problems/error-codes.ts';
import { FaultParams } from '../platform/http/problems/field-errors.ts';
import { isLanguageTag } from '../platform/lib/languages/language-tag.ts';
import { IDENTITY_QUESTION_LIMITS } from './definition/identity-answers.ts';

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
        'A SurveyJS expression over the questions and calculated values. If it is not true for a completed interview, the interview has `takesPart: false`, whatever the sender says. Null means the sender decides.',
      example: "{consent} = 'yes'",
    }),
    identityQuestions: z
      .array(z.string())
      .nullable()
      .meta({
        description:
          'The questions that recognize people who were interviewed before. The service never stores their answers. Null means there are none.',
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
      'The language of the list of what was left out. English if the service is not translated into it.',
    example: 'es',
  }),
});

export const AnswersInWordsQuery = z.strictObject({
  language: z.string().max(35).refine(isLanguageTag, FAULTS.NOT_LANGUAGE).optional().meta({
    description: 'English if the questionnaire is not translated into it. Default: `en`.',
    example: 'es',
  }),
});

export const AnswersInWords = z
  .array(
    z.object({
      name: z.string().meta({ description: 'The name of the question.', example: 'networkSize' }),
      title: z.string().meta({ example: 'How many people do you know?' }),
      answer: z.string().meta({ description: 'Empty if there is no answer.', example: '12' }),
      kept: z
        .literal(false)
        .optional()
        .meta({ description: 'False if answers to this question are not stored.' }),
    }),
  )
  .meta({ id: 'AnswersInWords' });
export type AnswerLine = z.infer<typeof AnswersInWords>[number];

export const QuestionnaireCreate = z.strictObject({
  name: Name,
  definition: Definition,
  networkSizeQuestion: Name,
  takesPartIf: textSchema(1, 1_000).nullable().optional().meta({
    description:
      'A SurveyJS expression over the questions and calculated values that says who is eligible, and so gets coupons. At most 1,000 characters, or 4,000 including the calculated values it uses, and no functions whose result depends on the day or the device. Default: null, the sender decides.',
    example: '{networkSize} > 0',
  }),
  identityQuestions: z
    .array(Name)
    .min(IDENTITY_QUESTION_LIMITS.least)
    .max(IDENTITY_QUESTION_LIMITS.most)
    .nullable()
    .optional()
    .meta({
      description:
        'Names of questions with one answer each (a text, a number, one choice). None may be required, or used by an expression or a text. Their answers are hashed with a key and never stored. Default: null, none.',
      example: ['birthDay', 'birthMonth', 'birthYear', 'firstNameStart', 'lastNameStart'],
    }),
});
export type QuestionnaireCreate = z.infer<typeof QuestionnaireCreate>;

export const QuestionnaireActivate = z.strictObject({
  active: z.literal(true),
  confirm: z.literal(true).optional().meta({
    description:
      'Activates the version although the network size question, eligibility or an outcome used by a count is lost.',
  }),
});

/** Notes on an imported form, or the reasons why it can't be read. */
const FormNotes = z.array(
  z.object({
    sheet: z.string().meta({ description: 'Empty if it is about the whole file.' }),
    row: z.int().min(0).meta({ description: 'The row number in the spreadsheet; 0 means the whole sheet.' }),
    code: z.string().meta({ example: 'TYPE_LEFT_OUT' }),
    message: z.string(),
    params: FaultParams.optional(),
  }),
);

export const QuestionnaireFromXlsform = z
  .object({
    name: z.string(),
    definition: Definition.nullable().meta({ description: 'Null if there are `faults`.' }),
    networkSizeQuestion: z
      .string()
      .nullable()
      .meta({ description: 'Null if the form does not say which question it is.' }),
    takesPartIf: z.string().nullable(),
    identityQuestions: z.array(z.string()).nullable(),
    notes: FormNotes,
    faults: FormNotes,
  })
  .meta({ id: 'QuestionnaireRead' });
export type QuestionnaireFromXlsform = z.infer<typeof QuestionnaireFromXlsform>;
