/** Settings of the whole questionnaire: name and texts, network size, eligibility, calculated values. */
import { Checkbox, Text, TextInput } from '@mantine/core';
import { IDENTITY_QUESTION_LIMITS } from '../../../../../src/questionnaires/definition/identity-answers.ts';
import { SelectField } from '../../../ui/choice.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { elementsWithPlaces } from '../element-paths.ts';
import { CalculatedValuesEditor } from './calculated-values.tsx';
import { ClosingTextsEditor, QuestionnaireTextFields } from './closing-texts.tsx';
import { conditionSourcesBefore } from './definition/condition.ts';
import { questionKindOf } from './definition/question-kinds.ts';
import { withUsualIdentityQuestions } from './definition/usual-identity-questions.ts';
import { ConditionField } from './fields/condition-field.tsx';
import { useBuilderText, useBuilding } from './use-build.ts';

export function QuestionnaireGeneralForm({ name, onName }: { name: string; onName(name: string): void }) {
  const { own, t, titleOf } = useBuilderText();
  const { work, step } = useBuilding();
  const numbers = elementsWithPlaces(work.definition)
    .map(({ element }) => element)
    .filter(
      (element) => element.valueName === undefined && ['number', 'text'].includes(questionKindOf(element)),
    );
  const isThere = numbers.some((element) => element.name === work.sizeQuestion);
  return (
    <>
      <TextInput
        size="md"
        label={t('common.name')}
        value={name}
        onChange={(event) => onName(event.currentTarget.value)}
      />
      <QuestionnaireTextFields of="title" label={own('role.formTitle')} />
      <QuestionnaireTextFields of="description" label={own('role.formDescription')} />
      <SelectField
        label={t('versions.networkSize')}
        description={t('versions.networkSizeWhat')}
        value={work.sizeQuestion}
        disabled={numbers.length === 0}
        onChange={(sizeQuestion) => step({ ...work, sizeQuestion })}
        options={[
          ...(isThere
            ? []
            : [{ value: work.sizeQuestion, label: own(numbers.length > 0 ? 'noSize' : 'noNumbers') }]),
          ...numbers.map((element) => ({ value: String(element.name), label: titleOf(element, 70) })),
        ]}
      />
      <ConditionField
        legend={t('versions.takesPartIf')}
        none={own('everyone')}
        nothing={own('condition.noQuestions')}
        value={work.takesPartIf}
        sources={conditionSourcesBefore(work.definition, null)}
        onChange={(takesPartIf, isTyping) =>
          step({ ...work, takesPartIf }, isTyping ? 'takesPartIf' : undefined)
        }
      />
      <Checkbox
        size="md"
        label={own('autoAdvance')}
        description={own('autoAdvanceWhat')}
        checked={advances(work.definition)}
        onChange={({ currentTarget: { checked } }) =>
          step({ ...work, definition: withAdvance(work.definition, checked) })
        }
      />
      <ClosingTextsEditor />
      <CalculatedValuesEditor />
      <IdentityQuestionsField />
    </>
  );
}

/** Two names for the same setting of the forms library. */
const ADVANCE_PROPERTIES = ['autoAdvanceEnabled', 'goNextPageAutomatic'];

const advances = (definition: object): boolean =>
  ADVANCE_PROPERTIES.some((key) => (definition as Record<string, unknown>)[key] === true);

function withAdvance(definition: object, isOn: boolean): object {
  const others = Object.entries(definition).filter(([key]) => !ADVANCE_PROPERTIES.includes(key));
  return { ...Object.fromEntries(others), ...(isOn && { autoAdvanceEnabled: true }) };
}

/** Question types suitable as identity questions: one value that two interviewers would write the same way. */
const IDENTITY_KINDS = ['text', 'comment', 'number', 'date', 'radiogroup', 'dropdown', 'boolean'];

function IdentityQuestionsField() {
  const { own, titleOf } = useBuilderText();
  const { work, step } = useBuilding();
  const { clues } = work;
  const candidates = elementsWithPlaces(work.definition)
    .map(({ element }) => element)
    .filter(
      (element) =>
        IDENTITY_KINDS.includes(questionKindOf(element)) &&
        element.valueName === undefined &&
        element.name !== work.sizeQuestion &&
        (clues.includes(String(element.name)) || (element.isRequired !== true && !element.requiredIf)),
    );
  const names = candidates.map(({ name }) => String(name));
  // Identity questions that no longer exist can still be removed.
  const missing = clues.filter((name) => !names.includes(name));
  const put = (next: string[]) =>
    step({ ...work, clues: [...names, ...missing].filter((name) => next.includes(name)) });
  return (
    <fieldset className="build-box">
      <legend>{own('clues.title')}</legend>
      <Text size="sm">{own('clues.what', IDENTITY_QUESTION_LIMITS)}</Text>
      {candidates.length + missing.length === 0 ? <Text size="sm">{own('clues.nothing')}</Text> : null}
      {clues.length === 0 ? (
        <PlainButton label={own('clues.usual')} onClick={() => step(withUsualIdentityQuestions(work))} />
      ) : (
        <Text size="sm">{own('clues.consent')}</Text>
      )}
      <details className="build-clues">
        <summary>{own('clues.chosen', { count: clues.length })}</summary>
        <Checkbox.Group aria-label={own('clues.title')} value={[...clues]} onChange={put}>
          {candidates.map((element) => (
            <Checkbox
              key={String(element.name)}
              size="md"
              value={String(element.name)}
              label={titleOf(element, 70)}
            />
          ))}
          {missing.map((name) => (
            <Checkbox key={name} size="md" value={name} label={own('clues.gone', { name })} />
          ))}
        </Checkbox.Group>
      </details>
    </fieldset>
  );
}
