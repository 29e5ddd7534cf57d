/** Two windows on one draft: nothing is overwritten until somebody chooses. */
import { Button, Group } from '@mantine/core';
import { useDeskText } from '../../desk/desk-text.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Elsewhere } from './questionnaire-draft.ts';

interface DraftElsewhereProps {
  elsewhere: Elsewhere;
  /** There is something of this window's own to keep. */
  hasOwn: boolean;
}

export function DraftElsewhere({ elsewhere, hasOwn }: DraftElsewhereProps) {
  const { t } = useDeskText();
  const { isGone, keepMine, useOther } = elsewhere;
  return (
    <Notice tone="warn" live title={t(isGone ? 'versions.draftGoneElsewhere' : 'versions.draftElsewhere')}>
      {t('versions.draftElsewhereWhat')}
      <Group mt="sm" gap="sm">
        {hasOwn ? (
          <Button variant="default" onClick={keepMine}>
            {t('versions.keepMine')}
          </Button>
        ) : null}
        <Button variant="default" onClick={useOther}>
          {t(isGone ? 'versions.discard' : 'versions.useOther')}
        </Button>
      </Group>
    </Notice>
  );
}
