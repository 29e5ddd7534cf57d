/** Ways to start a questionnaire: blank, from the short one, from a copy, or from a file. */
import { Button, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { SelectField } from '../../ui/choice.tsx';
import { FormError } from '../../ui/form.tsx';
import type { Questionnaire } from '../../wire.ts';
import { Dialog } from '../kit/actions/dialog.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { useAllVersions } from './all-versions.ts';
import { activeFirst } from './questionnaire-outline.ts';
import { XlsformImportWindow } from './xlsform/xlsform-import.tsx';

const STARTING_POINTS = ['short', 'blank', 'copy', 'file'] as const;
type Start = (typeof STARTING_POINTS)[number];

export function NewQuestionnaireButton({ active }: { active: Questionnaire | undefined }) {
  const { t } = useTranslation('builder');
  const [open, setOpen] = useState<'start' | 'file' | null>(null);
  return (
    <>
      <Button onClick={() => setOpen('start')}>{t('start.title')}</Button>
      {open === 'start' ? (
        <StartDialog active={active} onFile={() => setOpen('file')} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'file' ? <XlsformImportWindow onClose={() => setOpen(null)} /> : null}
    </>
  );
}

interface StartDialogProps {
  active: Questionnaire | undefined;
  onFile(): void;
  onClose(): void;
}

function StartDialog({ active, onFile, onClose }: StartDialogProps) {
  const { t } = useTranslation('builder');
  const { t: shared } = useDashboardText();
  const navigate = useNavigate();
  const [way, setWay] = useState<Start>('short');
  // The versions may load after this dialog opens.
  const [selected, setChosen] = useState<string | null>(null);
  const versions = useAllVersions({ enabled: way === 'copy' });
  const candidates = activeFirst(active, versions.data);
  const originalId = selected ?? candidates[0]?.id ?? '';
  const start = async () => {
    if (way === 'file') {
      onFile();
      return false;
    }
    await navigate(`/desk/questionnaires/new?from=${way === 'copy' ? originalId : way}`);
  };
  return (
    <Dialog
      title={t('start.title')}
      yes={t('start.yes')}
      disabled={way === 'copy' && originalId === ''}
      onYes={start}
      onClose={onClose}
    >
      <Radio.Group label={t('start.how')} size="md" value={way} onChange={(value) => setWay(value as Start)}>
        <Stack gap={10} mt="sm">
          {STARTING_POINTS.map((one) => (
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
      {way === 'copy' ? <FormError error={versions.error} /> : null}
      {way === 'copy' ? (
        <SelectField
          mt="md"
          label={t('start.which')}
          value={originalId}
          onChange={setChosen}
          options={candidates.map((one) => ({
            value: one.id,
            label: shared('versions.nameAndVersion', one),
          }))}
        />
      ) : null}
      <Text size="sm" mt="md">
        {t('start.what')}
      </Text>
    </Dialog>
  );
}
