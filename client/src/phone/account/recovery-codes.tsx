/** Shows the recovery codes once. Continuing requires confirming that they were saved. */
import { Button, Checkbox, Group, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { offerFileDownload } from '../../offline/rescue.ts';
import { Notice } from '../../ui/notice.tsx';
import './recovery-codes.css';

export function RecoveryCodes({ codes, busy, onKept }: { codes: string[]; busy: boolean; onKept(): void }) {
  const { t } = useTranslation('passkeys');
  const [isConfirmed, setConfirmed] = useState(false);
  const [copied, setCopied] = useState(false);
  const text = codes.join('\n');
  const copy = () => void navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <div className="recovery-codes">
      <Text fw={650} component="h2" size="lg" mb="xs">
        {t('codesTitle')}
      </Text>
      <Notice tone="warn" title={t('codesWhat')} />
      <ol dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <Group gap="xs" className="recovery-codes-acts">
        <Button variant="default" onClick={copy}>
          {copied ? t('copied') : t('copy')}
        </Button>
        <Button variant="default" onClick={() => print()}>
          {t('print')}
        </Button>
        <Button
          variant="default"
          onClick={() => offerFileDownload({ name: 'recovery-codes.txt', text: `${text}\n` }, 'text/plain')}
        >
          {t('download')}
        </Button>
      </Group>
      <Checkbox
        mt="lg"
        size="md"
        checked={isConfirmed}
        label={t('kept')}
        onChange={(event) => setConfirmed(event.currentTarget.checked)}
      />
      <Button fullWidth mt="md" size="lg" disabled={!isConfirmed} loading={busy} onClick={onKept}>
        {t('next')}
      </Button>
    </div>
  );
}
