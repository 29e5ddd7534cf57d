/**
 * The current position in an interview: the name of a question, in both views, so that neither changing the view nor
 * a crash goes back to an earlier question.
 */
import type { Model, PageModel, PanelModel, Question } from 'survey-core';
import { questionsOnScreen, type ScreenUnit } from './progress.ts';

/** On a page with several questions, the one last touched. */
const touched = new WeakMap<Model, string>();

export function trackTouchedQuestion(model: Model): void {
  const note = (_: Model, { question }: { question?: Question | null }) => {
    if (question) touched.set(model, question.name);
  };
  model.onFocusInQuestion.add(note);
  model.onValueChanged.add(note);
}

/** `place` may also be a page or panel name: older app versions stored a page's name, and a screen may be a panel. */
export function goToQuestion(model: Model, place: string, view: ScreenUnit): void {
  const question =
    model.getQuestionByName(place) ??
    currentQuestionOn(model.getPageByName(place) ?? (model.getPanelByName(place) as PanelModel | null));
  if (!question) return;
  if (view === 'question') {
    if (question.isVisible) model.currentElementName = question.name;
    return;
  }
  touched.set(model, question.name);
  const page = question.page as PageModel | null;
  if (page?.isVisible) model.currentPage = page;
}

export function currentQuestionName(model: Model, view: ScreenUnit): string | null {
  if (view === 'question') return questionsOnScreen(model).find(({ isVisible }) => isVisible)?.name ?? null;
  const page = model.currentPage as PageModel | null;
  const last = page?.questions.find(({ name, isVisible }) => isVisible && name === touched.get(model));
  return (last ?? currentQuestionOn(page))?.name ?? null;
}

/**
 * The first unanswered question, or, if nothing is answered yet, the first element on the page, even a text to read
 * out.
 */
function currentQuestionOn(page: PanelModel | PageModel | null): Question | undefined {
  const visibleQuestions = page?.questions.filter(({ isVisible }) => isVisible) ?? [];
  const begun = visibleQuestions.some((question) => question.hasInput && !question.isEmpty());
  return (
    (begun ? visibleQuestions.find((question) => question.hasInput && question.isEmpty()) : undefined) ??
    visibleQuestions[0]
  );
}
