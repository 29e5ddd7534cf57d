/**
 * A fast path for the usual interview's answers in words. Building survey-core's model of a form takes as long as
 * reading twenty interviews. If fast-validation.ts can tell which questions are shown, their texts are looked up in
 * the definition. Everything else is left to the full model (in-words.ts); a test checks that both give the same
 * texts.
 */
import { LocalizableString } from 'survey-core';
import { fastAnswerRulesOf } from '../answers/answers.ts';
import { runWithConsoleMuted } from '../definition/silence-console.ts';
import type { AnswerLine } from '../schema.ts';
import { loadFormLibraryLocale } from './library-locales.ts';

type Values = Record<string, unknown>;

/** Thrown for a text that only the full model can produce: one that quotes an answer or was left empty. */
class NeedsFullModel extends Error {}

/** Null if only the form library can tell. */
export async function answerLinesFast(
  questionnaire: { id: string; definition: object },
  responses: Values,
  language: string,
): Promise<AnswerLine[] | null> {
  const groups = runWithConsoleMuted(() => fastAnswerRulesOf(questionnaire)?.shownBy(responses));
  if (!groups) return null;
  await loadFormLibraryLocale(language);
  try {
    return groups.map((element) => lineOf(element, responses, language));
  } catch (error) {
    if (error instanceof NeedsFullModel) return null;
    throw error;
  }
}

function lineOf(element: Values, responses: Values, language: string): AnswerLine {
  const name = String(element.name);
  const textOf = (texts: unknown, ofLibrary?: string): string => {
    const text = new LocalizableString(
      { getLocale: () => (language === 'en' ? '' : language) } as never,
      false,
      '',
      ofLibrary,
    );
    text.setJson(texts);
    const { pureText } = text;
    if (pureText.includes('{') || textsOf(texts).includes('')) throw new NeedsFullModel();
    return pureText;
  };
  const choice = (value: unknown): string => {
    if (element.showOtherItem === true && value === 'other') return String(responses[`${name}-Comment`]);
    const offered = ((element.choices ?? []) as unknown[]).find((one) => codeOf(one) === value);
    if (offered !== undefined) return (isItem(offered) && textOf(offered.text)) || String(value);
    if (value === 'none') return textOf(element.noneText, 'noneItemText');
    if (value === 'refused') return textOf(element.refuseText, 'refuseItemText');
    return textOf(element.dontKnowText, 'dontKnowItemText');
  };
  const inWords = (value: unknown): string => {
    if (element.type === 'boolean')
      return value === true
        ? textOf(element.labelTrue, 'booleanCheckedLabel')
        : textOf(element.labelFalse, 'booleanUncheckedLabel');
    if (Array.isArray(value)) return value.map(choice).join(', ');
    return ONE_CHOICE.includes(element.type) ? choice(value) : String(value);
  };
  const answer = Object.hasOwn(responses, name) ? inWords(responses[name]) : '';
  return { name, title: textOf(element.title) || name, answer };
}

const textsOf = (texts: unknown): unknown[] =>
  typeof texts === 'object' && texts !== null ? Object.values(texts) : [texts];

const ONE_CHOICE: unknown[] = ['radiogroup', 'dropdown'];

const isItem = (choice: unknown): choice is { value: unknown; text?: unknown } =>
  typeof choice === 'object' && choice !== null;
const codeOf = (choice: unknown): unknown => (isItem(choice) ? choice.value : choice);
