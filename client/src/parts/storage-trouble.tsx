/** The last answer is on the screen but not on the device: said plainly, with two ways out. */
import { Button, Group } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { NotTheEditor } from '../device/drafts.ts';
import { saveRescueFile } from '../device/rescue.ts';
import { type Draft, isStorageFull } from '../device/store.ts';
import { useUser } from '../session.tsx';
import { Notice } from './notice.tsx';

interface StorageTroubleProps {
  error: unknown;
  onRetry(): void;
  unsaved(): Draft;
}

export function StorageTrouble({ error, onRetry, unsaved }: StorageTroubleProps) {
  const { t } = useTranslation();
  const user = useUser();
  // The other tab has it: the page itself says so.
  if (!error || error instanceof NotTheEditor) return null;
  return (
    <div style={{ maxWidth: 760, margin: '0 auto', padding: 12 }}>
      <Notice tone="bad" live title={isStorageFull(error) ? t('storage.full') : t('storage.failed')}>
        {t('storage.fullWhat')}
        <Group mt="sm" gap="sm">
          <Button onClick={onRetry}>{t('storage.retry')}</Button>
          <Button variant="default" onClick={() => void saveRescueFile(user, unsaved())}>
            {t('rescue.save')}
          </Button>
        </Group>
      </Notice>
    </div>
  );
}
