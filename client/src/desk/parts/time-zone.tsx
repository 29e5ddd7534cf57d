/** Which day "today" is. It is a setting of the server, so it is shown here and said how it is changed. */
import { Text } from '@mantine/core';
import { Card } from '../../parts/page.tsx';
import { useAbility } from '../../session.tsx';
import { useDeskText } from './desk-text.ts';
import { useGet } from './use-list.tsx';

export function TimeZoneCard() {
  const { t, language } = useDeskText();
  const open = useAbility().can('read', 'Recruitment');
  const { data } = useGet<{ timeZone: string }>('/api/recruitment/summary', { open });
  if (!data) return null;
  const now = new Intl.DateTimeFormat(language, {
    timeZone: data.timeZone,
    dateStyle: 'full',
    timeStyle: 'short',
  }).format();
  return (
    <Card label={t('study.timeZone')}>
      <h2>{t('study.timeZone')}</h2>
      <Text mt="sm">
        <b>{data.timeZone}</b>: {t('study.timeZoneNow', { now })}
      </Text>
      <Text mt="xs" c="dimmed">
        {t('study.timeZoneWhat')}
      </Text>
      <Text mt="xs" c="dimmed">
        {t('study.timeZoneHow')} <code>TIME_ZONE=America/Los_Angeles</code>
      </Text>
    </Card>
  );
}
