/**
 * The library measures a question a moment after it was told to draw it another way (a rating as a list on a small
 * screen, and back), and reads the width of what may not be drawn yet, or not any more: an uncaught error. It gets what
 * it measured last instead, which is out of the page and has no width, and measures again at the next change.
 */
import { Question } from 'survey-core';

interface Measured {
  initResponsiveness(root: HTMLElement | null): void;
}

export function measureOnlyWhatIsDrawn(): void {
  const questions = Question.prototype as unknown as Measured;
  const { initResponsiveness } = questions;
  questions.initResponsiveness = function (this: Measured, root) {
    if (root) keepLastFound(root);
    initResponsiveness.call(this, root);
  };
}

function keepLastFound(root: HTMLElement): void {
  const last = new Map<string, Element>();
  root.querySelector = (selector: string) => {
    const found = Element.prototype.querySelector.call(root, selector) ?? last.get(selector) ?? null;
    if (found) last.set(selector, found);
    return found;
  };
}
