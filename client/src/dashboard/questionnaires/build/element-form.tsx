/** The selected page or question: its texts, type, answers, condition, and position. */
import { Text } from '@mantine/core';
import { SelectField } from '../../../ui/choice.tsx';
import {
  type ElementPlace,
  elementAt,
  isGroup,
  type JsonObject,
  numberedName,
  withElementProperty,
} from '../element-paths.ts';
import { kindName } from '../kind-name.ts';
import { editableListKeysOf, elementListItemsOf } from './definition/choice-lists.ts';
import { conditionSourcesBefore } from './definition/condition.ts';
import {
  isAutomaticName,
  nameFrom,
  unusedName,
  usedNamesIn,
  withNewName,
} from './definition/element-names.ts';
import {
  questionsOfRepeat,
  textsOfElement,
  withElementText,
  withItemText,
  withListItemChanged,
} from './definition/element-texts.ts';
import {
  asksNothing,
  isQuestionKind,
  QUESTION_KINDS,
  questionKindOf,
  withQuestionKind,
} from './definition/question-kinds.ts';
import { ElementActions } from './element-actions.tsx';
import { AnswerRuleFields } from './fields/check-fields.tsx';
import { ConditionField } from './fields/condition-field.tsx';
import { OnBlurField } from './fields/on-blur-field.tsx';
import { RepeatCountField } from './fields/repeat-count-field.tsx';
import { TextFields } from './fields/text-fields.tsx';
import { ElementItemsEditor } from './item-list.tsx';
import { useBuilderText, useBuilding } from './use-build.ts';

export interface ElementFormProps {
  place: ElementPlace;
  onPlace(place: ElementPlace | null, message?: string): void;
}

/** Id of the form's first text field. */
export const FIRST_TEXT_INPUT_ID = 'build-first';

export function ElementForm({ place, onPlace }: ElementFormProps) {
  const { own } = useBuilderText();
  const { work, change } = useBuilding();
  const element = elementAt(work.definition, place);
  if (!element) return null;
  const group = isGroup(element, place);
  const condition = typeof element.visibleIf === 'string' ? element.visibleIf : '';
  return (
    <>
      <ElementActions place={place} element={element} onPlace={onPlace} />
      {group ? null : <KindField element={element} place={place} />}
      <WordFields element={element} place={place} />
      {element.type === 'paneldynamic' ? <RepeatCountField element={element} place={place} /> : null}
      {group
        ? null
        : editableListKeysOf(element).map((list) => (
            <ElementItemsEditor key={list} {...{ element, place, list }} />
          ))}
      {group ? null : (
        <RepeatedWords
          element={element}
          change={(to, field) => change(place, to, `${place.join('.')} ${field}`)}
        />
      )}
      {group || asksNothing(element) ? null : <AnswerRuleFields element={element} place={place} />}
      <ConditionField
        // Not keyed by name: leaving the title may rename the element while a button here is being pressed.
        key={place.join()}
        legend={own(place.length === 1 ? 'condition.ofPage' : 'condition.title')}
        none={own('condition.always')}
        nothing={own('condition.nothingBefore')}
        value={condition}
        sources={conditionSourcesBefore(work.definition, place)}
        onChange={(value, isTyping) =>
          change(
            place,
            (one) => elementWith(one, 'visibleIf', value === '' ? undefined : value),
            isTyping ? `${place.join('.')} visibleIf` : undefined,
          )
        }
      />
      <NameField element={element} place={place} />
    </>
  );
}

function elementWith(element: JsonObject, key: string, value: unknown): JsonObject {
  const { [key]: _, ...rest } = element;
  return value === undefined ? rest : { ...element, [key]: value };
}

function KindField({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own, t } = useBuilderText();
  const { work, change, step } = useBuilding();
  const kind = questionKindOf(element);
  const isSize = element.name === work.sizeQuestion;
  return (
    <>
      <SelectField
        label={own('kind')}
        value={kind}
        description={
          isQuestionKind(kind) ? undefined : own(kind === 'paneldynamic' ? 'kindRepeated' : 'kindAsJson')
        }
        onChange={(value) => {
          if (isQuestionKind(value)) change(place, (one) => withQuestionKind(one, value));
        }}
        options={[
          ...(isQuestionKind(kind) ? [] : [{ value: kind, label: kindName(kind, t) }]),
          ...QUESTION_KINDS.map((value) => ({ value, label: t(`versions.kind.${value}`) })),
        ]}
      />
      {isSize ? <Text size="sm">{own('isSize')}</Text> : null}
      {kind === 'number' && !isSize ? (
        <button
          type="button"
          className="build-link"
          onClick={() => step({ ...work, sizeQuestion: String(element.name) })}
        >
          {own('makeSize')}
        </button>
      ) : null}
      {element.valueName === undefined ? null : (
        <Text size="sm" c="dimmed">
          {t('versions.nameInData')} <code dir="ltr">{String(element.valueName)}</code>
        </Text>
      )}
    </>
  );
}

function WordFields({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own } = useBuilderText();
  const { change, step, work, storedNames } = useBuilding();
  const texts = textsOfElement(element, place);
  /** Names an element after its text while it still has a generated name. */
  const name = (text: string) => {
    const preferredName = nameFrom(text);
    const usedNames = usedNamesIn(work.definition);
    if (preferredName === '' || !isAutomaticName(element.name) || storedNames.has(String(element.name)))
      return;
    step(
      withNewName(
        work,
        place,
        unusedName(usedNames, place.length === 1 ? `${preferredName}Page` : preferredName),
      ),
    );
  };
  return texts.map(({ role, words }, index) => (
    <TextFields
      key={role}
      id={index === 0 ? FIRST_TEXT_INPUT_ID : undefined}
      label={own(place.length === 1 && role === 'title' ? 'role.page' : `role.${role}`)}
      words={words}
      onText={(language, text) =>
        change(
          place,
          (one) => withElementText(one, role, language, text),
          `${place.join('.')} ${role} ${language}`,
        )
      }
      onDone={(text) => {
        if (role === 'title' || role === 'html') name(text);
      }}
    />
  ));
}

function NameField({ element, place }: { element: JsonObject; place: ElementPlace }) {
  const { own, t } = useBuilderText();
  const { work, step, storedNames } = useBuilding();
  const name = String(element.name ?? '');
  const isStored = storedNames.has(name) && place.length > 1;
  return (
    <OnBlurField
      isName
      label={own('name')}
      description={place.length > 1 ? own(isStored ? 'nameStored' : 'nameWhat') : undefined}
      value={name}
      error={isDuplicateName(work.definition, name) ? t('versions.faults', { count: 1 }) : undefined}
      onDone={(next) => {
        const preferredName = next === '' ? numberedName(usedNamesIn(work.definition), 'question') : next;
        const usedNames = usedNamesIn(withElementProperty(work.definition, place, 'name', undefined));
        step(withNewName(work, place, unusedName(usedNames, preferredName)));
      }}
    />
  );
}

/** Only editing the JSON can create duplicate names. */
const isDuplicateName = (definition: object, name: string): boolean =>
  JSON.stringify(definition).split(`"name":${JSON.stringify(name)}`).length > 2;

interface RepeatedWordsProps {
  element: JsonObject;
  change(to: (element: JsonObject) => JsonObject, field: string): void;
}

function RepeatedWords({ element, change }: RepeatedWordsProps) {
  const { own, t, titleOf } = useBuilderText();
  return questionsOfRepeat(element).map(({ key, index, inner }) => {
    const put: RepeatedWordsProps['change'] = (to, field) =>
      change((one) => withListItemChanged(one, key, index, to), `${key}.${index} ${field}`);
    return (
      <fieldset key={`${key}.${index}`} className="build-box">
        <legend>{titleOf(inner)}</legend>
        {textsOfElement(inner, [0, 0]).map(({ role, words }) => (
          <TextFields
            key={role}
            label={own(`role.${role}`)}
            words={words}
            onText={(language, text) =>
              put((one) => withElementText(one, role, language, text), `${role} ${language}`)
            }
          />
        ))}
        {editableListKeysOf(inner).flatMap((list) =>
          elementListItemsOf(inner, list).map(({ value, words }, at) => (
            <TextFields
              key={`${list} ${String(value)}`}
              label={t('versions.choiceOf', { value })}
              words={words}
              onText={(language, text) =>
                put((one) => withItemText(one, list, at, language, text), `${list} ${at} ${language}`)
              }
            />
          )),
        )}
        <RepeatedWords element={inner} change={put} />
      </fieldset>
    );
  });
}
