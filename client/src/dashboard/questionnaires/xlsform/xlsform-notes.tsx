/** What an XLSForm import or export leaves out, by sheet and row, in the reader's language. */
import { Box, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  NOTE_WEIGHTS,
  type Note,
  type NoteCode,
  noteWeightOf,
  XLSFORM_WORDS,
} from '../../../../../src/questionnaires/xlsform/notes.ts';
import { faultText } from '../../../session/fault-text.ts';
import { numberOf } from '../../../texts/i18n.ts';
import { ReportTable } from '../../kit/words/report-table.tsx';

const isOwn = (code: string): code is NoteCode => Object.hasOwn(XLSFORM_WORDS, code);

/** Losses first: a missing rule is the hardest to notice in the field. */
export function NotesByWeight({ notes }: { notes: Note[] }) {
  const { t, i18n } = useTranslation('xlsform');
  return NOTE_WEIGHTS.map((weight) => {
    const some = notes.filter((note) => noteWeightOf(note) === weight);
    if (some.length === 0) return null;
    const title = t(`lost.${weight}`, { shown: numberOf(some.length, i18n.language) });
    return (
      <Box key={weight} mt="sm">
        <Title order={3} size="h5" mb="xs">
          {title}
        </Title>
        <NoteTable notes={some} label={title} />
      </Box>
    );
  });
}

export function NoteTable({ notes, label }: { notes: Note[]; label?: string }) {
  const { t } = useTranslation('xlsform');
  const textOf = ({ code, message, params }: Note) =>
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
