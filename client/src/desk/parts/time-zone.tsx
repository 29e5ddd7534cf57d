/** Which day "today" is. It is a setting of the server, so it is shown here and said how it is changed. */
import { Box, Text } from '@mantine/core';
import { Notice } from '../../parts/notice.tsx';
import { Card } from '../../parts/page.tsx';
import { useAbility } from '../../session.tsx';
import { useDeskText } from './desk-text.ts';
import { useGet } from './use-list.tsx';

const EXAMPLE = 'America/Los_Angeles';

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
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
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
        {t('study.timeZoneHow')} <code>TIME_ZONE={own === data.timeZone ? EXAMPLE : own}</code>
      </Text>
      {own === data.timeZone ? null : (
        <Box mt="sm">
          <Notice tone="info" title={t('study.timeZoneOther', { zone: own })} />
        </Box>
      )}
    </Card>
  );
}
