/** Says that the last answer is on the screen but couldn't be stored, and what to do. */
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { NotTheEditor } from '../../device/editor.ts';
import { isStorageFullError } from '../../device/store/store.ts';
import { Notice } from '../../ui/notice.tsx';
import { RescueButton } from '../outbox/rescue-button.tsx';

interface StorageTroubleProps {
  error: unknown;
  onRetry(): Promise<void>;
}

export function StorageTrouble({ error, onRetry }: StorageTroubleProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  // Another tab has the interview, which the page says itself.
  if (!error || error instanceof NotTheEditor) return null;
  const retry = async () => {
    setBusy(true);
    await onRetry().finally(() => setBusy(false));
  };
  return (
    <div className="above-questions">
      <Notice tone="bad" live title={isStorageFullError(error) ? t('storage.full') : t('storage.failed')}>
        {t('storage.fullWhat')}
        <Group mt="sm" gap="sm">
          <Button loading={busy} onClick={() => void retry()}>
            {t('storage.retry')}
          </Button>
          <RescueButton />
        </Group>
      </Notice>
    </div>
  );
}
