/**
 * The form library repeats the title of a matrix in a legend that is clipped and not hidden, as it is for every other
 * kind: it is read out and copied twice. Here the fieldset is named by the title that is there already.
 */
import { cloneElement, createElement, type PropsWithChildren, type ReactElement } from 'react';
import type { Question } from 'survey-core';
import { SurveyQuestionMatrix } from 'survey-react-ui';

type Element = ReactElement<PropsWithChildren<object>>;
interface Matrix {
  question: Question;
  renderElement(): Element;
}

const { prototype } = SurveyQuestionMatrix as unknown as { prototype: Matrix };
const { renderElement } = prototype;

prototype.renderElement = function () {
  const frame = renderElement.call(this);
  if (!this.question.hasTitle) return frame;
  const fieldset = frame.props.children as Element;
  const [, table] = fieldset.props.children as [Element, Element];
  const named = { role: 'radiogroup', 'aria-labelledby': this.question.ariaTitleId };
  return cloneElement(frame, {}, createElement('fieldset', named, table));
};
