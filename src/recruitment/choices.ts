/**
 * The answers that a tree may be coloured by: those to choice questions, and of these only what the questionnaire
 * itself offers. What people wrote in their own words (or answered to an older question of the same name) could tell
 * who they are, so it is not shown.
 */
import { Model, type QuestionSelectBase } from 'survey-core';
import { jsonCopy } from '../questionnaires/definition.ts';
import { quietly } from '../questionnaires/quietly.ts';

const CHOICE_TYPES = ['dropdown', 'radiogroup', 'checkbox', 'tagbox'];
const BUILT_IN = ['other', 'none', 'refused', 'dontknow'];

type Shown = string | number | boolean | null;

export function choicesOf(
  definition: object,
  name: string,
): { key: string; shown: (answer: unknown) => Shown } | null {
  return quietly(() => {
    const question = new Model(jsonCopy(definition)).getQuestionByName(name);
    const type = question?.getType();
    if (!question || !type) return null;
    const key = question.getValueName();
    if (type === 'boolean') {
      const { valueTrue = true, valueFalse = false } = question;
      return { key, shown: among([true, false, valueTrue, valueFalse]) };
    }
    if (!CHOICE_TYPES.includes(type)) return null;
    const { choices, visibleChoices } = question as QuestionSelectBase;
    const offered = [...choices, ...visibleChoices].map((choice): unknown => choice.value);
    return { key, shown: among([...BUILT_IN, ...offered]) };
  });
}

function among(offered: unknown[]): (answer: unknown) => Shown {
  const plain = new Set(offered.filter((one) => ['string', 'number', 'boolean'].includes(typeof one)));
  const shown = (answer: unknown): Shown => (plain.has(answer) ? (answer as Shown) : null);
  return (answer) => {
    if (!Array.isArray(answer)) return shown(answer);
    const several = answer.filter((one) => plain.has(one)).map(String);
    return several.length > 0 ? several.sort().join(', ') : null;
  };
}
