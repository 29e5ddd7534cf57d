/** Every text of a questionnaire that people read, with its place in the definition, so that it can be changed alone. */
import type { Words } from './questionnaire-outline.ts';

type Json = Record<string, unknown>;
type Path = (string | number)[];

/** Of the whole questionnaire. */
type WholeRole = 'formTitle' | 'formDescription' | 'closing';
const WHOLE = { title: 'formTitle', description: 'formDescription', completedHtml: 'closing' } as const;
export const isOfWhole = (role: TextPlace['role']): role is WholeRole =>
  Object.values<string>(WHOLE).includes(role);

export interface TextPlace {
  role: 'title' | 'description' | 'html' | 'choice' | WholeRole;
  path: Path;
  words: Words;
  /** Of a choice: what the data holds. */
  value?: string;
}

export interface QuestionTexts {
  name: string;
  page: Words;
  texts: TextPlace[];
}

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const isWords = (value: unknown): value is Words => typeof value === 'string' || isObject(value);

function choicesOf(choices: unknown, at: Path): TextPlace[] {
  return listOf(choices).map((choice, index) => {
    const path = [...at, index];
    if (!isObject(choice)) return { role: 'choice', path, words: String(choice), value: String(choice) };
    const value = String(choice.value);
    const words = isWords(choice.text) ? choice.text : value;
    return { role: 'choice', path: [...path, 'text'], words, value };
  });
}

function textsOfElement(element: Json, at: Path): TextPlace[] {
  const own = (['title', 'html', 'description'] as const).flatMap((role): TextPlace[] => {
    const words = element[role];
    if (isWords(words)) return [{ role, path: [...at, role], words }];
    // A question without words is shown by its name.
    const unnamed = role === 'title' && element.html === undefined && element.type !== 'expression';
    return unnamed ? [{ role, path: [...at, role], words: String(element.name ?? '') }] : [];
  });
  return [...own, ...choicesOf(element.choices, [...at, 'choices'])];
}

function walk(elements: unknown, at: Path, page: Words): QuestionTexts[] {
  return listOf(elements).flatMap((element, index): QuestionTexts[] => {
    if (!isObject(element)) return [];
    const here = [...at, index];
    const below = [
      ...walk(element.elements, [...here, 'elements'], page),
      ...walk(element.templateElements, [...here, 'templateElements'], page),
    ];
    if (element.type === 'panel') return below;
    const texts = textsOfElement(element, here);
    return [...(texts.length > 0 ? [{ name: String(element.name), page, texts }] : []), ...below];
  });
}

/** Its title and what is said at the end; what is not there is written in the builder. */
export function wholeTexts(definition: object): TextPlace[] {
  const { completedHtmlOnCondition: closings, ...whole } = definition as Json;
  const own = Object.entries(WHOLE).map(([key, role]) => ({ role, path: [key] as Path, words: whole[key] }));
  const onCondition = listOf(closings).map((one, index) => ({
    role: WHOLE.completedHtml,
    path: ['completedHtmlOnCondition', index, 'html'],
    words: isObject(one) ? one.html : undefined,
  }));
  return [...own, ...onCondition].flatMap(({ role, path, words }): TextPlace[] =>
    isWords(words) ? [{ role, path, words }] : [],
  );
}

export function textsOf(definition: object): QuestionTexts[] {
  const { pages, elements } = definition as Json;
  const ofPages = listOf(pages).flatMap((page, index) => {
    if (!isObject(page)) return [];
    const name = isWords(page.title) ? page.title : String(page.name ?? index + 1);
    return walk(page.elements, ['pages', index, 'elements'], name);
  });
  return [...ofPages, ...walk(elements, ['elements'], '1')];
}

/** What stands there in this language alone, without falling back to another. */
export function inThis(words: Words, language: string): string {
  if (typeof words === 'string') return language === 'en' ? words : '';
  return words[language] ?? (language === 'en' ? (words.default ?? '') : '');
}

function said(words: unknown, language: string, text: string): Words {
  if (!isObject(words)) {
    const before = words === undefined ? '' : String(words);
    return language === 'en' ? text : { default: before, [language]: text };
  }
  const key = language === 'en' && 'default' in words ? 'default' : language;
  const after = { ...words, [key]: text } as Record<string, string>;
  // Without a text of its own a language shows that of the questionnaire's first.
  if (text === '' && language !== 'en') delete after[key];
  return after;
}

/** The definition with one text changed; all else is as it was. */
export function withText(
  definition: object,
  { path, words }: TextPlace,
  language: string,
  text: string,
): object {
  const next = structuredClone(definition);
  let owner: unknown = next;
  for (const step of path.slice(0, -1)) owner = (owner as Json)[step];
  const last = path.at(-1) as string;
  const there = (owner as Json)[last];
  // A bare choice becomes one with a text beside its value.
  const bare = typeof last === 'number';
  (owner as Json)[last] = bare
    ? { value: there, text: said(words, language, text) }
    : said(there ?? words, language, text);
  return next;
}
