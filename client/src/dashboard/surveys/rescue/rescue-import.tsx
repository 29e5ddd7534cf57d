/** Imports a rescue file with the interviews of someone who can no longer send them, and shows the result of each. */
import { Button, FileButton, Text } from '@mantine/core';
import { useState } from 'react';
import {
  interviewDate,
  MAX_RESCUE_BYTES,
  parseRescueFile,
  type RescuedSurvey,
  type RescueFile,
} from '../../../../../src/interviews/surveys/import/rescue-file.ts';
import { decodeText } from '../../../../../src/platform/lib/text/decode-text.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { FormError, useSubmit } from '../../../ui/form.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Card } from '../../../ui/page.tsx';
import { DashboardPage } from '../../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { usePersonOptions } from '../../people/person-names.ts';
import { ImportOutcomeTable, rescueImportStateOf } from './rescue-outcomes.tsx';
import { type ImportOutcome, type ImportOutcomes, sendRescued } from './rescue-send.ts';

interface ChosenFile extends RescueFile {
  fileName: string;
}

/** Null if it isn't a rescue file, or is too large. */
async function open(file: File): Promise<ChosenFile | null> {
  if (file.size > MAX_RESCUE_BYTES) return null;
  try {
    const rescued = parseRescueFile(decodeText(new Uint8Array(await file.arrayBuffer())));
    return rescued && { ...rescued, fileName: file.name };
  } catch {
    return null;
  }
}

export default function RescueImport() {
  const { t } = useDashboardText();
  const [chosen, setChosen] = useState<ChosenFile | 'wrong' | null>(null);
  const [turn, setTurn] = useState(0);
  const take = async (file: File | null) => {
    if (!file) return;
    setChosen((await open(file)) ?? 'wrong');
    setTurn((before) => before + 1);
  };
  return (
    <DashboardPage title={t('rescueImport.title')} lead={t('rescueImport.lead')} back="/desk/surveys">
      <div>
        <FileButton
          accept=".json,.txt,application/json,text/plain"
          onChange={(file) => void take(file)}
          key={turn}
        >
          {(props) => (
            <Button variant={chosen ? 'default' : 'filled'} leftSection={<Icon name="inbox" />} {...props}>
              {chosen ? t('rescueImport.another') : t('rescueImport.choose')}
            </Button>
          )}
        </FileButton>
      </div>
      {chosen === 'wrong' ? (
        <Notice tone="bad" live title={t('rescueImport.wrong')}>
          {t('rescueImport.wrongWhat')}
        </Notice>
      ) : null}
      {chosen && chosen !== 'wrong' ? <OneFile key={turn} file={chosen} /> : null}
    </DashboardPage>
  );
}

function OneFile({ file }: { file: ChosenFile }) {
  const { t } = useDashboardText();
  const [owner, setOwner] = useState(file.owner ?? '');
  const [outcomes, setOutcomes] = useState<ImportOutcomes>(new Map());
  const { surveys } = file;
  const note = (more: ImportOutcome[]) =>
    setOutcomes((before) => new Map([...before, ...more.map((one) => [one.clientId, one] as const)]));
  const remaining = surveys.filter(({ body }) => !outcomes.has(body.clientId));
  const { submit, busy, error, clear } = useSubmit(() => sendRescued(owner, remaining, note));
  const begun = outcomes.size > 0;
  return (
    <form onSubmit={submit} noValidate className="dashboard">
      <Card label={file.fileName}>
        <FileDetails file={file} />
        <OwnerChoice
          file={file}
          owner={owner}
          // Locked once the import has begun. Otherwise locked to the person who saved the file, unless the service
          // rejects them: under a different owner, the interviews would be stored a second time.
          fixed={busy || begun || (file.owner !== null && owner === file.owner && !error)}
          onChange={(id) => {
            clear();
            setOwner(id);
          }}
        />
        {remaining.length > 0 ? (
          <Button type="submit" mt="md" loading={busy} disabled={!owner}>
            {begun
              ? t('rescueImport.goOn', { count: remaining.length })
              : t('rescueImport.go', { count: remaining.length })}
          </Button>
        ) : null}
        {busy ? <Progress done={surveys.length - remaining.length} all={surveys.length} /> : null}
        <FormError error={error} />
        {error && !busy ? (
          <Text mt="sm">
            {t('rescueImport.halfWay', { done: surveys.length - remaining.length, all: surveys.length })}
          </Text>
        ) : null}
      </Card>
      {surveys.length > 0 && remaining.length === 0 ? <Sum surveys={surveys} outcomes={outcomes} /> : null}
      {surveys.length > 0 ? <ImportOutcomeTable surveys={surveys} outcomes={outcomes} /> : null}
    </form>
  );
}

function Progress({ done: count, all }: { done: number; all: number }) {
  const { t } = useDashboardText();
  return (
    <Text mt="sm" role="status">
      {t('rescueImport.progress', { done: count, all })}
    </Text>
  );
}

function FileDetails({ file }: { file: ChosenFile }) {
  const { t, counted, moment } = useDashboardText();
  const { surveys, drafts, broken, name, savedAt } = file;
  const count = surveys.length;
  return (
    <>
      <Text fw={650} component="h2" size="lg">
        {t('rescueImport.has', counted(count))}
      </Text>
      <Text>{name ? t('rescueImport.by', { name }) : t('rescueImport.byNobody')}</Text>
      {savedAt ? <Text>{t('rescueImport.saved', { at: moment(savedAt) })}</Text> : null}
      <FileContents surveys={surveys} />
      {drafts > 0 ? <Text mt="xs">{t('rescueImport.drafts', { count: drafts })}</Text> : null}
      {broken > 0 ? <Text mt="xs">{t('rescueImport.broken', { count: broken })}</Text> : null}
    </>
  );
}

function FileContents({ surveys }: { surveys: RescuedSurvey[] }) {
  const { t, moment } = useDashboardText();
  const times = surveys.flatMap((survey) => interviewDate(survey) ?? []).toSorted();
  const [first, last] = [times[0], times.at(-1)];
  if (!first || !last) return null;
  const [from, to] = [moment(first), moment(last)];
  return (
    <Text>{from === to ? t('rescueImport.heldAt', { at: from }) : t('rescueImport.held', { from, to })}</Text>
  );
}

interface OwnerChoiceProps {
  file: ChosenFile;
  owner: string;
  fixed: boolean;
  onChange(id: string): void;
}

/** A deleted account isn't in any list, so its name comes from the file. */
function OwnerChoice({ file, owner, fixed, onChange }: OwnerChoiceProps) {
  const { t } = useDashboardText();
  const people = usePersonOptions().filter(({ value }) => value !== file.owner);
  const firstOption = file.owner
    ? [{ value: file.owner, label: t('rescueImport.asFile', { name: file.name || file.owner }) }]
    : [{ value: '', label: t('rescueImport.chooseOwner') }];
  return (
    <>
      <SelectField
        mt="md"
        maw={460}
        label={t('rescueImport.owner')}
        description={t('rescueImport.ownerWhat')}
        value={owner}
        disabled={fixed}
        options={[...firstOption, ...people]}
        onChange={onChange}
      />
      {file.owner && owner !== file.owner ? (
        <div style={{ marginTop: 12 }}>
          <Notice tone="warn" live title={t('rescueImport.notTheirs')}>
            {t('rescueImport.notTheirsWhat')}
          </Notice>
        </div>
      ) : null}
    </>
  );
}

function Sum({ surveys, outcomes }: { surveys: RescuedSurvey[]; outcomes: ImportOutcomes }) {
  const { t } = useDashboardText();
  const results = surveys.map(({ body }) => rescueImportStateOf(outcomes.get(body.clientId)));
  const count = (result: string) => results.filter((one) => one === result).length;
  const bad = count('refused') + count('twice');
  return (
    <Notice
      tone={bad > 0 ? 'warn' : 'good'}
      live
      title={bad > 0 ? t('rescueImport.someRefused', { count: bad }) : t('rescueImport.allThere')}
    >
      {t('rescueImport.sum', { stored: count('stored'), known: count('known'), refused: bad })}
    </Notice>
  );
}
