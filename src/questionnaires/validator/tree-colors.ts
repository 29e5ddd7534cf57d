/**
 * The answers that a tree can be colored by: those to choice questions, and only the choices that the questionnaire
 * offers. Free text (or answers to an older question with the same name) could identify people, so it is not shown.
 */
import { Model, type QuestionSelectBase } from 'survey-core';
import { jsonCopy } from '../definition/definition.ts';

const CHOICE_TYPES = ['dropdown', 'radiogroup', 'checkbox', 'tagbox'];
const BUILT_IN = ['other', 'none', 'refused', 'dontknow'];

type ColorKey = string | number | boolean | null;

export interface OfferedChoices {
  /** Key of the answer. */
  key: string;
  offered: unknown[];
}

/** Builds a model of the form, which can take long, so the service calls validator.ts instead. */
export function choicesIn(definition: object, name: string): OfferedChoices | null {
  const question = new Model(jsonCopy(definition)).getQuestionByName(name);
  const type = question?.getType();
  if (!question || !type) return null;
  const key = question.getValueName();
  if (type === 'boolean') {
    const { valueTrue = true, valueFalse = false } = question;
    return { key, offered: [true, false, valueTrue, valueFalse].filter(isPlain) };
  }
  if (!CHOICE_TYPES.includes(type)) return null;
  const { choices, visibleChoices } = question as QuestionSelectBase;
  const offered = [...choices, ...visibleChoices].map((choice): unknown => choice.value);
  return { key, offered: [...BUILT_IN, ...offered].filter(isPlain) };
}

const isPlain = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

export function colorKeyFinder({ offered }: OfferedChoices): (answer: unknown) => ColorKey {
  const plain = new Set(offered);
  const colorOf = (answer: unknown): ColorKey => (plain.has(answer) ? (answer as ColorKey) : null);
  return (answer) => {
    if (!Array.isArray(answer)) return colorOf(answer);
    const several = answer.filter((one) => plain.has(one)).map(String);
    return several.length > 0 ? several.sort().join(', ') : null;
  };
}
