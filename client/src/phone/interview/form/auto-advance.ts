/**
 * If a questionnaire switches it on (`autoAdvanceEnabled`), the form moves on after a single-choice answer if nothing
 * else on the screen is unanswered. The library's own version is switched off, because it ends an interview, skips the
 * second question of a panel, and after a step back skips the next question.
 */
import type { Model, Question } from 'survey-core';
import { shieldFromTaps } from '../../../ui/tap-shield.ts';
import { isLastScreen, onScreen, type ScreenUnit } from './progress.ts';
import { goToNextScreen } from './warnings.ts';

/** The tick is seen first. */
const ADVANCE_DELAY_MS = 300;
/** Whoever presses "Next" after a choice, by habit, does not leave out what came by itself. */
const IGNORE_NEXT_MS = 600;

export function autoAdvance(model: Model, view: ScreenUnit): void {
  if (!model.autoAdvanceEnabled) return;
  model.autoAdvanceEnabled = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  model.onValueChanged.add((_, { question }: { question: Question | null }) => {
    if (!question || !onScreen(model).includes(question)) return;
    clearTimeout(timer);
    // By touch or mouse: a keyboard walks over all choices up to its own.
    if (isTyped(question) || !question.supportAutoAdvance()) return;
    const here = model.currentElement;
    timer = setTimeout(() => {
      if (model.currentElement !== here || isLastScreen(model, view) || isOpen(model)) return;
      if (goToNextScreen(model)) shieldFromTaps(IGNORE_NEXT_MS);
    }, ADVANCE_DELAY_MS);
  });
}

const isOpen = (model: Model): boolean =>
  onScreen(model).some((question) => question.isVisible && question.hasInput && question.isEmpty());

/** Answered letter by letter, and not with one touch. */
export const isTyped = (question: Question | null): boolean =>
  question !== null && ['text', 'comment', 'multipletext'].includes(question.getType());
