/** Single answers in words, such as those of a change: the question's title and the text of the choice. */
import { Model, type Question } from 'survey-core';

export interface AnswerWords {
  /** Null for a question that this version does not ask. */
  title: string | null;
  words: string;
}

/** For one version of the questions. */
export function answerReader(
  definition: object,
  language: string,
): (name: string, value: unknown) => AnswerWords {
  const model = new Model(definition);
  model.locale = language;
  const plain = (value: unknown) =>
    value === null || value === undefined
      ? ''
      : typeof value === 'object'
        ? JSON.stringify(value)
        : String(value);
  const shown = (question: Question, value: unknown): string => {
    const words: unknown = question.getDisplayValue(false, value);
    return typeof words === 'object' ? JSON.stringify(words) : plain(words);
  };
  return (name, value) => {
    // What was written beside a choice stands under a name of its own.
    const asked = name.replace(/-Comment$/, '');
    const question =
      model.getQuestionByName(name) ??
      model.getQuestionByValueName(name) ??
      model.getQuestionByName(asked) ??
      model.getQuestionByValueName(asked);
    if (!question) return { title: null, words: plain(value) };
    const nothing = value === null || value === undefined || value === '';
    if (asked !== name) return { title: question.processedTitle, words: plain(value) };
    return { title: question.processedTitle, words: nothing ? '' : shown(question, value) };
  };
}
