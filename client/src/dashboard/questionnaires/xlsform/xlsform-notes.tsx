/** What an XLSForm import or export leaves out, by sheet and row, in the reader's language. */
import { Box, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  type NoteCode,
  XLSFORM_NOTE_MESSAGES,
  XLSFORM_NOTE_SEVERITIES,
  type XlsformNote,
  xlsformNoteSeverityOf,
} from '../../../../../src/questionnaires/xlsform/notes.ts';
import { faultText } from '../../../session/fault-text.ts';
import { numberInLanguage } from '../../../texts/i18n.ts';
import { ReportTable } from '../../kit/words/report-table.tsx';

const isOwn = (code: string): code is NoteCode => Object.hasOwn(XLSFORM_NOTE_MESSAGES, code);

/** Losses first: a missing rule is the hardest to notice in the field. */
export function NotesBySeverity({ notes }: { notes: XlsformNote[] }) {
  const { t, i18n } = useTranslation('xlsform');
  return XLSFORM_NOTE_SEVERITIES.map((weight) => {
    const some = notes.filter((note) => xlsformNoteSeverityOf(note) === weight);
    if (some.length === 0) return null;
    const title = t(`lost.${weight}`, { shown: numberInLanguage(some.length, i18n.language) });
    return (
      <Box key={weight} mt="sm">
        <Title order={3} size="h5" mb="xs">
          {title}
        </Title>
        <XlsformNoteTable notes={some} label={title} />
      </Box>
    );
  });
}

export function XlsformNoteTable({ notes, label }: { notes: XlsformNote[]; label?: string }) {
  const { t } = useTranslation('xlsform');
  const textOf = ({ code, message, params }: XlsformNote) =>
    isOwn(code) ? t(`notes.${code}`, params ?? {}) : faultText({ code, message, params });
  return (
    <ReportTable
      label={label ?? t('table')}
      rows={notes}
      // Two notes may have the same text.
      keyOf={(note) => notes.indexOf(note)}
      columns={[
        { head: t('sheet'), cell: ({ sheet }) => (sheet ? <bdi>{sheet}</bdi> : t('file')) },
        { head: t('row'), numeric: true, cell: ({ row }) => (row > 0 ? row : '') },
        { head: t('what'), plain: true, cell: (note) => <bdi>{textOf(note)}</bdi> },
      ]}
    />
  );
}
