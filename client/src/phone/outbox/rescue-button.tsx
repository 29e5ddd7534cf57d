/**
 * Creates a rescue file, shows the result, and offers alternatives, because browsers don't report failed downloads.
 */
import { Button, Group, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { makeRescueFile, offerFileDownload, type RescueFile, shareOrCopy } from '../../offline/rescue.ts';
import { useUser } from '../../session/session.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';

type Outcome = 'asked' | 'nothing' | 'shared' | 'copied' | 'byHand';

export function RescueButton() {
  const { t } = useTranslation();
  const user = useUser();
  const [result, setResult] = useState<{ file: RescueFile; outcome: Outcome } | null>(null);
  const save = async () => {
    const file = await makeRescueFile(user);
    if (file.count > 0 || !file.partial) offerFileDownload(file);
    setResult({ file, outcome: file.count > 0 || !file.partial ? 'asked' : 'nothing' });
  };
  const share = async (file: RescueFile) =>
    setResult({ file, outcome: (await shareOrCopy(file)) ?? 'byHand' });
  return (
    <>
      <Button variant="default" size="md" leftSection={<Icon name="save" />} onClick={() => void save()}>
        {t('rescue.save')}
      </Button>
      {result ? (
        <div style={{ flexBasis: '100%' }}>
          <Notice
            tone={result.outcome === 'nothing' ? 'bad' : 'info'}
            live
            title={t(`rescue.${result.outcome}`, { count: result.file.count })}
          >
            {result.file.partial ? <div>{t('rescue.partial')}</div> : null}
            {result.outcome === 'nothing' ? null : (
              <Group mt="sm" gap="sm">
                <Button variant="default" onClick={() => void share(result.file)}>
                  {t('rescue.share')}
                </Button>
              </Group>
            )}
            {result.outcome === 'byHand' ? (
              <Textarea
                mt="sm"
                readOnly
                rows={4}
                aria-label={t('rescue.byHand', { count: result.file.count })}
                value={result.file.text}
                onFocus={(event) => event.currentTarget.select()}
              />
            ) : null}
          </Notice>
        </div>
      ) : null}
    </>
  );
}
