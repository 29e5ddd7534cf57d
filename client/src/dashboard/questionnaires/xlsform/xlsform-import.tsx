/** Imports an XLSForm file: first shows what was read, row by row, then stores it as an inactive draft. */
import { Box, Button, FileButton, Group, Select, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import type { ImportedForm } from '../../../../../src/questionnaires/xlsform/import/import.ts';
import { xlsformNoteSeverityOf } from '../../../../../src/questionnaires/xlsform/notes.ts';
import { request } from '../../../session/api.ts';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Notice } from '../../../ui/notice.tsx';
import type { Questionnaire } from '../../../wire.ts';
import { DashboardModal } from '../../kit/actions/dashboard-modal.tsx';
import { sendChange } from '../../kit/actions/send.ts';
import { OpenButton } from '../../kit/buttons/open-button.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { elementsWithPlaces } from '../element-paths.ts';
import { asksSomething, questionsOf, questionTitleOf } from '../questionnaire-outline.ts';
import { NotesBySeverity, XlsformNoteTable } from './xlsform-notes.tsx';

export function ImportXlsformButton() {
  const { t } = useTranslation('xlsform');
  return (
    <OpenButton variant="default" label={t('import')}>
      {(close) => <XlsformImportWindow onClose={close} />}
    </OpenButton>
  );
}

/** If it takes longer than half a minute, the file isn't just slow to read. */
const TIMEOUT_MS = 40_000;

export function XlsformImportWindow({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('xlsform');
  const [file, setFile] = useState<File | null>(null);
  const [read, setRead] = useState<ImportedForm | null>(null);
  const [error, setError] = useState<unknown>(null);
  const choose = async (chosenFile: File | null) => {
    if (!chosenFile) return;
    setFile(chosenFile);
    setRead(null);
    setError(null);
    try {
      setRead(
        await request<ImportedForm>('POST', '/api/questionnaires/xlsform', {
          body: chosenFile,
          timeoutMs: TIMEOUT_MS,
        }),
      );
    } catch (fault) {
      setError(fault);
    }
  };
  const isReading = file !== null && read === null && error === null;
  return (
    <DashboardModal size="xl" centered={false} onClose={onClose} title={t('import')}>
      <Text c="dimmed">{t('importWhat')}</Text>
      <Group my="sm">
        {/* A new key, so that a corrected file with the same name can be selected again. */}
        <FileButton
          key={file?.lastModified}
          accept=".xlsx,.xls"
          onChange={(chosenFile) => void choose(chosenFile)}
        >
          {(props) => (
            <Button variant={read ? 'default' : 'filled'} loading={isReading} {...props}>
              {file ? t('another') : t('choose')}
            </Button>
          )}
        </FileButton>
        {file ? <bdi>{file.name}</bdi> : null}
      </Group>
      {isReading ? <Text role="status">{t('reading')}</Text> : null}
      <FormError error={error} />
      {read?.definition ? <ImportReview read={read} definition={read.definition} onClose={onClose} /> : null}
      {read && !read.definition ? (
        <>
          <Notice tone="bad" live title={t('unreadable')} />
          <Box mt="sm">
            <XlsformNoteTable notes={read.faults} />
          </Box>
        </>
      ) : null}
    </DashboardModal>
  );
}

interface ImportReviewProps {
  read: ImportedForm;
  definition: object;
  onClose(): void;
}

/** What was read, additional settings, and the button to store it. */
function ImportReview({ read, definition, onClose }: ImportReviewProps) {
  const { t } = useTranslation('xlsform');
  const { t: shared, number, language } = useDashboardText();
  const navigate = useNavigate();
  const [name, setName] = useState(read.name);
  const questions = questionsOf(definition).filter(asksSomething);
  // A repeated question can't be the network size.
  const numbers = elementsWithPlaces(definition)
    .filter(({ element }) => element.type === 'text' && element.inputType === 'number')
    .map(({ element }) => String(element.name));
  const suggested = read.networkSizeQuestion;
  const [size, setSize] = useState(suggested !== null && numbers.includes(suggested) ? suggested : null);
  const { submit, busy, error } = useSubmit(async () => {
    const { takesPartIf, identityQuestions } = read;
    const body = {
      name: name.trim(),
      definition,
      networkSizeQuestion: size,
      takesPartIf,
      identityQuestions,
    };
    const { id } = await sendChange<Questionnaire>('POST', '/api/questionnaires', body);
    onClose();
    await navigate(`/desk/questionnaires/${id}`);
    return 'left';
  });
  const format = (count: number) => number(count);
  const { pages } = definition as { pages: object[] };
  const count = { name: read.name, questions: format(questions.length), pages: format(pages.length) };
  const { notes } = read;
  const isLost = notes.some((note) => xlsformNoteSeverityOf(note) !== 'HARMLESS');
  const missing = size ? (name.trim() === '' ? 'name' : null) : 'size';
  return (
    <form onSubmit={submit} noValidate>
      <Notice tone={isLost ? 'warn' : 'good'} live title={t('read', count)}>
        {isLost ? t('somethingLost') : notes.length > 0 ? t('nothingLost') : t('allRead')}
      </Notice>
      <NotesBySeverity notes={notes} />
      {numbers.length === 0 ? (
        <Box mt="md">
          <Notice tone="bad" title={t('noSize')} />
        </Box>
      ) : (
        <>
          <TextInput
            mt="md"
            size="md"
            label={t('name')}
            value={name}
            maxLength={100}
            onChange={(event) => setName(event.currentTarget.value)}
          />
          <Select
            mt="md"
            size="md"
            withAsterisk
            label={t('size')}
            description={t('sizeWhat')}
            data={numbers.map((value) => ({
              value,
              label: t('sizeChoice', { title: questionTitleOf(definition, value, language), name: value }),
            }))}
            value={size}
            onChange={setSize}
          />
          {read.takesPartIf === null ? (
            <Box mt="md">
              <Notice tone="warn" title={t('everyone')}>
                {t('everyoneWhat')}
              </Notice>
            </Box>
          ) : null}
          <Text c="dimmed" mt="md">
            {t('keepWhat')}
          </Text>
        </>
      )}
      <FormError error={error} />
      {missing && numbers.length > 0 ? (
        <Text id="keep-missing" size="sm" mt="md" role="status">
          {t(`keepMissing.${missing}`)}
        </Text>
      ) : null}
      <div className="ask-buttons">
        <Button variant="default" onClick={onClose}>
          {shared('common.cancel')}
        </Button>
        <Button type="submit" loading={busy} disabled={missing !== null} aria-describedby="keep-missing">
          {t('keep')}
        </Button>
      </div>
    </form>
  );
}
