/** The shape of the answers to a question: one value, several choices, parts, or a list. */
import type { Texts } from './countable.ts';

export interface Choice {
  value: string;
  text: Texts;
  /** Whether the choice has a remark field. */
  remark: boolean;
}

interface About {
  type: string;
  text: Texts;
  choices: Choice[];
}

export type AnswerShape =
  | ({ kind: 'one' } & About)
  /**
   * One column per choice: whether it was chosen, or its rank. `property`: if choices are stored as objects, the key of
   * the value.
   */
  | ({ kind: 'each'; ranked: boolean; property?: string } & About)
  | { kind: 'list'; count: number; item: AnswerShape }
  | { kind: 'parts'; parts: ShapesByKey };

/** By the keys under which the answers are stored, in question order. */
export type ShapesByKey = [key: string, shape: AnswerShape][];

export interface Shapes {
  languages: string[];
  shapes: ShapesByKey;
}

export const COMMENT_SUFFIX = '-Comment';

/** Untranslated texts stay empty. */
export const joinTexts = (above: Texts | null, text: Texts): Texts =>
  above
    ? Object.fromEntries(
        Object.entries(text).map(([language, own]) => [
          language,
          own && [above[language], own].filter(Boolean).join(': '),
        ]),
      )
    : text;
