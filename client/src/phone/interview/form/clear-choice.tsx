/**
 * The "Clear" button of a single-choice question, below its choices and only once one is selected. The forms library
 * puts it next to the title, even with nothing to clear.
 */
import type { ReactElement } from 'react';
import { QuestionRadiogroupModel } from 'survey-core';
import { SurveyQuestionRadiogroup } from 'survey-react-ui';

interface RenderedRadiogroup {
  question: QuestionRadiogroupModel;
  renderClearButton(): ReactElement | null;
}

const radiogroupPrototype = SurveyQuestionRadiogroup.prototype as unknown as RenderedRadiogroup;

radiogroupPrototype.renderClearButton = function () {
  const { question } = this;
  if (!question.canShowClearButton || question.isEmpty()) return null;
  return (
    <button
      type="button"
      className="clear-choice"
      aria-describedby={question.ariaTitleId}
      onClick={() => question.clearValueFromUI()}
    >
      {question.clearButtonCaption}
    </button>
  );
};

const model = QuestionRadiogroupModel.prototype as unknown as { getDefaultTitleActions(): unknown[] };
model.getDefaultTitleActions = () => [];
