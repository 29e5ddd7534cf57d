/** Asks how to print, has the service draw the PDF and hands it to the browser. */
import { Box, NativeSelect } from '@mantine/core';
import { useState } from 'react';
import { languageName } from '../../../../src/lib/language-name.ts';
import { type FileNote, requestFile } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { AddressWarning } from '../../desk/public-address.tsx';
import { saveFile } from '../../desk/save-file.ts';
import { faultText } from '../../fault-text.ts';
import { useStudy } from '../../records.ts';
import { Notice } from '../../ui/notice.tsx';

const LAYOUTS = ['page', 'cards', 'labels'] as const;

export interface PrintJob {
  path: string;
  body: object;
  file: string;
  layout: (typeof LAYOUTS)[number];
  /** What is printed, in words. */
  text: string;
}

export function PrintDialog({ job, onClose }: { job: PrintJob; onClose(): void }) {
  const { t, language } = useDeskText();
  const [layout, setLayout] = useState<string>(job.layout);
  const [paper, setPaper] = useState(/^(en-US|en-CA|es-MX)$/.test(navigator.language) ? 'LETTER' : 'A4');
  const [only, setOnly] = useState('');
  const [notes, setNotes] = useState<FileNote[]>([]);
  const languages = useStudy()?.languages ?? [];
  const print = async () => {
    const body = { ...job.body, layout, paper, ...(only ? { languages: [only] } : {}) };
    const { file, notes } = await requestFile(job.path, body);
    saveFile(file, job.file);
    setNotes(notes);
    return notes.length === 0;
  };
  return (
    <Dialog title={t('common.print')} text={job.text} yes={t('print.go')} onYes={print} onClose={onClose}>
      <NativeSelect
        mt="md"
        size="md"
        label={t('print.layout')}
        value={layout}
        onChange={(event) => setLayout(event.currentTarget.value)}
        data={LAYOUTS.map((value) => ({ value, label: t(`print.${value}`) }))}
      />
      <NativeSelect
        mt="md"
        size="md"
        label={t('print.paper')}
        value={paper}
        onChange={(event) => setPaper(event.currentTarget.value)}
        data={[
          { value: 'A4', label: 'A4' },
          { value: 'LETTER', label: 'Letter' },
        ]}
      />
      {languages.length > 1 ? (
        <NativeSelect
          mt="md"
          size="md"
          label={t('print.language')}
          value={only}
          onChange={(event) => setOnly(event.currentTarget.value)}
          data={[
            { value: '', label: t('print.allLanguages') },
            ...languages.map((tag) => ({ value: tag, label: languageName(tag, language) })),
          ]}
        />
      ) : null}
      <Box mt="md">
        <AddressWarning />
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
