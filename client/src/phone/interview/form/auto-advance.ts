/**
 * If a questionnaire enables it (`autoAdvanceEnabled`), the form advances after a single-choice answer if nothing
 * else on the screen is unanswered. The library's own version is switched off, because it ends interviews, skips the
 * second question of a panel, and after going back skips the next question.
 */
import type { Model, Question } from 'survey-core';
import { shieldFromTaps } from '../../../ui/tap-shield.ts';
import { isLastScreen, questionsOnScreen, type ScreenUnit } from './progress.ts';
import { goToNextScreen } from './warnings.ts';

/** Shows the selected choice first. */
const ADVANCE_DELAY_MS = 300;
/** Ignores a habitual press on "Next" right after the form advanced, which would skip the new question. */
const IGNORE_NEXT_MS = 600;

export function enableAutoAdvance(model: Model, view: ScreenUnit): void {
  if (!model.autoAdvanceEnabled) return;
  model.autoAdvanceEnabled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  model.onValueChanged.add((_, { question }: { question: Question | null }) => {
    if (!question || !questionsOnScreen(model).includes(question)) return;
    clearTimeout(timer);
    // Only by touch or mouse: arrow keys pass through the other choices.
    if (isAnsweredByTyping(question) || !question.supportAutoAdvance()) return;
    const here = model.currentElement;
    timer = setTimeout(() => {
      if (model.currentElement !== here || isLastScreen(model, view) || isOpen(model)) return;
      if (goToNextScreen(model)) shieldFromTaps(IGNORE_NEXT_MS);
    }, ADVANCE_DELAY_MS);
  });
}

const isOpen = (model: Model): boolean =>
  questionsOnScreen(model).some((question) => question.isVisible && question.hasInput && question.isEmpty());

/** Answered by typing rather than with one touch. */
export const isAnsweredByTyping = (question: Question | null): boolean =>
  question !== null && ['text', 'comment', 'multipletext'].includes(question.getType());
