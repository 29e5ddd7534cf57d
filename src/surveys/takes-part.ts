/** Who takes part: by the questionnaire where it says so, else as the sender says. */
import type { QuestionnaireRecord } from '../questionnaires/model.ts';
import { quietly } from '../questionnaires/quietly.ts';
import { compileTakesPart } from '../questionnaires/takes-part.ts';
import type { SurveyRecord } from './model.ts';

type Answers = SurveyRecord['responses'];

/** By the definition that is kept in memory (questionnaires/model.ts), so that they go with it. */
const compiled = new WeakMap<object, (answers: Answers) => boolean>();

/** The questionnaire is not asked before the interview is complete. */
export function takesPart(
  { definition, takesPartIf }: Pick<QuestionnaireRecord, 'definition' | 'takesPartIf'>,
  { status, responses }: Pick<SurveyRecord, 'status' | 'responses'>,
  said: boolean,
): boolean {
  if (!takesPartIf) return said;
  if (status !== 'COMPLETED') return true;
  return quietly(() => {
    const holds = compiled.get(definition) ?? compileTakesPart(definition, takesPartIf);
    compiled.set(definition, holds);
    return holds(responses);
  });
}
