/**
 * Buttons to move a page or question up, down, or to another page, duplicate it, or remove it, with or without a
 * mouse.
 */

import { SelectField } from '../../../ui/choice.tsx';
import { DialogButton } from '../../kit/actions/dialog.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../../kit/buttons/inactive-button.ts';
import { type ElementPlace, elementAt, type JsonObject, pagesOf } from '../element-paths.ts';
import {
  duplicateElement,
  moveElementOneStep,
  moveElementToPage,
  removeElementAt,
} from './definition/change-elements.ts';
import { usagePathsOf } from './definition/references.ts';
import { moveMessage, useBuilderText, useBuilding } from './use-build.ts';
import { useDefinitionPathLabel } from './use-path-label.ts';

interface ElementActionsProps {
  place: ElementPlace;
  element: JsonObject;
  /** The element to select next, and a message. */
  onPlace(place: ElementPlace | null, message?: string): void;
}

export function ElementActions({ place, element, onPlace }: ElementActionsProps) {
  const { own, titleOf } = useBuilderText();
  const { work, step } = useBuilding();
  const { definition } = work;
  const pages = pagesOf(definition);
  const isPage = place.length === 1;
  const go = (change: { definition: object; place: ElementPlace }, message: 'moved' | 'copied') => {
    step({ ...work, definition: change.definition });
    onPlace(change.place, message === 'copied' ? own('said.copied') : moveMessage(own, change.place));
  };
  const moves = ([-1, 1] as const).map((way) => moveElementOneStep(definition, place, way));
  const about = titleOf(element);
  const label = useDefinitionPathLabel(definition);
  const uses = [
    ...new Set(usagePathsOf(work, place).map((path) => label(path) ?? own('wholeQuestionnaire'))),
  ];
  const remove = () => {
    const next = removeElementAt(definition, place);
    step({ ...work, definition: next });
    const before = [...place.slice(0, -1), (place.at(-1) ?? 0) - 1];
    const near = [place, before, place.slice(0, -1)].find((one) => one.length > 0 && elementAt(next, one));
    onPlace(near ?? null, own('said.removed'));
  };
  return (
    <div className="flow">
      {moves.map((change, index) => (
        <PlainButton
          key={index === 0 ? 'up' : 'down'}
          label={own(index === 0 ? 'up' : 'down')}
          onClick={() => go(change, 'moved')}
          {...inactiveProps(change.definition === definition)}
        />
      ))}
      {isPage || pages.length < 2 ? null : (
        <SelectField
          aria-label={own('toPage')}
          value={String(place[0])}
          onChange={(page) => go(moveElementToPage(definition, place, Number(page)), 'moved')}
          options={pages.map((page, index) => ({
            value: String(index),
            label: `${index + 1}. ${titleOf(page, 40)}`,
          }))}
        />
      )}
      <PlainButton
        label={own('duplicate')}
        onClick={() => go(duplicateElement(definition, place), 'copied')}
      />
      {uses.length > 0 ? (
        <DialogButton
          small
          danger
          label={own('remove')}
          recordName={about}
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
        <PlainButton label={own('remove')} recordName={about} onClick={remove} />
      )}
    </div>
  );
}
