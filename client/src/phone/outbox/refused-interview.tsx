/** Why an interview was refused, in plain words, and how to fix it. */
import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { OutboxRow } from '../../device/store/store.ts';
import { sendInterviewsNow } from '../../offline/background.ts';
import { reopenFinishedInterview } from '../../offline/drafts.ts';
import { acknowledgeConflict, retryInterview } from '../../offline/outbox.ts';
import { faultText } from '../../session/fault-text.ts';
import { useProblemText } from '../../session/problem-text.ts';
import { useLocations } from '../../session/records.ts';
import { useMayCreate } from '../../session/session.tsx';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { refusalReason } from './refusal-reason.ts';
import { RescueButton } from './rescue-button.tsx';

export function RefusedInterview({ row }: { row: OutboxRow }) {
  const { t } = useTranslation('mend');
  const problemText = useProblemText();
  const navigate = useNavigate();
  const { attempt, error } = useAttempt();
  if (!row.refused) return null;
  const reason = refusalReason(row.refused);
  const again = (location?: string) =>
    attempt(retryInterview(row.clientId, location).then(sendInterviewsNow));
  const correct = () => attempt(reopenFinishedInterview(row).then((id) => navigate(`/interview/${id}`)));
  return (
    <div style={{ marginTop: 10 }}>
      <Notice tone="bad" title={t(`${reason}.title`)}>
        {t(`${reason}.what`)}
        {reason === 'other' ? <div>{problemText(row.refused)}</div> : null}
        {row.refused.errors.map((fault) => (
          <div key={fault.path}>
            <bdi>{fault.path.replace(/^responses\./, '')}</bdi>: <bdi>{faultText(fault)}</bdi>
          </div>
        ))}
      </Notice>
      {reason === 'site' ? <OtherSite row={row} onSite={again} /> : null}
      <Group mt="sm" gap="sm">
        {reason === 'answers' || reason === 'tooLarge' || reason === 'other' ? (
          <Button onClick={correct}>{t('correct')}</Button>
        ) : null}
        {reason === 'conflict' ? (
          <Button onClick={() => attempt(acknowledgeConflict(row.clientId).then(() => navigate('/work')))}>
            {t('compare')}
          </Button>
        ) : (
          <Button variant="default" onClick={() => again()}>
            {t('again')}
          </Button>
        )}
        {reason === 'tooLarge' || reason === 'other' || reason === 'forbidden' ? <RescueButton /> : null}
      </Group>
      <FormError error={error} />
    </div>
  );
}

function OtherSite({ row, onSite }: { row: OutboxRow; onSite(location: string): void }) {
  const { t } = useTranslation();
  const { t: own } = useTranslation('mend');
  const may = useMayCreate('Survey');
  const open = useLocations().filter(({ id }) => may(id));
  const [site, setSite] = useState('');
  if (open.length === 0) return <Text size="sm">{t('site.none')}</Text>;
  return (
    <Group mt="sm" align="flex-end" gap="sm">
      <NativeSelect
        style={{ flex: 1 }}
        label={own('siteLabel')}
        value={site}
        onChange={(event) => setSite(event.currentTarget.value)}
        data={[
          { value: '', label: t('site.placeholder') },
          ...open.filter(({ id }) => id !== row.location).map(({ id, name }) => ({ value: id, label: name })),
        ]}
      />
      <Button disabled={!site} onClick={() => onSite(site)}>
        {own('send')}
      </Button>
    </Group>
  );
}
