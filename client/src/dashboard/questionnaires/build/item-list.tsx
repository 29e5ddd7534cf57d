/** The choices of a question, or the rows or columns of a matrix, as a list. */
import { type KeyboardEvent, type MouseEvent, useRef } from 'react';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import type { ElementPlace, JsonObject } from '../element-paths.ts';
import {
  type ElementListItem,
  elementListItemsOf,
  type QuestionListName,
  withItemMoved,
  withItemValue,
  withItemValueFromText,
  withNewListItem,
  withoutListItem,
} from './definition/choice-lists.ts';
import { isAutomaticName } from './definition/element-names.ts';
import { withItemText } from './definition/element-texts.ts';
import { OnBlurField } from './fields/on-blur-field.tsx';
import { TextFields } from './fields/text-fields.tsx';
import { useBuilderText, useBuilding, useFocusOnAdded } from './use-build.ts';

export function ElementItemsEditor({
  element,
  place,
  list,
}: {
  element: JsonObject;
  place: ElementPlace;
  list: QuestionListName;
}) {
  const { own } = useBuilderText();
  const { change } = useBuilding();
  const items = elementListItemsOf(element, list);
  const box = useRef<HTMLOListElement>(null);
  const focusAdded = useFocusOnAdded(box, items.length, 'input');
  const add = () => {
    focusAdded();
    change(place, (before) => withNewListItem(before, list));
  };
  /** Enter moves to the next item, or adds one after the last. */
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const field = event.target;
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || !(field instanceof HTMLInputElement))
      return;
    event.preventDefault();
    const next = field.closest('li')?.nextElementSibling?.querySelector('input');
    // Blur stores what was typed.
    field.blur();
    if (next) next.focus();
    else add();
  };
  return (
    <fieldset className="build-box">
      <legend>{own(`list.${list}`)}</legend>
      {items.length > 0 ? (
        <>
          <div className="build-item build-item-head" aria-hidden="true">
            <span />
            <small>{own('list.value')}</small>
          </div>
          <ol ref={box} className="build-items" onKeyDown={onKeyDown}>
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: values may change or repeat; positions don't
              <li key={index} className="build-item" data-added={index === items.length - 1 || undefined}>
                <ItemRow {...{ place, list, item, index, count: items.length }} />
              </li>
            ))}
          </ol>
        </>
      ) : null}
      <PlainButton label={own(`list.add.${list}`)} onClick={add} />
    </fieldset>
  );
}

const MOVES = [
  [-1, 'up', '↑'],
  [1, 'down', '↓'],
] as const;

interface ItemRowProps {
  place: ElementPlace;
  list: QuestionListName;
  item: ElementListItem;
  index: number;
  count: number;
}

function ItemRow({ place, list, item, index, count }: ItemRowProps) {
  const { own } = useBuilderText();
  const { change, storedNames } = useBuilding();
  const value = String(item.value);
  const field = `${place.join('.')} ${list} ${index}`;
  const label = own(`list.one.${list}`, { number: index + 1 });
  const words = item.words === '' ? undefined : item.words;
  const act = (what: (before: JsonObject) => JsonObject) => change(place, what);
  /** Keeps the focus on the moved item, so that pressing again moves it further. */
  const move = ({ currentTarget }: MouseEvent<HTMLElement>, way: -1 | 1) => {
    act((before) => withItemMoved(before, list, index, way));
    const row = currentTarget.closest('li');
    const other = way < 0 ? row?.previousElementSibling : row?.nextElementSibling;
    other?.querySelectorAll<HTMLElement>('.build-small')[way < 0 ? 0 : 1]?.focus();
  };
  return (
    <>
      <TextFields
        short
        label={label}
        words={words}
        onText={(language, text) =>
          change(place, (before) => withItemText(before, list, index, language, text), `${field} ${language}`)
        }
        onDone={(text) => {
          if (isAutomaticName(item.value) && !storedNames.has(value))
            act((before) => withItemValueFromText(before, list, index, text));
        }}
      />
      <div className="build-item-acts">
        <OnBlurField
          isName
          aria-label={`${own('list.value')}: ${label}`}
          value={value}
          onDone={(next) => next !== '' && act((before) => withItemValue(before, list, index, next))}
        />
        {MOVES.map(([way, name, sign]) => (
          <PlainButton
            key={name}
            className="build-small"
            size="lg"
            label={sign}
            aria-label={`${own(name)}: ${label}`}
            onClick={(event) => move(event, way)}
            {...inactiveProps(index === (way < 0 ? 0 : count - 1))}
          />
        ))}
        <PlainButton
          className="build-small"
          size="lg"
          label="✕"
          aria-label={`${own('remove')}: ${label}`}
          onClick={() => act((before) => withoutListItem(before, list, index))}
        />
      </div>
    </>
  );
}
