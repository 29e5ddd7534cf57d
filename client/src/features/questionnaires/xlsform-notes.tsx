/** What was found in a form, or what it will lack: by sheet and row, in the reader's language. */
import { useTranslation } from 'react-i18next';
import { type Note, type NoteCode, XLSFORM_WORDS } from '../../../../src/questionnaires/xlsform/notes.ts';
import { faultText } from '../../fault-text.ts';

const isOwn = (code: string): code is NoteCode => Object.hasOwn(XLSFORM_WORDS, code);

export function NoteTable({ notes }: { notes: Note[] }) {
  const { t } = useTranslation('xlsform');
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
    <section className="desk-report" tabIndex={0} aria-label={t('table')}>
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
