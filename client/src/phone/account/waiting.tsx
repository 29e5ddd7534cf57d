/** For people who are not approved (yet). The background checks for approval every ten seconds. */
import { Box, Group, Loader, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { studyContactInLanguage } from '../../../../src/study/settings/contacts.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { signOut } from '../../offline/sign-out.ts';
import { usePublicStudy } from '../../session/records.ts';
import { useUser } from '../../session/session.tsx';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { LanguageSwitch } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import { useUnfinishedOrUnsentCount } from '../outbox/outbox-counts.ts';
import { RescueButton } from '../outbox/rescue-button.tsx';

export default function WaitingForApprovalPage() {
  const { t: app, i18n } = useTranslation();
  const { t } = useTranslation('waiting');
  const user = useUser();
  const online = useHasSignal();
  const unsent = useUnfinishedOrUnsentCount();
  const study = usePublicStudy().data;
  const contact = study ? studyContactInLanguage(study, i18n.language) : '';
  if (user.approvalStatus === 'APPROVED') return <Navigate to="/" replace />;
  const rejected = user.approvalStatus === 'REJECTED';
  const count = unsent ?? 0;
  return (
    <Page title={rejected ? t('rejectedTitle') : t('title')} besideTitle={<LanguageSwitch />}>
      {rejected ? (
        <Notice tone="bad" live title={t('rejected')}>
          {t('rejectedWhat')}
        </Notice>
      ) : (
        <Card>
          <Text size="lg">{t('text', { name: user.firstName })}</Text>
          <Text mt="sm">{t('automatic')}</Text>
          {contact ? (
            <Box mt="sm">
              <Text fw={650}>{t('questions')}</Text>
              <Text dir="auto" className="own-lines">
                {contact}
              </Text>
            </Box>
          ) : null}
          <div role="status" style={{ display: 'flex', alignItems: 'center', gap: 12, marginTop: 18 }}>
            <Loader size="sm" aria-hidden="true" />
            {online ? t('looking') : t('noSignal')}
          </div>
        </Card>
      )}
      {count > 0 ? (
        <Notice tone="info" title={t(rejected ? 'keptOnly' : 'kept', { count })}>
          {t('rescue')}
          <Group mt="sm">
            <RescueButton />
          </Group>
        </Notice>
      ) : null}
      <ConfirmButton
        label={app('me.signOut')}
        question={rejected ? t('keptOnly', { count }) : app('me.signOutQuestion', { count })}
        yes={app('me.signOut')}
        when={() => unsent !== 0}
        onYes={signOut}
      />
    </Page>
  );
}
