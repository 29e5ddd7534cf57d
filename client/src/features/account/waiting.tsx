/** For people who are not approved (yet). The background checks for approval every ten seconds. */
import { Button, Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { leave } from '../../background.ts';
import { useSignal } from '../../device/use-signal.ts';
import { useUser } from '../../session.tsx';
import { LanguageSwitch } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useOutboxCounts } from '../outbox/outbox-counts.ts';
import { RescueButton } from '../outbox/rescue-button.tsx';

export default function Waiting() {
  const { t } = useTranslation();
  const user = useUser();
  const online = useSignal();
  const { waiting, attention } = useOutboxCounts();
  if (user.approvalStatus === 'APPROVED') return <Navigate to="/" replace />;
  const rejected = user.approvalStatus === 'REJECTED';
  return (
    <Page title={rejected ? t('waiting.rejectedTitle') : t('waiting.title')} beside={<LanguageSwitch />}>
      {rejected ? (
        <Notice tone="bad" live title={t('waiting.rejected')}>
          {t('waiting.rejectedWhat')}
        </Notice>
      ) : (
        <Card>
          <Text size="lg">{t('waiting.text', { name: user.firstName })}</Text>
          <Text mt="sm">{t('waiting.byItself')}</Text>
          <div role="status" style={{ display: 'flex', alignItems: 'center', gap: 12, marginTop: 18 }}>
            <Loader size="sm" aria-hidden="true" />
            {online ? t('waiting.looking') : t('waiting.noSignal')}
          </div>
        </Card>
      )}
      {waiting + attention > 0 ? (
        <Notice
          tone="info"
          title={t(rejected ? 'waiting.keptOnly' : 'waiting.kept', { count: waiting + attention })}
        >
          {t('waiting.rescue')}
          <Group mt="sm">
            <RescueButton />
          </Group>
        </Notice>
      ) : null}
      <Button variant="default" onClick={leave}>
        {t('me.signOut')}
      </Button>
    </Page>
  );
}
