/** The shape of the answers to a question: one value, several choices, parts, or a list. */
import type { TextByLanguage } from './countable.ts';

export interface AnswerChoice {
  value: string;
  text: TextByLanguage;
  /** Whether the choice has a remark field. */
  remark: boolean;
}

interface About {
  type: string;
  text: TextByLanguage;
  choices: AnswerChoice[];
}

export type AnswerShape =
  | ({ kind: 'one' } & About)
  /**
   * One column per choice: whether it was chosen, or its rank. `property`: if choices are stored as objects, the key of
   * the value.
   */
  | ({ kind: 'each'; ranked: boolean; property?: string } & About)
  | { kind: 'list'; count: number; item: AnswerShape }
  | { kind: 'parts'; parts: AnswerShapesByKey };

/** By the keys under which the answers are stored, in question order. */
export type AnswerShapesByKey = [key: string, shape: AnswerShape][];

export interface AnswerShapes {
  languages: string[];
  shapes: AnswerShapesByKey;
}

export const COMMENT_SUFFIX = '-Comment';

/** Untranslated texts stay empty. */
export const prefixTexts = (above: TextByLanguage | null, text: TextByLanguage): TextByLanguage =>
  above
    ? Object.fromEntries(
        Object.entries(text).map(([language, own]) => [
          language,
          own && [above[language], own].filter(Boolean).join(': '),
        ]),
      )
    : text;
