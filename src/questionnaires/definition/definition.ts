/** Checks whether SurveyJS JSON can be a questionnaire: first by this service's rules, then by survey-core. */
import { Model, type Question } from 'survey-core';
import { type FieldError, faultWithMessage, fieldError } from '../../platform/http/problems/error-codes.ts';
import { isPlainObject } from '../../platform/lib/objects/plain-object.ts';
import { expressionFaults } from './definition-expressions.ts';
import { languageFaults } from './definition-languages.ts';
import { nameFaultsInDefinition } from './definition-names.ts';
import { referenceFaults } from './definition-references.ts';
import { scanDefinition } from './definition-safety.ts';
import { eligibilityRuleFault } from './eligibility.ts';
import { faultsInIdentityQuestions } from './identity-questions.ts';
import { type AnyQuestion, answerFormOf } from './question-types.ts';
import { runWithConsoleMuted } from './silence-console.ts';
import { unreadableExpressions } from './unreadable-expressions.ts';
import './number-format.ts';

/** Definitions and answers are both JSON; the form library may modify its input, so it gets a copy. */
export function jsonCopy<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

/** Can take long: the service calls validator.ts instead. */
export function checkDefinition(
  definition: unknown,
  networkSizeQuestion: string,
  takesPartIf: string | null = null,
  identityQuestions: string[] | null = null,
): FieldError[] {
  if (!isPlainObject(definition)) return [fieldError('definition', 'NOT_DEFINITION')];
  const scan = scanDefinition(definition);
  if (scan.errors.length > 0) return scan.errors;
  const faults = [
    ...nameFaultsInDefinition(definition),
    ...triggerFaults(definition),
    ...expressionFaults(definition),
  ];
  if (faults.length > 0) return faults;
  try {
    return runWithConsoleMuted(() =>
      modelFaults(definition, scan.paths, { networkSizeQuestion, takesPartIf, identityQuestions }),
    );
  } catch {
    return [fieldError('definition', 'UNREADABLE')];
  }
}

function modelFaults(
  definition: object,
  paths: Map<object, string>,
  settings: { networkSizeQuestion: string; takesPartIf: string | null; identityQuestions: string[] | null },
): FieldError[] {
  const model = new Model(jsonCopy(definition));
  // Faults are located by object identity, so the model must be built from the original, not from a copy.
  const errors = (model.jsonErrors ?? []).length > 0 ? new Model(definition).jsonErrors : [];
  const faults = (errors ?? []).map((error): FieldError => {
    const { jsonObj } = error as unknown as { jsonObj?: object };
    return { path: (jsonObj && paths.get(jsonObj)) ?? 'definition', ...faultWithMessage(error.message) };
  });
  faults.push(...unreadableExpressions(model, definition));
  faults.push(...languageFaults(model, paths));
  if (faults.length > 0) return faults;
  fillIn(model);
  const questions = model.getAllQuestions().filter((question) => question.hasInput);
  if (questions.length === 0) return [fieldError('definition', 'NO_QUESTIONS')];
  return [
    ...sizeFaults(questions, settings.networkSizeQuestion),
    ...takesPartFaults(model, definition, settings.takesPartIf),
    ...identityQuestionFaults(model, definition, settings),
    ...referenceFaults(definition),
  ];
}

/** The condition may use all stored answers, including values that the questionnaire calculates (`expression`). */
function takesPartFaults(model: Model, definition: object, takesPartIf: string | null): FieldError[] {
  if (takesPartIf === null) return [];
  const questions = model.getAllQuestions().filter((one) => one.hasInput || one.getType() === 'expression');
  const unfit = eligibilityRuleFault(
    definition,
    takesPartIf,
    questions.map((question) => question.getValueName()),
  );
  return unfit === null ? [] : [{ path: 'takesPartIf', ...unfit }];
}

/** The eligibility condition may not use identity answers either, since they aren't stored. */
function identityQuestionFaults(
  model: Model,
  definition: object,
  { networkSizeQuestion, takesPartIf, identityQuestions }: Parameters<typeof modelFaults>[2],
): FieldError[] {
  if (identityQuestions === null) return [];
  const all = { ...definition, takesPartIf };
  return faultsInIdentityQuestions(model, all, { identityQuestions, networkSizeQuestion });
}

function sizeFaults(questions: Question[], networkSizeQuestion: string): FieldError[] {
  const question = questions.find((one) => one.name === networkSizeQuestion);
  // A text without inputType gives digits as text, which networkSizeOf reads as a number.
  const { inputType } = (question ?? {}) as { inputType?: string };
  const takesNumber = question?.getType() === 'text' && (inputType === 'number' || inputType === 'text');
  if (takesNumber && question.getValueName() === networkSizeQuestion) return [];
  return [fieldError('networkSizeQuestion', 'NOT_SIZE_QUESTION')];
}

/**
 * A definition that is harmless to read may still take forever to fill in, for example if choices depend on each other,
 * so this answers it once.
 */
function fillIn(model: Model): void {
  model.data = Object.fromEntries(
    model.getAllQuestions().flatMap((question) => {
      const value = someAnswer(question);
      return value === undefined ? [] : [[question.getValueName(), value]];
    }),
  );
  model.validate(true, false);
}

function someAnswer(question: Question): unknown {
  const values = ((question as AnyQuestion).choices ?? []).map(({ value }): unknown => value);
  switch (answerFormOf(question)) {
    case 'words':
      return 'a';
    case 'number':
      return 1;
    case 'yes or no':
      return true;
    case 'panels':
    case 'row list':
      return [{}];
    case 'choices':
    case 'order':
      return values;
    default:
      return values[0];
  }
}

const REFUSED_TRIGGER = /^(complete|skip|visible)(trigger)?$/i;

/**
 * If a trigger ended an interview early or jumped ahead, required answers would be missing and the interview refused
 * later. What a trigger shows, or sets as a variable, is unknown when the answers are read again, so answers would be
 * lost.
 */
function triggerFaults(definition: Record<string, unknown>): FieldError[] {
  const triggers: unknown[] = Array.isArray(definition.triggers) ? definition.triggers : [];
  return triggers.flatMap((trigger, index) =>
    isPlainObject(trigger) && (REFUSED_TRIGGER.test(String(trigger.type)) || trigger.isVariable === true)
      ? [fieldError(`definition.triggers.${index}`, 'TRIGGER')]
      : [],
  );
}
