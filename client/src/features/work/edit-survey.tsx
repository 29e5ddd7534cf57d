/** Correcting an interview: on top of the version that was seen, and where someone was faster, a person chooses. */
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Refusal, request } from '../../api.ts';
import { useDraft } from '../../edits.ts';
import type { Answers, Questionnaire, Survey } from '../../wire.ts';
import { CorrectForm } from './correct-form.tsx';
import { EditConflict } from './edit-conflict.tsx';
import { ReasonField } from './reason-field.tsx';

interface EditSurveyProps {
  survey: Survey;
  questionnaire: Questionnaire;
  /** The question that is corrected; without one all are shown. */
  from?: string | undefined;
  onClose(): void;
  onSaved(survey: Survey): void;
}

export function EditSurvey(props: EditSurveyProps) {
  const { survey, questionnaire, from, onClose, onSaved } = props;
  const { t } = useTranslation();
  const [why, setWhy] = useDraft<{ reason: string }>(`reason of ${survey.id}`);
  const [missing, setMissing] = useState(false);
  const reason = why?.reason.trim() ?? '';
  const [against, setAgainst] = useState<{ stored: Survey; mine: Answers } | null>(null);
  const save = async (responses: Answers, version: number) => {
    const path = `/api/surveys/${survey.id}`;
    try {
      const headers = { 'If-Match': `"${version}"` };
      const stored = await request<Survey>('PATCH', path, { body: { responses, reason }, headers });
      setWhy(null);
      onSaved(stored);
    } catch (error) {
      if (!(error instanceof Refusal) || error.code !== 'EDIT_CONFLICT') throw error;
      setAgainst({ stored: await request<Survey>('GET', path), mine: responses });
    }
  };
  const { definition, identityQuestions } = questionnaire;
  if (!against) {
    return (
      <CorrectForm
        survey={survey}
        definition={definition}
        clues={identityQuestions ?? []}
        from={from}
        why={
          <ReasonField
            value={why?.reason ?? ''}
            missing={missing}
            onChange={(text) => setWhy(text ? { reason: text } : null)}
          />
        }
        onCancel={() => {
          setWhy(null);
          onClose();
        }}
        isReady={() => {
          setMissing(reason === '');
          return reason !== '';
        }}
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
