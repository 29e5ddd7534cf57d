/** Downloads the definition as a JSON file, and reads one edited elsewhere. */
import { FileButton } from '@mantine/core';
import { useState } from 'react';
import { Notice } from '../../ui/notice.tsx';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { saveFile } from '../kit/data/save-file.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { parseDefinition } from './questionnaire-json.ts';

/** The service's limit. */
const MAX_BYTES = 1_048_576;

interface JsonFileProps {
  name: string;
  text: string;
  onDefinition(definition: object): void;
}

export function QuestionnaireJsonButtons({ name, text, onDefinition }: JsonFileProps) {
  const { t } = useDashboardText();
  const [fault, setFault] = useState<string | null>(null);
  const open = async (file: File | null) => {
    if (!file) return;
    if (file.size > MAX_BYTES) return setFault(t('versions.jsonTooLarge'));
    const parsed = parseDefinition(await file.text());
    setFault('message' in parsed ? t('versions.notJson', { message: parsed.message }) : null);
    if ('definition' in parsed) onDefinition(parsed.definition);
  };
  return (
    <>
      <PlainButton
        label={t('versions.downloadJson')}
        onClick={() =>
          saveFile(new Blob([text], { type: 'application/json' }), `${name || 'questionnaire'}.json`)
        }
      />
      <FileButton accept=".json,application/json" onChange={(file) => void open(file)}>
        {(props) => <PlainButton label={t('versions.uploadJson')} {...props} />}
      </FileButton>
      {fault ? (
        <Notice tone="bad" live title={fault}>
          {t('versions.nothingTaken')}
        </Notice>
      ) : null}
    </>
  );
}
