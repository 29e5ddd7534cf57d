/**
 * The progress of an interview. Counts all questions, including hidden ones, so that an answer that reveals thirty
 * more doesn't set the bar back to the start.
 */
import type { Model, PanelModel, Question } from 'survey-core';

export type ScreenUnit = 'question' | 'page';

/** The questions on one screen: a page's, a panel's, or a single one. */
export function questionsOnScreen(model: Model): Question[] {
  const here = model.currentElement as unknown as Question | PanelModel | null | undefined;
  if (!here) return [];
  return 'questions' in here ? here.questions : [here];
}

export const isFirstScreen = (model: Model, view: ScreenUnit): boolean =>
  view === 'question' ? Boolean(model.isFirstElement) : model.isFirstPage;
export const isLastScreen = (model: Model, view: ScreenUnit): boolean =>
  view === 'question' ? Boolean(model.isLastElement) : model.isLastPage;

/**
 * The share of questions before the furthest one reached, 0 to 100. Going back or returning another day doesn't
 * reduce it, because it is derived from the answers.
 */
export function interviewProgressOf(model: Model): number {
  const questions = model.getAllQuestions();
  const here = questionsOnScreen(model)[0]?.name;
  const at = questions.findIndex((question) => question.name === here);
  const furthest = Math.max(0, at, questions.findLastIndex(wasAnswered));
  return Math.round((100 * furthest) / Math.max(1, questions.length));
}

/** This question's number among all of them; some may be skipped. */
export function questionNumber(model: Model): { step: number; steps: number } {
  const questions = model.getAllQuestions().filter((question) => question.getType() !== 'expression');
  const here = questionsOnScreen(model).find(({ isVisible }) => isVisible)?.name;
  const at = questions.findIndex(({ name }) => name === here);
  return { step: Math.max(0, at) + 1, steps: questions.length };
}

/** By the person, not by a default or a calculation. */
const wasAnswered = (question: Question): boolean =>
  question.getType() !== 'expression' && !question.isEmpty() && !question.isValueDefault;
