/** Shown if the user may not open or change an interview: who may, and whom to ask. */
import { Text } from '@mantine/core';
import { Notice } from '../../ui/notice.tsx';
import { useDeskText } from '../kit/words/desk-text.ts';
import { AskSuperAdmin, HiddenInterviewsNote } from '../people/ask-super-admin.tsx';

export function ClosedSurvey() {
  const { t } = useDeskText();
  return (
    <Notice tone="info" live title={t('surveys.closed')}>
      <HiddenInterviewsNote />
    </Notice>
  );
}

export function ReadOnlySurvey() {
  const { t } = useDeskText();
  return (
    <Text c="dimmed">
      {t('surveys.readOnly')} <AskSuperAdmin />
    </Text>
  );
}
