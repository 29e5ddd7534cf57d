/** On the profile page: lock now, and change the PIN. */
import { Button, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lockNow, useDeviceLockState } from '../../device/lock/use-lock.ts';
import { useSession } from '../../session/session.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Card } from '../../ui/page.tsx';
import { ChooseLock } from './choose-lock.tsx';
import './lock.css';

export default function ChangeLock() {
  const { t } = useTranslation('lock');
  const session = useSession();
  const [choosing, setChoosing] = useState(false);
  const [changed, setChanged] = useState(false);
  if (useDeviceLockState().is !== 'open' || !session) return null;
  const onChosen = () => {
    setChoosing(false);
    setChanged(true);
  };
  return (
    <Card label={t('card')}>
      <Text fw={650} component="h2" size="lg" mb="xs">
        {t('card')}
      </Text>
      <Text>{t('cardWhat')}</Text>
      <div role="status">{changed ? <Text fw={650}>{t('changed')}</Text> : null}</div>
      <Group mt="sm" gap="sm">
        <Button variant="default" leftSection={<Icon name="lock" />} onClick={() => void lockNow()}>
          {t('now')}
        </Button>
        <Button variant="default" onClick={() => setChoosing(!choosing)}>
          {t(choosing ? 'keep' : 'changePin')}
        </Button>
      </Group>
      {choosing ? (
        <div className="lock-inside">
          <ChooseLock session={session} onChosen={onChosen} />
        </div>
      ) : null}
    </Card>
  );
}
