/** The shape of the answers to a question: one value, several choices, parts, or a list. */
import type { Texts } from './countable.ts';

export interface Choice {
  value: string;
  text: Texts;
  /** It takes a remark of its own. */
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
   * A column for each choice: whether it was made or, where they are put in order, its place. `property`: where each choice
   * is kept as an object, the key of its value there.
   */
  | ({ kind: 'each'; ranked: boolean; property?: string } & About)
  | { kind: 'list'; count: number; item: AnswerShape }
  | { kind: 'parts'; parts: ShapesByKey };

/** By the keys under which the answers are stored, in the order of the questions. */
export type ShapesByKey = [key: string, shape: AnswerShape][];

export interface Shapes {
  languages: string[];
  shapes: ShapesByKey;
}

export const COMMENT_SUFFIX = '-Comment';

/** What is not translated stays empty. */
export const joinTexts = (above: Texts | null, text: Texts): Texts =>
  above
    ? Object.fromEntries(
        Object.entries(text).map(([language, own]) => [
          language,
          own && [above[language], own].filter(Boolean).join(': '),
        ]),
      )
    : text;
