/** Saves a questionnaire as an XLSForm: first shows what will be left out, then saves the file. */
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { exportForm } from '../../../../../src/questionnaires/xlsform/export/export.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { Questionnaire } from '../../../wire.ts';
import { Dialog } from '../../kit/actions/dialog.tsx';
import { requestDataFile } from '../../kit/data/download.ts';
import { saveFile } from '../../kit/data/save-file.ts';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { XlsformNoteTable } from './xlsform-notes.tsx';

export default function SaveXlsformWindow({
  questionnaire,
  onClose,
}: {
  questionnaire: Questionnaire;
  onClose(): void;
}) {
  const { t } = useTranslation('xlsform');
  const { t: shared, language, number } = useDashboardText();
  const { notes } = exportForm(questionnaire);
  const save = async () => {
    const file = await requestDataFile(
      `/api/questionnaires/${questionnaire.id}/xlsform?language=${language}`,
    );
    saveFile(file, `${questionnaire.name}-${questionnaire.version}.xlsx`);
  };
  return (
    <Dialog
      title={`${t('save')}: ${shared('versions.nameAndVersion', questionnaire)}`}
      text={t('saveWhat')}
      yes={t('saveYes')}
      size="xl"
      onYes={save}
      onClose={onClose}
    >
      {notes.length === 0 ? (
        <Text mt="sm">{t('saveAll')}</Text>
      ) : (
        <>
          <Notice tone="warn" title={t('saveLess', { shown: number(notes.length) })} />
          <XlsformNoteTable notes={notes} />
        </>
      )}
    </Dialog>
  );
}
