/** Correcting an interview: on top of the version that was seen, and where someone was faster, a person chooses. */
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Refusal, request } from '../../api.ts';
import type { Answers, Questionnaire, Survey } from '../../wire.ts';
import { CorrectForm } from './correct-form.tsx';
import { EditConflict } from './edit-conflict.tsx';

interface EditSurveyProps {
  survey: Survey;
  questionnaire: Questionnaire;
  /** The question to begin at. */
  from?: string | undefined;
  /** Why, for the history. */
  reason?: string;
  /** Above the answers, such as the field for the reason. */
  top?: ReactNode;
  onClose(): void;
  onSaved(survey: Survey): void;
}

export function EditSurvey(props: EditSurveyProps) {
  const { survey, questionnaire, from, reason = '', top, onClose, onSaved } = props;
  const { t } = useTranslation();
  const [against, setAgainst] = useState<{ stored: Survey; mine: Answers } | null>(null);
  const save = async (responses: Answers, version: number) => {
    const path = `/api/surveys/${survey.id}`;
    try {
      onSaved(
        await request<Survey>('PATCH', path, {
          body: { responses, ...(reason.trim() ? { reason } : {}) },
          headers: { 'If-Match': `"${version}"` },
        }),
      );
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'EDIT_CONFLICT') throw error;
      setAgainst({ stored: await request<Survey>('GET', path), mine: responses });
    }
  };
  const { definition } = questionnaire;
  if (!against) {
    return (
      <CorrectForm
        survey={survey}
        definition={definition}
        from={from}
        top={top}
        onCancel={onClose}
        onSave={(answers) => save(answers, survey.version)}
      />
    );
  }
  return (
    <EditConflict
      key={against.stored.version}
      title={t('clash.title')}
      text={t('clash.edited')}
      definition={definition}
      stored={against.stored.responses}
      other={against.mine}
      otherLabel={t('clash.yours')}
      onCancel={onClose}
      onChoose={(answers) => save(answers, against.stored.version)}
    />
  );
}
