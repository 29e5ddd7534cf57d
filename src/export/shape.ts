/**
 * What the answers to a questionnaire look like, taken from its definition: which are one value, which a choice of
 * several, which have parts or repeat. Columns, cells and the codebook all follow from it.
 */
import type { ItemValue, LocalizableString, Question, SurveyModel } from 'survey-core';
import { Model } from 'survey-core';
import { jsonCopy } from '../questionnaires/definition.ts';
import { type AnyQuestion, answerFormOf } from '../questionnaires/kinds.ts';
import { quietly } from '../questionnaires/quietly.ts';

/** By language. */
export type Texts = Record<string, string>;

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

export type Shape =
  | ({ kind: 'one' } & About)
  /** A column for each choice: whether it was made or, where they are put in order, its place. */
  | ({ kind: 'each'; ranked: boolean } & About)
  | { kind: 'list'; count: number; item: Shape }
  | { kind: 'parts'; parts: Map<string, Shape> };

export const REMARK = '-Comment';

/** The shapes of the answers by the keys under which they are stored, in the order of the questions. */
export function shapesOf(definition: object): { languages: string[]; shapes: Map<string, Shape> } {
  return quietly(() => {
    const model = new Model(jsonCopy(definition));
    const languages = model.getUsedLocales();
    const shapes = new Shaping(model, languages).ofAll(model.getAllQuestions());
    for (const { name, includeIntoResult } of model.calculatedValues) {
      if (includeIntoResult && !shapes.has(name)) {
        shapes.set(name, { kind: 'one', type: 'computed', text: textIn(languages, name), choices: [] });
      }
    }
    return { languages, shapes };
  });
}

const textIn = (languages: string[], text: string): Texts =>
  Object.fromEntries(languages.map((language) => [language, text]));

const joined = (above: Texts | null, text: Texts): Texts =>
  above
    ? Object.fromEntries(
        Object.entries(text).map(([language, own]) => [language, `${above[language]}: ${own}`]),
      )
    : text;

class Shaping {
  readonly #model: SurveyModel;
  readonly #languages: string[];

  constructor(model: SurveyModel, languages: string[]) {
    this.#model = model;
    this.#languages = languages;
  }

  ofAll(questions: Question[], above: Texts | null = null): Map<string, Shape> {
    const shapes = new Map<string, Shape>();
    for (const question of questions) {
      if (!question.hasInput && question.getType() !== 'expression') continue;
      const key = question.getValueName();
      const text = joined(above, this.#text(question.locTitle));
      add(shapes, key, this.#ofQuestion(question as AnyQuestion, text));
      if (question.hasComment || question.hasOther) {
        const words = joined(text, textIn(this.#languages, '(in own words)'));
        add(shapes, key + REMARK, { kind: 'one', type: 'text', text: words, choices: [] });
      }
    }
    return shapes;
  }

  #ofQuestion(question: AnyQuestion, text: Texts): Shape {
    const type = question.getType();
    const choices = () => this.#choices(question);
    const one = (items: Choice[] = choices()): Shape => ({ kind: 'one', type, text, choices: items });
    const each = (items: Choice[], ranked = false): Shape => ({
      kind: 'each',
      type,
      text,
      choices: items,
      ranked,
    });
    switch (answerFormOf(question)) {
      case 'choices':
        return each(choices());
      case 'order':
        return each(choices(), true);
      case 'area':
        return one(this.#items(question.areas));
      case 'areas':
        return each(this.#items(question.areas));
      case 'numbers':
        return { kind: 'list', count: 0, item: one([]) };
      case 'column':
        return one(this.#items(question.columns));
      case 'columns':
        return this.#ofMatrix(question, text);
      case 'lines':
        return parts(
          question.items,
          ({ name }) => name,
          (item) =>
            ({
              ...one([]),
              text: joined(text, this.#text(item.locTitle)),
            }) as Shape,
        );
      case 'rows':
        return parts(question.rows, codeOf, (row) =>
          this.#ofRow(question, joined(text, this.#text(row.locText))),
        );
      case 'row list':
        return { kind: 'list', count: 0, item: this.#ofRow(question, text) };
      case 'panels':
        return {
          kind: 'list',
          count: 0,
          item: { kind: 'parts', parts: this.ofAll(question.template.questions, text) },
        };
      default:
        return one();
    }
  }

  #ofMatrix(question: AnyQuestion, text: Texts): Shape {
    const choices = this.#items(question.columns);
    const type = question.getType();
    return parts(question.rows, codeOf, (row) => {
      const own = { type, text: joined(text, this.#text(row.locText)), choices };
      return question.cellType === 'checkbox'
        ? { kind: 'each', ranked: false, ...own }
        : { kind: 'one', ...own };
    });
  }

  #ofRow(question: AnyQuestion, text: Texts): Shape {
    return parts(
      question.columns,
      ({ name }) => name,
      (column) => {
        const cell = column.templateQuestion as AnyQuestion;
        const shape = this.#ofQuestion(cell, joined(text, this.#text(cell.locTitle)));
        const hasOwn = shape.kind === 'parts' || shape.kind === 'list' || shape.choices.length > 0;
        // Cells without choices of their own have those of the whole question.
        return hasOwn || !cell.choices ? shape : { ...shape, choices: this.#choices(question) };
      },
    );
  }

  /** All that can be answered, hidden ones included, and the special ones such as "other" behind them. */
  #choices(question: AnyQuestion): Choice[] {
    const source = question.choicesFromQuestion
      ? (this.#model.getQuestionByName(question.choicesFromQuestion) as AnyQuestion | null)
      : null;
    const shown = question.visibleChoices ?? question.visibleRateValues ?? [];
    const all = [...(question.choices ?? []), ...(source?.choices ?? []), ...shown];
    return this.#items(all.filter((item) => String(item.id) !== 'selectall'));
  }

  #items(items: ItemValue[]): Choice[] {
    const found = new Map<string, Choice>();
    for (const item of items) {
      const value = codeOf(item);
      const { showCommentArea } = item as unknown as { showCommentArea?: boolean };
      // The words beside "other" are stored under the question's own key for remarks.
      const remark = showCommentArea === true && String(item.id) !== 'other';
      if (!found.has(value)) found.set(value, { value, text: this.#text(item.locText), remark });
    }
    return [...found.values()];
  }

  #text(text: LocalizableString): Texts {
    const textIn = (language: string) =>
      text.getLocaleText(language) || text.getLocaleText('default') || text.textOrHtml;
    return Object.fromEntries(this.#languages.map((language) => [language, textIn(language)]));
  }
}

const codeOf = (item: ItemValue): string => String(item.value);

function parts<T>(items: T[], keyOf: (item: T) => string, shapeOf: (item: T) => Shape): Shape {
  return { kind: 'parts', parts: new Map(items.map((item) => [keyOf(item), shapeOf(item)])) };
}

/** Several questions may write under one key: what any of them can write has its place. */
function add(shapes: Map<string, Shape>, key: string, shape: Shape): void {
  const before = shapes.get(key);
  shapes.set(key, before ? merged(before, shape) : shape);
}

function merged(one: Shape, other: Shape): Shape {
  if (one.kind === 'list' && other.kind === 'list') return { ...one, item: merged(one.item, other.item) };
  if (one.kind === 'parts' && other.kind === 'parts') {
    const all = new Map(one.parts);
    for (const [key, shape] of other.parts) add(all, key, shape);
    return { kind: 'parts', parts: all };
  }
  if (!('choices' in one && 'choices' in other) || one.kind !== other.kind) return one;
  const known = new Set(one.choices.map((choice) => choice.value));
  return { ...one, choices: [...one.choices, ...other.choices.filter((choice) => !known.has(choice.value))] };
}
