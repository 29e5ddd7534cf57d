/** The choices of a question, or the rows and columns of a matrix, as a list. */
import { Button, TextInput } from '@mantine/core';
import { type MouseEvent, useEffect, useRef } from 'react';
import { idleWhile } from '../../../desk/idle-button.ts';
import {
  type Item,
  itemsOf,
  type List,
  withItem,
  withItemMoved,
  withoutItem,
  withValue,
  withValueFromWords,
} from './choice-lists.ts';
import { isAutomatic } from './element-names.ts';
import type { Json, Place } from './element-paths.ts';
import { withItemText } from './element-texts.ts';
import { TextFields } from './text-fields.tsx';
import { useBuilding, useBuildText } from './use-build.ts';

export function ItemList({ element, place, list }: { element: Json; place: Place; list: List }) {
  const { own } = useBuildText();
  const { change } = useBuilding();
  const items = itemsOf(element, list);
  const box = useRef<HTMLOListElement>(null);
  const added = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one more stands there to be written
  useEffect(() => {
    if (added.current) box.current?.lastElementChild?.querySelector('input')?.focus();
    added.current = false;
  }, [items.length]);
  return (
    <fieldset className="build-box">
      <legend>{own(`list.${list}`)}</legend>
      {items.length > 0 ? (
        <>
          <div className="build-item build-item-head" aria-hidden="true">
            <span />
            <small>{own('list.value')}</small>
          </div>
          <ol ref={box} className="build-items">
            {items.map((item, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a value may be changed, and be there twice; a place may not
              <li key={index} className="build-item">
                <ItemRow {...{ element, place, list, item, index, count: items.length }} />
              </li>
            ))}
          </ol>
        </>
      ) : null}
      <Button
        variant="default"
        size="sm"
        onClick={() => {
          added.current = true;
          change(place, (before) => withItem(before, list));
        }}
      >
        {own(`list.add.${list}`)}
      </Button>
    </fieldset>
  );
}

interface ItemRowProps {
  element: Json;
  place: Place;
  list: List;
  item: Item;
  index: number;
  count: number;
}

function ItemRow({ place, list, item, index, count }: ItemRowProps) {
  const { own } = useBuildText();
  const { languages, change, stored } = useBuilding();
  const value = String(item.value);
  const field = `${place.join('.')} ${list} ${index}`;
  const label = own(`list.one.${list}`, { number: index + 1 });
  const words = item.words === '' ? undefined : item.words;
  const act = (what: (before: Json) => Json) => change(place, what);
  /** The focus goes with it: pressed once more, it moves the same one on. */
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
        languages={languages}
        onText={(language, text) =>
          change(place, (before) => withItemText(before, list, index, language, text), `${field} ${language}`)
        }
        onDone={(_, text) => {
          if (isAutomatic(item.value) && !stored.has(value))
            act((before) => withValueFromWords(before, list, index, text));
        }}
      />
      <div className="build-item-acts">
        <TextInput
          key={value}
          size="md"
          aria-label={`${own('list.value')}: ${label}`}
          defaultValue={value}
          dir="ltr"
          spellCheck={false}
          autoCapitalize="off"
          onBlur={({ currentTarget }) => {
            const next = currentTarget.value.trim();
            if (next === '') currentTarget.value = value;
            else if (next !== value) act((before) => withValue(before, list, index, next));
          }}
        />
        <Button
          variant="default"
          className="build-small"
          aria-label={`${own('up')}: ${label}`}
          onClick={(event) => move(event, -1)}
          {...idleWhile(index === 0)}
        >
          ↑
        </Button>
        <Button
          variant="default"
          className="build-small"
          aria-label={`${own('down')}: ${label}`}
          onClick={(event) => move(event, 1)}
          {...idleWhile(index === count - 1)}
        >
          ↓
        </Button>
        <Button
          variant="default"
          className="build-small"
          aria-label={`${own('remove')}: ${label}`}
          onClick={() => act((before) => withoutItem(before, list, index))}
        >
          ✕
        </Button>
      </div>
    </>
  );
}
