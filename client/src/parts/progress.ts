/**
 * How far an interview is. All questions of the definition count, those that are hidden too: an answer that opens
 * thirty more must not throw the person back from half-way to the start.
 */
import type { Model, Question } from 'survey-core';

export type View = 'question' | 'page';

/**
 * The share of questions before the furthest one that was reached, 0 to 100. A step back does not shorten it, nor
 * does coming back another day, since it is read off the answers.
 */
export function progressOf(model: Model, view: View): number {
  const questions = model.getAllQuestions();
  const [first] = model.currentPage?.questions ?? [];
  const here = view === 'page' ? first?.name : model.currentElementName;
  const at = questions.findIndex((question) => question.name === here);
  const furthest = Math.max(0, at, questions.findLastIndex(wasAnswered));
  return Math.round((100 * furthest) / Math.max(1, questions.length));
}

/** By the person, and not by a default or a calculation. */
const wasAnswered = (question: Question): boolean =>
  question.getType() !== 'expression' && !question.isEmpty() && !question.isValueDefault;
