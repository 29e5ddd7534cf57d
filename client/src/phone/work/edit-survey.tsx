/** Corrects an interview, based on the version that was read. If someone else changed it first, a person chooses. */

import { Button, Group, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useUnsavedEdits } from '../../device/edits.ts';
import { ifMatchHeader, isConflict, request } from '../../session/api.ts';
import { Card } from '../../ui/page.tsx';
import type { Answers, Questionnaire, Survey } from '../../wire.ts';
import { CorrectForm, useCorrection } from './correct-form.tsx';
import { EditConflict } from './edit-conflict.tsx';

interface EditSurveyProps {
  survey: Survey;
  questionnaire: Questionnaire;
  /** The question to correct. Default: all. */
  from?: string | undefined;
  onClose(): void;
  onSaved(survey: Survey): void;
}

export function EditSurvey(props: EditSurveyProps) {
  const { survey, questionnaire, from, onClose, onSaved } = props;
  const { t } = useTranslation('mend');
  const [why, setWhy] = useUnsavedEdits<{ reason: string }>(`reason of ${survey.id}`);
  const [, setCorrection] = useCorrection(survey.id);
  const [missing, setMissing] = useState(false);
  const reason = why?.reason.trim() ?? '';
  const [against, setAgainst] = useState<{ stored: Survey; mine: Answers } | null>(null);
  const drop = () => {
    setWhy(null);
    setCorrection(null);
  };
  const cancel = () => {
    drop();
    onClose();
  };
  const save = async (responses: Answers, version: number) => {
    const path = `/api/surveys/${survey.id}`;
    try {
      const body = { responses, reason };
      const stored = await request<Survey>('PATCH', path, { body, headers: ifMatchHeader(version) });
      drop();
      onSaved(stored);
    } catch (error) {
      if (!isConflict(error)) throw error;
      setAgainst({ stored: await request<Survey>('GET', path), mine: responses });
    }
  };
  const { definition, identityQuestions } = questionnaire;
  if (!against) {
    return (
      <CorrectForm
        survey={survey}
        definition={definition}
        identityQuestions={identityQuestions ?? []}
        from={from}
        why={
          <ReasonField
            value={why?.reason ?? ''}
            missing={missing}
            asked={survey.review?.state === 'HAS_ISSUES'}
            onChange={(text) => setWhy(text ? { reason: text } : null)}
          />
        }
        onCancel={cancel}
        isReady={() => {
          setMissing(reason === '');
          return reason !== '';
        }}
        onSave={save}
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
      unsaved
      onCancel={cancel}
      onChoose={(answers) => save(answers, against.stored.version)}
    />
  );
}

const COMMON_REASONS = ['misheard', 'mistyped', 'toldLater'] as const;

interface ReasonFieldProps {
  value: string;
  /** The person tried to save without a reason. */
  missing: boolean;
  /** A reviewer sent the interview back. */
  asked: boolean;
  onChange(text: string): void;
}

/** The reason for a correction, typed or selected from the most common ones. The history shows it. */
function ReasonField({ value, missing, asked: isRequested, onChange }: ReasonFieldProps) {
  const { t } = useTranslation();
  return (
    <Card>
      <TextInput
        ref={(field) => {
          if (missing && value === '') field?.focus();
        }}
        label={t('workItem.why')}
        description={t('workItem.whyWhat')}
        error={missing && value.trim() === '' ? t('workItem.whyMissing') : undefined}
        required
        maxLength={500}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Group gap="xs" mt="sm">
        {(isRequested ? (['asked', ...COMMON_REASONS] as const) : COMMON_REASONS).map((name) => (
          <Button
            key={name}
            variant="default"
            size="sm"
            aria-pressed={value === t(`workItem.often.${name}`)}
            onClick={() => onChange(t(`workItem.often.${name}`))}
          >
            {t(`workItem.often.${name}`)}
          </Button>
        ))}
      </Group>
    </Card>
  );
}
