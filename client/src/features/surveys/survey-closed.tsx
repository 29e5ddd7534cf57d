/** Shown if the user may not open or change an interview: who may, and whom to ask. */
import { Text } from '@mantine/core';
import { useDeskText } from '../../desk/desk-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { AskSuperAdmin, ClosedWhat } from '../people/ask-super-admin.tsx';

export function ClosedSurvey() {
  const { t } = useDeskText();
  return (
    <Notice tone="info" live title={t('surveys.closed')}>
      <ClosedWhat />
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
