/** Buttons to move a page or question up, down or to another page, duplicate or remove it, with or without a mouse. */
import { Button, NativeSelect } from '@mantine/core';
import { DialogButton } from '../../../desk/dialog.tsx';
import { idleWhile } from '../../../desk/idle-button.ts';
import type { Words } from '../questionnaire-outline.ts';
import { duplicate, moveBy, moveToPage, removeAt } from './change-elements.ts';
import { elementAt, type Json, type Place, pagesOf } from './element-paths.ts';
import { usesOf } from './references.ts';
import { movedWords, useBuilding, useBuildText } from './use-build.ts';
import { usePathLabel } from './use-path-label.ts';

interface ElementActsProps {
  place: Place;
  element: Json;
  /** To what the form turns, and what is said of it. */
  onPlace(place: Place | null, said?: string): void;
}

export function ElementActs({ place, element, onPlace }: ElementActsProps) {
  const { own, line } = useBuildText();
  const { work, step } = useBuilding();
  const { definition } = work;
  const pages = pagesOf(definition);
  const isPage = place.length === 1;
  const go = (changed: { definition: object; place: Place }, said: 'moved' | 'copied') => {
    step({ ...work, definition: changed.definition });
    onPlace(changed.place, said === 'copied' ? own('said.copied') : movedWords(own, changed.place));
  };
  const moves = ([-1, 1] as const).map((way) => moveBy(definition, place, way));
  const title = (page: Json, index: number) =>
    `${index + 1}. ${line((page.title as Words | undefined) ?? String(page.name ?? ''), 40)}`;
  const about = line((element.title as Words | undefined) ?? String(element.name ?? ''));
  const label = usePathLabel(definition);
  const uses = [...new Set(usesOf(work, place).map((path) => label(path) ?? own('wholeQuestionnaire')))];
  const remove = () => {
    const next = removeAt(definition, place);
    step({ ...work, definition: next });
    const before = [...place.slice(0, -1), (place.at(-1) ?? 0) - 1];
    const near = [place, before, place.slice(0, -1)].find((one) => one.length > 0 && elementAt(next, one));
    onPlace(near ?? null, own('said.removed'));
  };
  return (
    <div className="build-acts">
      {moves.map((changed, index) => (
        <Button
          key={index === 0 ? 'up' : 'down'}
          variant="default"
          size="sm"
          onClick={() => go(changed, 'moved')}
          {...idleWhile(changed.definition === definition)}
        >
          {own(index === 0 ? 'up' : 'down')}
        </Button>
      ))}
      {isPage || pages.length < 2 ? null : (
        <NativeSelect
          size="md"
          aria-label={own('toPage')}
          value={String(place[0])}
          onChange={({ currentTarget: { value } }) =>
            go(moveToPage(definition, place, Number(value)), 'moved')
          }
          data={pages.map((page, index) => ({ value: String(index), label: title(page, index) }))}
        />
      )}
      <Button variant="default" size="sm" onClick={() => go(duplicate(definition, place), 'copied')}>
        {own('duplicate')}
      </Button>
      {uses.length > 0 ? (
        <DialogButton
          small
          danger
          label={own('remove')}
          about={about}
          title={own('used.title', { name: about })}
          text={
            <>
              {own('used.what')}
              <ul>
                {uses.map((use) => (
                  <li key={use}>
                    <bdi>{use}</bdi>
                  </li>
                ))}
              </ul>
            </>
          }
          yes={own('remove')}
          onYes={async () => remove()}
        />
      ) : (
        <Button variant="default" size="sm" aria-label={`${own('remove')}: ${about}`} onClick={remove}>
          {own('remove')}
        </Button>
      )}
    </div>
  );
}
