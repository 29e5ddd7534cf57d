/** A version's settings outside the definition, for the JSON editor. */
import { NativeSelect, TextInput } from '@mantine/core';
import { useMemo } from 'react';
import { useDeskText } from '../kit/words/desk-text.ts';
import type { VersionDraft } from './drafts/draft-content.ts';
import { questionsOf } from './questionnaire-outline.ts';

interface SettingsProps {
  version: Required<VersionDraft>;
  definition: object | null;
  onEdit(change: Partial<VersionDraft>, field: string): void;
}

export function Settings({ version, definition, onEdit }: SettingsProps) {
  const { t } = useDeskText();
  const candidates = useMemo(
    () => (definition ? questionsOf(definition).filter(({ type }) => type === 'text') : []),
    [definition],
  );
  const { name, sizeQuestion, takesPartIf } = version;
  return (
    <>
      <TextInput
        label={t('common.name')}
        size="md"
        value={name}
        onChange={(event) => onEdit({ name: event.currentTarget.value }, 'name')}
      />
      <NativeSelect
        size="md"
        label={t('versions.networkSize')}
        description={t('versions.networkSizeWhat')}
        value={sizeQuestion}
        onChange={(event) => onEdit({ sizeQuestion: event.currentTarget.value }, 'size')}
        data={[...new Set([sizeQuestion, ...candidates.map((question) => question.name)])]}
      />
      <TextInput
        size="md"
        label={t('versions.takesPartIf')}
        description={t('versions.takesPartIfWhat')}
        value={takesPartIf}
        spellCheck={false}
        autoCapitalize="off"
        onChange={(event) => onEdit({ takesPartIf: event.currentTarget.value }, 'takesPartIf')}
      />
    </>
  );
}
