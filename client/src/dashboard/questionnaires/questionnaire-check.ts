/**
 * Checks a questionnaire before it is sent: what the service doesn't allow, and what the forms library rejects. The
 * service has the final say, and uses the same paths.
 */
import { Model } from 'survey-core';
import { fieldError } from '../../../../src/platform/http/problems/error-codes.ts';
import { languageFaults } from '../../../../src/questionnaires/definition/definition-languages.ts';
import { nameFaultsInDefinition } from '../../../../src/questionnaires/definition/definition-names.ts';
import { referenceFaults } from '../../../../src/questionnaires/definition/definition-references.ts';
import { scanDefinition } from '../../../../src/questionnaires/definition/definition-safety.ts';
import { eligibilityRuleFault } from '../../../../src/questionnaires/definition/eligibility.ts';
import { IDENTITY_QUESTION_LIMITS } from '../../../../src/questionnaires/definition/identity-answers.ts';
import { faultsInIdentityQuestions } from '../../../../src/questionnaires/definition/identity-questions.ts';
import { unreadableExpressions } from '../../../../src/questionnaires/definition/unreadable-expressions.ts';
import type { FieldError } from '../../wire.ts';

/** Settings next to the definition that refer to it. */
export interface QuestionnaireSettings {
  sizeQuestion: string;
  takesPartIf: string;
  clues: readonly string[];
}

export function checkQuestionnaireInBrowser(
  definition: object,
  { sizeQuestion: networkSizeQuestion, takesPartIf, clues }: QuestionnaireSettings,
): FieldError[] {
  // Scanned first, because a model can be built from any definition, safe or not.
  const { errors, paths } = scanDefinition(definition);
  if (errors.length > 0) return errors;
  const names = nameFaultsInDefinition(definition);
  if (names.length > 0) return names;
  let model: Model;
  try {
    model = new Model(definition);
  } catch (error) {
    return [{ path: 'definition', message: error instanceof Error ? error.message : String(error) }];
  }
  const faults = (model.jsonErrors ?? []).map((error): FieldError => {
    const { jsonObj } = error as unknown as { jsonObj?: object };
    return { path: (jsonObj && paths.get(jsonObj)) ?? 'definition', message: error.message };
  });
  faults.push(...unreadableExpressions(model, definition));
  faults.push(...languageFaults(model, paths));
  faults.push(...referenceFaults(definition));
  const question = model.getAllQuestions().find(({ name }) => name === networkSizeQuestion);
  if (question?.getType() !== 'text')
    faults.push({ path: 'networkSizeQuestion', message: networkSizeQuestion });
  const keys = model.getAllQuestions().map((one) => one.getValueName());
  const unfit = takesPartIf.trim() === '' ? null : eligibilityRuleFault(definition, takesPartIf.trim(), keys);
  if (unfit) faults.push({ path: 'takesPartIf', ...unfit });
  if (clues.length > 0)
    faults.push(...identityQuestionFaults(model, definition, { networkSizeQuestion, takesPartIf, clues }));
  return faults;
}

function identityQuestionFaults(
  model: Model,
  definition: object,
  {
    networkSizeQuestion,
    takesPartIf,
    clues,
  }: Omit<QuestionnaireSettings, 'sizeQuestion'> & { networkSizeQuestion: string },
): FieldError[] {
  const { least, most } = IDENTITY_QUESTION_LIMITS;
  if (clues.length < least || clues.length > most)
    return [fieldError('identityQuestions', 'CLUE_COUNT', { least, most })];
  const all = { ...definition, takesPartIf };
  return faultsInIdentityQuestions(model, all, { identityQuestions: [...clues], networkSizeQuestion });
}
