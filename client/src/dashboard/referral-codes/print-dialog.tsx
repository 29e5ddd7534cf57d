/** Asks how to print, requests the PDF from the service, and opens it. */
import { Box } from '@mantine/core';
import { useState } from 'react';
import {
  languageName,
  languageNameInSentence,
} from '../../../../src/platform/lib/languages/language-name.ts';
import { faultText } from '../../session/fault-text.ts';
import { useStudy } from '../../session/records.ts';
import { Notice } from '../../ui/notice.tsx';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormFields } from '../kit/actions/fields.tsx';
import { PublicAddressWarning } from '../kit/buttons/public-address.tsx';
import { type FileNote, requestFile } from '../kit/data/download.ts';
import { saveFile } from '../kit/data/save-file.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

const LAYOUTS = ['page', 'cards', 'labels'] as const;
const PAPERS = [
  { value: 'A4', label: 'A4' },
  { value: 'LETTER', label: 'Letter' },
];

export interface PrintJob {
  path: string;
  body: object;
  file: string;
  layout: (typeof LAYOUTS)[number];
  /** Describes what will be printed. */
  text: string;
}

export function PrintDialog({ job, onClose }: { job: PrintJob; onClose(): void }) {
  const { t, language } = useDashboardText();
  const [value, setValue] = useState({
    layout: job.layout as string,
    paper: /^(en-US|en-CA|es-MX)$/.test(navigator.language) ? 'LETTER' : 'A4',
    only: '',
  });
  const [notes, setNotes] = useState<FileNote[]>([]);
  const study = useStudy();
  const languages = study?.languages ?? [];
  // The service refuses languages without a coupon text.
  const withText = languages.filter((tag) => study?.couponText[tag]?.trim());
  const noText = withText.length > 0 ? languages.filter((tag) => !withText.includes(tag)) : [];
  const languageList = (tags: string[]) =>
    new Intl.ListFormat(language).format(tags.map((tag) => languageNameInSentence(tag, language)));
  const print = async () => {
    const { only, ...paper } = value;
    const chosen = only ? [only] : noText.length > 0 ? withText : [];
    const body = { ...job.body, ...paper, ...(chosen.length > 0 ? { languages: chosen } : {}) };
    const { file, notes } = await requestFile(job.path, body);
    saveFile(file, job.file);
    setNotes(notes);
    return notes.length === 0;
  };
  return (
    <Dialog title={t('common.print')} text={job.text} yes={t('print.go')} onYes={print} onClose={onClose}>
      <FormFields
        form={{ value, set: (change) => setValue({ ...value, ...change }) }}
        size="md"
        rows={[
          {
            name: 'layout',
            as: 'choice',
            label: t('print.layout'),
            options: LAYOUTS.map((one) => ({ value: one, label: t(`print.${one}`) })),
          },
          { name: 'paper', as: 'choice', label: t('print.paper'), options: PAPERS },
          languages.length > 1 && {
            name: 'only',
            as: 'choice',
            label: t('print.language'),
            options: [
              { value: '', label: noText.length > 0 ? languageList(withText) : t('print.allLanguages') },
              ...(noText.length > 0 ? withText : languages).map((tag) => ({
                value: tag,
                label: languageName(tag, language),
              })),
            ],
          },
        ]}
      />
      {noText.length > 0 ? (
        <Box mt="md">
          <Notice tone="warn" title={t('missingWords.coupon', { languages: languageList(noText) })} />
        </Box>
      ) : null}
      <Box mt="md">
        <PublicAddressWarning />
      </Box>
      {notes.length > 0 ? (
        <Notice tone="warn" title={t('print.notes')}>
          {notes.map((note) => (
            <div key={note.message}>{faultText(note)}</div>
          ))}
        </Notice>
      ) : null}
    </Dialog>
  );
}
