/** The ways to begin a questionnaire: from nothing, from a short one, from a copy, or from a file. */
import { Button, NativeSelect, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import type { Questionnaire } from '../../wire.ts';
import { ImportWindow } from './xlsform-import.tsx';

const WAYS = ['short', 'blank', 'copy', 'file'] as const;
type Way = (typeof WAYS)[number];

interface Copied {
  active: Questionnaire | undefined;
  /** Those of the list's page that is shown. */
  versions: Questionnaire[];
}

export function StartButton(copied: Copied) {
  const { t } = useTranslation('builder');
  const [open, setOpen] = useState<'start' | 'file' | null>(null);
  return (
    <>
      <Button onClick={() => setOpen('start')}>{t('start.title')}</Button>
      {open === 'start' ? (
        <StartDialog {...copied} onFile={() => setOpen('file')} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'file' ? <ImportWindow onClose={() => setOpen(null)} /> : null}
    </>
  );
}

interface StartDialogProps extends Copied {
  onFile(): void;
  onClose(): void;
}

function StartDialog({ active, versions, onFile, onClose }: StartDialogProps) {
  const { t } = useTranslation('builder');
  const { t: desk } = useDeskText();
  const navigate = useNavigate();
  const [way, setWay] = useState<Way>('short');
  // The versions may come only while this is open.
  const [chosen, setChosen] = useState<string | null>(null);
  const known = [...(active ? [active] : []), ...versions.filter(({ id }) => id !== active?.id)];
  const copied = chosen ?? known[0]?.id ?? '';
  const start = async () => {
    if (way === 'file') {
      onFile();
      return false;
    }
    await navigate(`/desk/questionnaires/new?from=${way === 'copy' ? copied : way}`);
  };
  const offered = WAYS.filter((one) => one !== 'copy' || known.length > 0);
  return (
    <Dialog title={t('start.title')} yes={t('start.yes')} onYes={start} onClose={onClose}>
      <Radio.Group label={t('start.how')} size="md" value={way} onChange={(value) => setWay(value as Way)}>
        <Stack gap={10} mt="sm">
          {offered.map((one) => (
            <Radio.Card key={one} value={one} className="start-card" aria-label={t(`start.${one}`)}>
              <Radio.Indicator />
              <div>
                <Text fw={650}>{t(`start.${one}`)}</Text>
                <Text size="sm" c="dimmed">
                  {t(`start.${one}What`)}
                </Text>
              </div>
            </Radio.Card>
          ))}
        </Stack>
      </Radio.Group>
      {way === 'copy' ? (
        <NativeSelect
          mt="md"
          size="md"
          label={t('start.which')}
          value={copied}
          onChange={({ currentTarget }) => setChosen(currentTarget.value)}
          data={known.map((one) => ({ value: one.id, label: desk('versions.nameAndVersion', one) }))}
        />
      ) : null}
      <Text size="sm" mt="md">
        {t('start.what')}
      </Text>
    </Dialog>
  );
}
