/**
 * A questionnaire as a list of questions, read from its JSON without the large forms library. Used for comparing
 * versions and coloring trees.
 */
import { isPlainObject } from '../../../../src/platform/lib/objects/plain-object.ts';
import { arrayOrEmpty, type JsonObject } from './element-paths.ts';

/** One text, or one per language; `default` is English. */
export type LocalizedText = string | Record<string, string>;

interface Choice {
  value: string;
  text: LocalizedText;
}

export interface QuestionOutline {
  name: string;
  type: string;
  title: LocalizedText;
  description: LocalizedText;
  page: LocalizedText;
  choices: Choice[];
  required: boolean;
  /** Conditions and limits: `visibleIf: {consent} = 'yes'`. */
  logic: Record<string, string>;
  /** All other properties. */
  rest: Record<string, string>;
}

const CHOICE_TYPES = ['dropdown', 'radiogroup', 'checkbox', 'tagbox', 'boolean'];
const LOGIC =
  /(If|Expression|Maximum|Minimum|validators|^min$|^max$|maxSelectedChoices|minSelectedChoices|maxLength)$/;
const LISTED_PROPERTIES = new Set([
  'name',
  'type',
  'title',
  'description',
  'choices',
  'isRequired',
  'elements',
  'templateElements',
]);

export const isLocalizedText = (value: unknown): value is LocalizedText =>
  typeof value === 'string' || isPlainObject(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

function wordsOf(value: unknown, fallback: string): LocalizedText {
  if (typeof value === 'string') return value;
  return isPlainObject(value) && Object.keys(value).length > 0 ? (value as Record<string, string>) : fallback;
}

export function textInLanguage(words: LocalizedText, language: string): string {
  if (typeof words === 'string') return words;
  return words[language] ?? words.default ?? words.en ?? Object.values(words)[0] ?? '';
}

function choiceOf(choice: unknown): Choice {
  if (!isPlainObject(choice)) return { value: String(choice), text: String(choice) };
  const value = String(choice.value);
  return { value, text: wordsOf(choice.text, value) };
}

function outlineOf(
  element: JsonObject,
  page: LocalizedText,
  inherited: Record<string, string>,
): QuestionOutline {
  const name = String(element.name);
  const rules = Object.entries(element).filter(([key]) => !LISTED_PROPERTIES.has(key));
  const pick = (isWanted: boolean) =>
    Object.fromEntries(
      rules.filter(([key]) => LOGIC.test(key) === isWanted).map(([key, value]) => [key, text(value)]),
    );
  return {
    name,
    type: String(element.type),
    title: wordsOf(element.title ?? element.html, name),
    description: wordsOf(element.description, ''),
    page,
    choices: arrayOrEmpty(element.choices).map(choiceOf),
    required: element.isRequired === true,
    logic: { ...inherited, ...pick(true) },
    rest: pick(false),
  };
}

/** The conditions of a page or panel apply to each question in it. */
function logicAround(container: JsonObject, inherited: Record<string, string>): Record<string, string> {
  const own = Object.entries(container).filter(([key]) => /If$/.test(key));
  const where = String(container.name ?? '');
  return { ...inherited, ...Object.fromEntries(own.map(([key, value]) => [`${where}.${key}`, text(value)])) };
}

function walk(elements: unknown, page: LocalizedText, inherited: Record<string, string>): QuestionOutline[] {
  return arrayOrEmpty(elements).flatMap((element): QuestionOutline[] => {
    if (!isPlainObject(element)) return [];
    if (element.type === 'panel') return walk(element.elements, page, logicAround(element, inherited));
    return [outlineOf(element, page, inherited), ...walk(element.templateElements, page, inherited)];
  });
}

export function questionsOf(definition: object): QuestionOutline[] {
  const { pages, elements } = definition as JsonObject;
  const ofPages = arrayOrEmpty(pages).flatMap((page, index) => {
    if (!isPlainObject(page)) return [];
    const title = wordsOf(page.title, String(page.name ?? index + 1));
    return walk(page.elements, title, logicAround(page, {}));
  });
  return [...ofPages, ...walk(elements, '1', {})];
}

/** Static texts and calculated values ask nothing. */
export const asksSomething = ({ type }: Pick<QuestionOutline, 'type'>) =>
  !['html', 'image', 'expression'].includes(type);

/** Title of the question with this name. */
export function questionTitleOf(definition: object, name: string, language: string): string {
  const question = questionsOf(definition).find((one) => one.name === name);
  return question ? textInLanguage(question.title, language) : name;
}

/** Calculated values by name, each with its expression. */
export function calculatedExpressionsOf(definition: object): Map<string, string> {
  const values = arrayOrEmpty((definition as JsonObject).calculatedValues).filter(isPlainObject);
  return new Map(values.map(({ name, expression }) => [String(name), text(expression)]));
}

/** Conditions of a page or panel that all of these questions share. */
export function sharedLogic(questions: QuestionOutline[]): Record<string, string> {
  const [first, ...others] = questions;
  const inherited = Object.entries(first?.logic ?? {}).filter(([key]) => key.includes('.'));
  return Object.fromEntries(
    inherited.filter(([key, value]) => others.every(({ logic }) => logic[key] === value)),
  );
}

/** The questions that a tree can be colored by. */
export const choiceQuestions = (definition: object): QuestionOutline[] =>
  questionsOf(definition).filter(({ type }) => CHOICE_TYPES.includes(type));

/** Languages with at least one text. */
export function definitionLanguagesOf(definition: object): string[] {
  const languages = new Set<string>(['en']);
  for (const { title, choices } of questionsOf(definition)) {
    for (const words of [title, ...choices.map((choice) => choice.text)]) {
      if (typeof words !== 'string')
        for (const key of Object.keys(words)) if (key !== 'default') languages.add(key);
    }
  }
  return [...languages];
}

/** The active questionnaire first, since it is copied most often. */
export const activeFirst = <T extends { id: string }>(active: T | undefined, versions: T[] = []): T[] => [
  ...(active ? [active] : []),
  ...versions.filter(({ id }) => id !== active?.id),
];
