/** All answers of one interview on one page, to correct them. */
import { Button, useComputedColorScheme } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Survey as SurveyForm } from 'survey-react-ui';
import type { Answers, Survey } from '../wire.ts';
import { FormError, useSubmit } from './form.tsx';
import { Page } from './page.tsx';
import { resultOf, surveyModel } from './survey-model.ts';

interface CorrectFormProps {
  survey: Survey;
  definition: object;
  onCancel(): void;
  onSave(answers: Answers): Promise<void>;
}

export function CorrectForm({ survey, definition, onCancel, onSave }: CorrectFormProps) {
  const { t, i18n } = useTranslation();
  const dark = useComputedColorScheme('light') === 'dark';
  const [model] = useState(() => {
    const language = i18n.language.slice(0, 2);
    const made = surveyModel(definition, { answers: survey.responses, language, view: 'page', dark });
    made.questionsOnPageMode = 'singlePage';
    return made;
  });
  const { submit, busy, error } = useSubmit(async () => {
    if (model.validate(true, true)) await onSave(resultOf(definition, model.data as Answers, 'en').answers);
  });
  return (
    <Page
      title={t('workItem.correct')}
      actions={
        <>
          <Button variant="default" size="xl" px="lg" onClick={onCancel}>
            {t('common.cancel')}
          </Button>
          <Button size="xl" loading={busy} onClick={() => submit()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <FormError error={error} />
      <div className="interview">
        <SurveyForm model={model} />
      </div>
    </Page>
  );
}
