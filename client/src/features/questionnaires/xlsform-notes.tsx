/** What an XLSForm import or export leaves out, by sheet and row, in the reader's language. */
import { Box, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
  type Note,
  type NoteCode,
  WEIGHTS,
  weightOf,
  XLSFORM_WORDS,
} from '../../../../src/questionnaires/xlsform/notes.ts';
import { faultText } from '../../fault-text.ts';
import { numberOf } from '../../i18n.ts';

const isOwn = (code: string): code is NoteCode => Object.hasOwn(XLSFORM_WORDS, code);

/** What was lost first: a rule is the hardest to notice in the field. */
export function NotesByWeight({ notes }: { notes: Note[] }) {
  const { t, i18n } = useTranslation('xlsform');
  return WEIGHTS.map((weight) => {
    const some = notes.filter((note) => weightOf(note) === weight);
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
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="desk-report" tabIndex={0} aria-label={label ?? t('table')}>
      <table className="desk-table" data-small>
        <thead>
          <tr>
            <th scope="col">{t('sheet')}</th>
            <th scope="col" data-numeric>
              {t('row')}
            </th>
            <th scope="col">{t('what')}</th>
          </tr>
        </thead>
        <tbody>
          {notes.map(({ sheet, row, code, message, params }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes, and two may say the same
            <tr key={index}>
              <th scope="row">{sheet ? <bdi>{sheet}</bdi> : t('file')}</th>
              <td data-head={t('row')} data-numeric>
                {row > 0 ? row : ''}
              </td>
              <td>
                <bdi>
                  {isOwn(code) ? t(`notes.${code}`, params ?? {}) : faultText({ code, message, params })}
                </bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
