/**
 * The shapes of the answers to a questionnaire, derived from its definition: which are one value, several choices,
 * have parts or repeat. Columns, cells and the codebook all follow from them.
 */
import { type ItemValue, type LocalizableString, Model, type Question, type SurveyModel } from 'survey-core';
import { jsonCopy } from '../definition/definition.ts';
import {
  type AnyQuestion,
  allPossibleChoicesOf,
  answerFormOf,
  choiceValueProperty,
} from '../definition/question-types.ts';
import { runWithConsoleMuted } from '../definition/silence-console.ts';
import {
  type AnswerChoice,
  type AnswerShape,
  type AnswerShapes,
  COMMENT_SUFFIX,
  prefixTexts,
} from './answer-shape.ts';
import { calculatedKind } from './calculated-type.ts';
import { codebookTypeOf, typeOfExpression } from './codebook-type.ts';
import type { TextByLanguage } from './countable.ts';
import { yesNoChoices } from './yes-no.ts';

/** The shapes of the answers by the keys under which they are stored, in question order. */
export function answerShapesIn(definition: object): AnswerShapes {
  return runWithConsoleMuted(() => {
    const model = new Model(jsonCopy(definition));
    const languages = [...new Set([...model.getUsedLocales(), model.locale || 'en'])];
    const shapes = new Shaping(model, languages).ofAll(model.getAllQuestions());
    for (const { name, expression, includeIntoResult } of model.calculatedValues)
      if (includeIntoResult && !shapes.has(name)) shapes.set(name, calculated(name, expression, languages));
    return { languages, shapes: [...shapes] };
  });
}

const textIn = (languages: string[], text: string): TextByLanguage =>
  Object.fromEntries(languages.map((language) => [language, text]));

function calculated(name: string, expression: string, languages: string[]): AnswerShape {
  const kind = calculatedKind(expression);
  const values =
    kind.is === 'yes or no'
      ? yesNoChoices(languages)
      : kind.is === 'words'
        ? kind.words.map((value) => ({ value, text: textIn(languages, value) }))
        : [];
  const choices = values.map((one) => ({ ...one, remark: false }));
  return { kind: 'one', type: typeOfExpression(expression), text: textIn(languages, name), choices };
}

class Shaping {
  readonly #model: SurveyModel;
  readonly #languages: string[];

  constructor(model: SurveyModel, languages: string[]) {
    this.#model = model;
    this.#languages = languages;
  }

  ofAll(questions: Question[], above: TextByLanguage | null = null): Map<string, AnswerShape> {
    const shapes = new Map<string, AnswerShape>();
    for (const question of questions) {
      if (!question.hasInput && question.getType() !== 'expression') continue;
      const key = question.getValueName();
      const text = prefixTexts(above, this.#text(question.locTitle, question.name));
      add(shapes, key, this.#ofQuestion(question as AnyQuestion, text));
      if (question.hasComment || question.hasOther) {
        add(shapes, key + COMMENT_SUFFIX, {
          kind: 'one',
          type: 'text',
          text: remarkLabel(text),
          choices: [],
        });
      }
    }
    return shapes;
  }

  #ofQuestion(question: AnyQuestion, text: TextByLanguage): AnswerShape {
    const type = codebookTypeOf(question);
    const choices = () => this.#choices(question);
    const one = (items: AnswerChoice[] = choices()): AnswerShape => ({
      kind: 'one',
      type,
      text,
      choices: items,
    });
    const each = (items: AnswerChoice[], ranked = false): AnswerShape => ({
      kind: 'each',
      type,
      text,
      choices: items,
      ranked,
    });
    switch (answerFormOf(question)) {
      case 'choices':
        return { ...each(choices()), ...choiceValueProperty(question) };
      case 'order':
        return each(choices(), true);
      case 'yes or no':
        return one(this.#yesAndNo(question));
      case 'rate':
        return one(this.#rates(question));
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
              type: codebookTypeOf(item.editor as AnyQuestion),
              text: prefixTexts(text, this.#text(item.locTitle, item.name)),
            }) as AnswerShape,
        );
      case 'rows':
        return parts(question.rows, codeOf, (row) =>
          this.#ofRow(question, prefixTexts(text, this.#text(row.locText, codeOf(row)))),
        );
      case 'row list':
        return { kind: 'list', count: 0, item: this.#ofRow(question, text) };
      case 'panels':
        return {
          kind: 'list',
          count: 0,
          item: { kind: 'parts', parts: [...this.ofAll(question.template.questions, text)] },
        };
      default:
        return one();
    }
  }

  #ofMatrix(question: AnyQuestion, text: TextByLanguage): AnswerShape {
    const choices = this.#items(question.columns);
    const type = question.getType();
    return parts(question.rows, codeOf, (row) => {
      const own = { type, text: prefixTexts(text, this.#text(row.locText, codeOf(row))), choices };
      return question.cellType === 'checkbox'
        ? { kind: 'each', ranked: false, ...own }
        : { kind: 'one', ...own };
    });
  }

  #ofRow(question: AnyQuestion, text: TextByLanguage): AnswerShape {
    return parts(
      question.columns,
      ({ name }) => name,
      (column) => {
        const cell = column.templateQuestion as AnyQuestion;
        const shape = this.#ofQuestion(cell, prefixTexts(text, this.#text(cell.locTitle, cell.name)));
        const hasOwn = shape.kind === 'parts' || shape.kind === 'list' || shape.choices.length > 0;
        // Cells without choices of their own use those of the whole question.
        return hasOwn || !cell.choices ? shape : { ...shape, choices: this.#choices(question) };
      },
    );
  }

  /** All possible choices, including hidden ones, followed by special ones such as "other". */
  #choices(question: AnyQuestion): AnswerChoice[] {
    const all = allPossibleChoicesOf(question, this.#model);
    return this.#items(all.filter((item) => String(item.id) !== 'selectall'));
  }

  #items(items: ItemValue[]): AnswerChoice[] {
    const choices = new Map<string, AnswerChoice>();
    for (const item of items) {
      const value = codeOf(item);
      const { showCommentArea } = item as unknown as { showCommentArea?: boolean };
      // The text for "other" is stored under the question's own remark key.
      const remark = showCommentArea === true && String(item.id) !== 'other';
      if (!choices.has(value)) choices.set(value, { value, text: this.#text(item.locText, value), remark });
    }
    return [...choices.values()];
  }

  #yesAndNo({ valueTrue, valueFalse, locLabelTrue, locLabelFalse }: AnyQuestion): AnswerChoice[] {
    return [
      { value: String(valueTrue ?? true), text: this.#text(locLabelTrue), remark: false },
      { value: String(valueFalse ?? false), text: this.#text(locLabelFalse), remark: false },
    ];
  }

  /** The first and last rate have the labels that the questionnaire gives them. */
  #rates(question: AnyQuestion): AnswerChoice[] {
    const rates = this.#choices(question);
    const ends = [question.locMinRateDescription, question.locMaxRateDescription] as const;
    return rates.map((rate, at) => {
      const end = at === 0 ? ends[0] : at === rates.length - 1 ? ends[1] : undefined;
      const isBare = Object.values(rate.text).every((text) => text === rate.value);
      return end && !end.isEmpty && isBare ? { ...rate, text: this.#text(end) } : rate;
    });
  }

  /**
   * A text without a language is in the questionnaire's default language. A label that is only the code is the same in
   * all languages. The form library's own words ("None") are in English.
   */
  #text(text: LocalizableString, code = ''): TextByLanguage {
    const own = this.#model.locale || 'en';
    const textIn = (language: string) => {
      if (text.isEmpty) return language === own || text.textOrHtml === code ? text.textOrHtml : '';
      const localText = text.getLocaleText(language);
      return localText || (language === own ? text.getLocaleText('default') || text.textOrHtml : '');
    };
    return Object.fromEntries(this.#languages.map((language) => [language, textIn(language)]));
  }
}

const codeOf = (item: ItemValue): string => String(item.value);

function parts<T>(items: T[], keyOf: (item: T) => string, shapeOf: (item: T) => AnswerShape): AnswerShape {
  return { kind: 'parts', parts: [...new Map(items.map((item) => [keyOf(item), shapeOf(item)]))] };
}

/** Several questions may write to one key; their shapes are merged. */
function add(shapes: Map<string, AnswerShape>, key: string, shape: AnswerShape): void {
  const before = shapes.get(key);
  shapes.set(key, before ? merged(before, shape) : shape);
}

function merged(one: AnswerShape, other: AnswerShape): AnswerShape {
  if (one.kind === 'list' && other.kind === 'list') return { ...one, item: merged(one.item, other.item) };
  if (one.kind === 'parts' && other.kind === 'parts') {
    const all = new Map(one.parts);
    for (const [key, shape] of other.parts) add(all, key, shape);
    return { kind: 'parts', parts: [...all] };
  }
  if (!('choices' in one && 'choices' in other) || one.kind !== other.kind) return one;
  const choiceValues = new Set(one.choices.map((choice) => choice.value));
  return {
    ...one,
    choices: [...one.choices, ...other.choices.filter((choice) => !choiceValues.has(choice.value))],
  };
}

const REMARK_TEXTS: TextByLanguage = {
  en: '(in own words)',
  es: '(en sus propias palabras)',
  ar: '(بكلماته هو)',
  ru: '(своими словами)',
  vi: '(bằng lời của mình)',
  zh: '（用自己的话）',
};

/** The label of a question's remark field, in the languages of its title that have one; empty in others. */
const remarkLabel = (text: TextByLanguage): TextByLanguage =>
  Object.fromEntries(
    Object.entries(text).map(([language, own]) => {
      const words = REMARK_TEXTS[language.split('-')[0] ?? ''];
      return [language, own && words ? `${own}: ${words}` : ''];
    }),
  );
