/**
 * "Clear" of a single choice, below its choices and only once one is chosen. The form library puts it into a menu beside
 * the title, where it stands with nothing to clear.
 */
import type { ReactElement } from 'react';
import { QuestionRadiogroupModel } from 'survey-core';
import { SurveyQuestionRadiogroup } from 'survey-react-ui';

interface Drawn {
  question: QuestionRadiogroupModel;
  renderClearButton(): ReactElement | null;
}

const drawn = SurveyQuestionRadiogroup.prototype as unknown as Drawn;

drawn.renderClearButton = function () {
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
