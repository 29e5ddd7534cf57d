/** Values calculated from answers. Conditions and texts refer to them by name. */
import { Text } from '@mantine/core';
import { useRef } from 'react';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import {
  renameCalculatedValue,
  withExpressionEntryChanged,
  withNewCalculatedValue,
  withoutExpressionEntry,
} from './definition/change-closing-and-calculated.ts';
import { type CalculatedEntry, calculatedIn } from './definition/closing-and-calculated.ts';
import { conditionSourcesBefore } from './definition/condition.ts';
import { ConditionField } from './fields/condition-field.tsx';
import { OnBlurField } from './fields/on-blur-field.tsx';
import { useBuilderText, useBuilding, useFocusOnAdded } from './use-build.ts';

const LIST = 'calculatedValues';

export function CalculatedValuesEditor() {
  const { own } = useBuilderText();
  const { work, step } = useBuilding();
  const values = calculatedIn(work.definition);
  const box = useRef<HTMLFieldSetElement>(null);
  const focusAdded = useFocusOnAdded(box, values.length, 'input');
  return (
    <fieldset className="build-box" ref={box}>
      <legend>{own('calculated.title')}</legend>
      <Text size="sm">{own('calculated.what')}</Text>
      {values.map((value, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: values are identified by their position
        <CalculatedValue key={index} value={value} index={index} isLast={index === values.length - 1} />
      ))}
      <PlainButton
        label={own('calculated.add')}
        onClick={() => {
          focusAdded();
          step({ ...work, definition: withNewCalculatedValue(work.definition) });
        }}
      />
    </fieldset>
  );
}

function CalculatedValue({
  value,
  index,
  isLast,
}: {
  value: CalculatedEntry;
  index: number;
  isLast: boolean;
}) {
  const { own } = useBuilderText();
  const { work, step } = useBuilding();
  const { definition } = work;
  const title = own('calculated.number', { number: index + 1 });
  return (
    <fieldset className="build-part" aria-label={title} data-added={isLast || undefined}>
      <OnBlurField
        isName
        label={own('calculated.name')}
        value={value.name}
        maxLength={100}
        onDone={(name) => {
          const next = renameCalculatedValue(work, index, name);
          if (next === work) return false;
          step(next);
        }}
      />
      <ConditionField
        legend={own('calculated.expression')}
        none={own('calculated.none')}
        nothing={own('condition.noQuestions')}
        mayBeSum
        value={value.expression}
        sources={conditionSourcesBefore(definition, null).filter(({ name }) => name !== value.name)}
        onChange={(expression, isTyping) =>
          step(
            { ...work, definition: withExpressionEntryChanged(definition, LIST, index, { expression }) },
            isTyping ? `calculated ${index}` : undefined,
          )
        }
      />
      <PlainButton
        label={own('remove')}
        recordName={value.name}
        onClick={() => step({ ...work, definition: withoutExpressionEntry(definition, LIST, index) })}
      />
    </fieldset>
  );
}
