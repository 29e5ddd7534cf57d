/** What concerns the whole questionnaire: its name, which question is the network size, and who takes part. */
import { NativeSelect, TextInput } from '@mantine/core';
import type { Words } from '../questionnaire-outline.ts';
import { sourcesBefore } from './condition.ts';
import { ConditionField } from './condition-field.tsx';
import { kindOf } from './kinds.ts';
import { placesOf } from './places.ts';
import { useBuilding, useBuildText } from './use-build.ts';

export function WholeForm({ name, onName }: { name: string; onName(name: string): void }) {
  const { own, t, line } = useBuildText();
  const { work, step } = useBuilding();
  const numbers = placesOf(work.definition)
    .map(({ element }) => element)
    .filter((element) => element.valueName === undefined && ['number', 'text'].includes(kindOf(element)));
  const isThere = numbers.some((element) => element.name === work.sizeQuestion);
  return (
    <>
      <TextInput
        size="md"
        label={t('common.name')}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <NativeSelect
        size="md"
        label={t('versions.networkSize')}
        description={t('versions.networkSizeWhat')}
        value={work.sizeQuestion}
        onChange={(event) => step({ ...work, sizeQuestion: event.currentTarget.value })}
        data={[
          ...(isThere ? [] : [{ value: work.sizeQuestion, label: own('noSize') }]),
          ...numbers.map((element) => ({
            value: String(element.name),
            label: line((element.title as Words | undefined) ?? String(element.name), 70),
          })),
        ]}
      />
      <ConditionField
        legend={t('versions.takesPartIf')}
        none={own('everyone')}
        value={work.takesPartIf}
        sources={sourcesBefore(work.definition, null)}
        onChange={(takesPartIf) => step({ ...work, takesPartIf })}
      />
    </>
  );
}
