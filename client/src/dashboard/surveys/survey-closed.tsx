/** Shown if the user may not open or change an interview: who may, and whom to ask. */
import { Text } from '@mantine/core';
import { Notice } from '../../ui/notice.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { AskSuperAdmin, HiddenInterviewsNote } from '../people/ask-super-admin.tsx';

export function SurveyAccessNotice() {
  const { t } = useDashboardText();
  return (
    <Notice tone="info" live title={t('surveys.closed')}>
      <HiddenInterviewsNote />
    </Notice>
  );
}

export function ReadOnlySurveyNote() {
  const { t } = useDashboardText();
  return (
    <Text c="dimmed">
      {t('surveys.readOnly')} <AskSuperAdmin />
    </Text>
  );
}
