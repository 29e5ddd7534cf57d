/** Texts at the end of an interview: for everyone, or for people whose answers meet a condition. */
import { Text } from '@mantine/core';
import { useRef } from 'react';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import type { JsonObject } from '../element-paths.ts';
import { isLocalizedText } from '../questionnaire-outline.ts';
import {
  withClosingText,
  withEntryMoved,
  withExpressionEntryChanged,
  withNewClosingText,
  withoutExpressionEntry,
} from './definition/change-closing-and-calculated.ts';
import { type ClosingTextEntry, closingTextsOf } from './definition/closing-and-calculated.ts';
import { conditionSourcesBefore } from './definition/condition.ts';
import { type QuestionnaireTextProperty, withElementText } from './definition/element-texts.ts';
import { ConditionField } from './fields/condition-field.tsx';
import { TextFields } from './fields/text-fields.tsx';
import { useBuilderText, useBuilding, useFocusOnAdded } from './use-build.ts';

const LIST = 'completedHtmlOnCondition';

/** A text of the whole questionnaire. */
export function QuestionnaireTextFields({
  of: role,
  label,
}: {
  of: QuestionnaireTextProperty;
  label: string;
}) {
  const { work, step } = useBuilding();
  const definition = work.definition as JsonObject;
  const words = definition[role];
  return (
    <TextFields
      label={label}
      words={isLocalizedText(words) ? words : undefined}
      onText={(language, text) =>
        step(
          { ...work, definition: withElementText(definition, role, language, text) },
          `${role} ${language}`,
        )
      }
    />
  );
}

export function ClosingTextsEditor() {
  const { own } = useBuilderText();
  const { work, step } = useBuilding();
  const closings = closingTextsOf(work.definition);
  const box = useRef<HTMLFieldSetElement>(null);
  const focusAdded = useFocusOnAdded(box, closings.length, 'textarea');
  return (
    <fieldset className="build-box" ref={box}>
      <legend>{own('closing.title')}</legend>
      <Text size="sm">{own('closing.what')}</Text>
      {closings.map((closing, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: texts are identified by their position
        <ClosingText key={index} closing={closing} index={index} count={closings.length} />
      ))}
      <QuestionnaireTextFields
        of="completedHtml"
        label={own(closings.length > 0 ? 'closing.others' : 'closing.all')}
      />
      <PlainButton
        label={own('closing.add')}
        onClick={() => {
          focusAdded();
          step({ ...work, definition: withNewClosingText(work.definition) });
        }}
      />
    </fieldset>
  );
}

function ClosingText({ closing, index, count }: { closing: ClosingTextEntry; index: number; count: number }) {
  const { own } = useBuilderText();
  const { work, step } = useBuilding();
  const { definition } = work;
  const title = own('closing.number', { number: index + 1 });
  const put = (next: object, field?: string) => step({ ...work, definition: next }, field);
  return (
    <fieldset className="build-part" aria-label={title} data-added={index === count - 1 || undefined}>
      <TextFields
        label={title}
        words={closing.html}
        onText={(language, text) =>
          put(withClosingText(definition, index, language, text), `closing ${index} ${language}`)
        }
      />
      <ConditionField
        legend={own('closing.when')}
        none={own('closing.never')}
        nothing={own('condition.noQuestions')}
        value={closing.expression}
        sources={conditionSourcesBefore(definition, null)}
        onChange={(expression, isTyping) =>
          put(
            withExpressionEntryChanged(definition, LIST, index, { expression }),
            isTyping ? `closing ${index} when` : undefined,
          )
        }
      />
      <div className="flow">
        {count > 1
          ? ([-1, 1] as const).map((way) => (
              <PlainButton
                key={way}
                label={own(way < 0 ? 'up' : 'down')}
                recordName={title}
                onClick={() => put(withEntryMoved(definition, LIST, index, way))}
                {...inactiveProps(index === (way < 0 ? 0 : count - 1))}
              />
            ))
          : null}
        <PlainButton
          label={own('remove')}
          recordName={title}
          onClick={() => put(withoutExpressionEntry(definition, LIST, index))}
        />
      </div>
    </fieldset>
  );
}
