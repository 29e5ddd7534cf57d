/**
 * Creates a rescue file, shows the result, and offers alternatives, because the browser never reports that saving
 * failed.
 */
import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { download, handOver, makeRescueFile, type RescueFile } from '../../offline/rescue.ts';
import { useUser } from '../../session/session.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';

type Outcome = 'asked' | 'nothing' | 'shared' | 'copied' | 'byHand';

export function RescueButton() {
  const { t } = useTranslation();
  const user = useUser();
  const [made, setMade] = useState<{ file: RescueFile; outcome: Outcome } | null>(null);
  const save = async () => {
    const file = await makeRescueFile(user);
    if (file.count > 0 || !file.partial) download(file);
    setMade({ file, outcome: file.count > 0 || !file.partial ? 'asked' : 'nothing' });
  };
  const share = async (file: RescueFile) => setMade({ file, outcome: (await handOver(file)) ?? 'byHand' });
  return (
    <>
      <Button variant="default" size="md" leftSection={<Icon name="save" />} onClick={() => void save()}>
        {t('rescue.save')}
      </Button>
      {made ? (
        <div style={{ flexBasis: '100%' }}>
          <Notice
            tone={made.outcome === 'nothing' ? 'bad' : 'info'}
            live
            title={t(`rescue.${made.outcome}`, { count: made.file.count })}
          >
            {made.file.partial ? <div>{t('rescue.partial')}</div> : null}
            {made.outcome === 'nothing' ? null : (
              <Group mt="sm" gap="sm">
                <Button variant="default" onClick={() => void share(made.file)}>
                  {t('rescue.share')}
                </Button>
              </Group>
            )}
            {made.outcome === 'byHand' ? (
              <Textarea
                mt="sm"
                readOnly
                rows={4}
                aria-label={t('rescue.byHand', { count: made.file.count })}
                value={made.file.text}
                onFocus={(event) => event.currentTarget.select()}
              />
            ) : null}
          </Notice>
        </div>
      ) : null}
    </>
  );
}
