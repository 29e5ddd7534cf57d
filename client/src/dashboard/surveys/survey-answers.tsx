/** An interview's answers in words. People with the permission can correct them. */
import { Text } from '@mantine/core';
import { useEffect } from 'react';
import { AnswerList } from '../../phone/interview/form/answer-list.tsx';
import { FormError } from '../../ui/form.tsx';
import { Card } from '../../ui/page.tsx';
import type { Survey } from '../../wire.ts';
import { ListSkeleton } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { useAnswersInWords } from './answers-in-words.ts';

interface AnswersProps {
  survey: Survey;
  corrected: string;
  onCorrect: ((name: string) => void) | undefined;
}

export function SurveyAnswers({ survey, corrected, onCorrect }: AnswersProps) {
  const { t, app } = useDashboardText();
  const { lines, error } = useAnswersInWords(survey.id);
  const isThere = lines !== undefined;
  // Returns the focus to the answer that was just corrected.
  useEffect(() => {
    if (!isThere || !corrected) return;
    const answer = document.querySelector<HTMLElement>(`[aria-describedby="asked-${CSS.escape(corrected)}"]`);
    answer?.scrollIntoView({ block: 'center' });
    answer?.focus({ preventScroll: true });
  }, [isThere, corrected]);
  if (!lines && !error) return <ListSkeleton label={app('workItem.answers')} rows={12} />;
  return (
    <Card heading={app('workItem.answers')}>
      <FormError error={error} />
      {lines?.length === 0 ? t('surveys.noAnswers') : null}
      {onCorrect && lines?.length ? (
        <Text c="dimmed" size="sm">
          {app('workItem.tapToCorrect')}
        </Text>
      ) : null}
      <AnswerList lines={lines ?? []} onCorrect={onCorrect} />
    </Card>
  );
}
