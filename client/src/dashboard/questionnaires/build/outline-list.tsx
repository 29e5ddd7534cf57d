/** All pages and their questions in order, with the main facts about each. */
import { TextInput } from '@mantine/core';
import { type KeyboardEvent, useMemo, useState } from 'react';
import { Tag, type Tone } from '../../../ui/notice.tsx';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import {
  childElementsOf,
  type ElementPlace,
  elementsWithPlaces,
  isSameElementPlace,
  type JsonObject,
  pagesOf,
} from '../element-paths.ts';
import { kindName } from '../kind-name.ts';
import type { LocalizedText } from '../questionnaire-outline.ts';
import { addPage, addQuestion, type ElementMove, moveElementBeside } from './definition/change-elements.ts';
import {
  countMissingOutsidePages,
  countMissingTexts,
  elementContainsText,
} from './definition/element-texts.ts';
import { questionKindOf } from './definition/question-kinds.ts';
import { useBuilderText, useBuilding } from './use-build.ts';
import { useElementDrag } from './use-drag.ts';

interface OutlineListProps {
  /** Empty for the whole questionnaire. */
  selectedPlace: ElementPlace;
  onChoose(place: ElementPlace): void;
  /** A new element, whose first field should get the focus. */
  onAdded(place: ElementPlace): void;
  /** Called after an element was dragged to another place. */
  onMoved(place: ElementPlace): void;
  /** What changed compared with the active version. */
  changes: ReadonlyMap<string, 'added' | 'changed'>;
}

export function OutlineList({ selectedPlace, onChoose, onAdded, onMoved, changes }: OutlineListProps) {
  const { own, t } = useBuilderText();
  const { work, step, languages } = useBuilding();
  const { definition } = work;
  const pages = pagesOf(definition);
  const add = (change: { definition: object; place: ElementPlace }) => {
    step({ ...work, definition: change.definition });
    onAdded(change.place);
  };
  const { drag, take } = useElementDrag(definition, (move) => {
    const change = moveElementBeside(definition, move);
    if (change.definition === definition) return;
    step({ ...work, definition: change.definition });
    onMoved(change.place);
  });
  const [search, setSearch] = useState('');
  const rows = { selectedPlace, onChoose, drag, take, isMatch: useMatches(definition, search.trim()) };
  const question = () => {
    if (selectedPlace.length > 0) return add(addQuestion(definition, selectedPlace, 'radiogroup'));
    const base = pages.length > 0 ? definition : addPage(definition).definition;
    return add(addQuestion(base, [Math.max(0, pages.length - 1)], 'radiogroup'));
  };
  return (
    <nav className="build-outline" aria-label={own('outline')} onKeyDown={goByArrows}>
      <p className="keys-note">{t('lookUp.keys')}</p>
      <TextInput
        type="search"
        size="md"
        mb="xs"
        aria-label={t('lists.search')}
        placeholder={t('lists.search')}
        value={search}
        onChange={({ currentTarget }) => setSearch(currentTarget.value)}
      />
      <Row place={[]} {...rows}>
        {own('wholeQuestionnaire')}
        {languages.some((one) => countMissingOutsidePages(definition, one) > 0) ? (
          <Tag tone="warn">{t('versions.incomplete')}</Tag>
        ) : null}
      </Row>
      <ol>
        {pages.map((page, index) =>
          rows.isMatch([index]) ? (
            // biome-ignore lint/suspicious/noArrayIndexKey: pages are identified by their position
            <li key={index} className="build-page" {...dropOf(drag, [index], 1)}>
              <PageRow page={page} index={index} {...rows} />
              <Questions owner={page} within={[index]} changes={changes} {...rows} />
            </li>
          ) : null,
        )}
      </ol>
      <div className="build-add">
        <PlainButton label={own('addQuestion')} variant="filled" onClick={question} />
        <PlainButton
          label={own('addPage')}
          onClick={() => add(addPage(definition, selectedPlace[0] ?? null))}
        />
      </div>
    </nav>
  );
}

/** Matches of a search, including the elements that contain them. */
function useMatches(definition: object, text: string): (place: ElementPlace) => boolean {
  const matches = useMemo(() => {
    const mentioning = text
      ? elementsWithPlaces(definition).filter((one) => elementContainsText(one.element, one.place, text))
      : [];
    return new Set(mentioning.flatMap(({ place }) => place.map((_, at) => place.slice(0, at + 1).join())));
  }, [definition, text]);
  return (place) => text === '' || matches.has(place.join());
}

/** Attributes for dragging: the element's place, and where something dragged over it would be inserted. */
function dropOf(drag: ElementMove | null, place: ElementPlace, depth: number) {
  const isOver = drag && Math.min(drag.from.length, 2) === depth && isSameElementPlace(drag.over, place);
  return { 'data-place': place.join('.'), 'data-drop': isOver ? drag.side : undefined };
}

/** All rows are a single tab stop, the selected one; arrow keys move between them. */
function goByArrows(event: KeyboardEvent<HTMLElement>): void {
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('.build-row')];
  const at = rows.indexOf(event.target as HTMLElement);
  const last = rows.length - 1;
  const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: last }[event.key];
  if (at < 0 || to === undefined) return;
  event.preventDefault();
  rows[Math.min(Math.max(to, 0), last)]?.focus();
}

interface RowProps {
  place: ElementPlace;
  selectedPlace: ElementPlace;
  onChoose(place: ElementPlace): void;
  drag: ElementMove | null;
  take(from: ElementPlace): (event: React.PointerEvent<HTMLElement>) => void;
  /** True if it matches the search. */
  isMatch(place: ElementPlace): boolean;
  children: React.ReactNode;
}

function Row({ place, selectedPlace, onChoose, drag, take, children }: Omit<RowProps, 'isMatch'>) {
  const isChosen = isSameElementPlace(place, selectedPlace);
  return (
    <div
      className="build-line"
      data-depth={place.length}
      data-taken={(drag && isSameElementPlace(drag.from, place)) || undefined}
      {...dropOf(drag, place, 2)}
    >
      {place.length > 0 ? (
        <span className="build-grip" aria-hidden="true" onPointerDown={take(place)}>
          ⠿
        </span>
      ) : null}
      <button
        type="button"
        className="build-row"
        tabIndex={isChosen ? 0 : -1}
        aria-current={isChosen || undefined}
        onClick={() => onChoose(place)}
      >
        {children}
      </button>
    </div>
  );
}

function PageRow({
  page,
  index,
  ...rest
}: { page: JsonObject; index: number } & Omit<RowProps, 'place' | 'children'>) {
  const { own, titleOf } = useBuilderText();
  return (
    <Row place={[index]} {...rest}>
      <strong>{own('pageNumber', { number: index + 1, words: titleOf(page, 60) })}</strong>
      <Marks element={page} place={[index]} />
    </Row>
  );
}

interface QuestionsProps extends Omit<RowProps, 'place' | 'children'> {
  owner: JsonObject;
  within: ElementPlace;
  changes: OutlineListProps['changes'];
}

function Questions({ owner, within, changes, ...rest }: QuestionsProps) {
  const { t, line } = useBuilderText();
  const elements = childElementsOf(owner);
  if (elements.length === 0) return null;
  return (
    <ol>
      {elements.map((element, index) => {
        const place = [...within, index];
        if (!rest.isMatch(place)) return null;
        const words = (element.title ?? element.html) as LocalizedText | undefined;
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: elements are identified by their position
          <li key={index}>
            <Row place={place} {...rest}>
              <span>{(words ? line(words, 70) : '') || String(element.name ?? '')}</span>
              <small>{kindName(questionKindOf(element), t)}</small>
              <Marks element={element} place={place} change={changes.get(String(element.name))} />
            </Row>
            {element.type === 'panel' ? (
              <Questions owner={element} within={place} changes={changes} {...rest} />
            ) : null}
          </li>
        );
      })}
    </ol>
  );
}

interface MarksProps {
  element: JsonObject;
  place: ElementPlace;
  change?: 'added' | 'changed' | undefined;
}

function Marks({ element, place, change }: MarksProps) {
  const { own, t } = useBuilderText();
  const { work, languages } = useBuilding();
  const name = String(element.name);
  const isQuestion = place.length > 1;
  const isIncomplete = languages.some((one) => countMissingTexts(element, place, one) > 0);
  const decides = new RegExp(`\\{${name.replace(/\W/g, '\\$&')}\\}`, 'i').test(work.takesPartIf);
  const marks: [isSo: boolean, text: string, tone: Tone][] = [
    [isQuestion && name === work.sizeQuestion, t('versions.isNetworkSize'), 'info'],
    [isQuestion && work.clues.includes(name), own('clues.title'), 'info'],
    [isQuestion && decides, t('versions.takesPartIf'), 'info'],
    [Boolean(element.visibleIf), own('marks.condition'), 'info'],
    [change === 'added', t('versions.added'), 'good'],
    [change === 'changed', t('versions.changed'), 'warn'],
    [isIncomplete, t('versions.incomplete'), 'warn'],
  ];
  const active = marks.filter(([isSo]) => isSo);
  if (active.length === 0) return null;
  return (
    <span className="flow build-marks">
      {active.map(([, text, tone]) => (
        <Tag key={text} tone={tone}>
          {text}
        </Tag>
      ))}
    </span>
  );
}
