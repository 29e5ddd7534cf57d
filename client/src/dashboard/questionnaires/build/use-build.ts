/** State shared by the parts of the builder: the definition, the languages, and how to make a change. */
import type { TFunction } from 'i18next';
import { createContext, type RefObject, useContext, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useDashboardText } from '../../kit/words/dashboard-text.ts';
import { type ElementPlace, type JsonObject, withChangedElement } from '../element-paths.ts';
import { type LocalizedText, textInLanguage } from '../questionnaire-outline.ts';
import type { VersionContent } from './definition/element-names.ts';

interface Building {
  work: VersionContent;
  /** Names in the version this one is based on: data may be stored under them. */
  storedNames: ReadonlySet<string>;
  languages: string[];
  /** `field`: consecutive typing in the same field is one undo step. */
  step(next: VersionContent, field?: string): void;
}

export const BuildingContext = createContext<Building | null>(null);

export function useBuilding() {
  const building = useContext(BuildingContext);
  if (!building) throw new Error('outside the builder');
  const { work, step } = building;
  return {
    ...building,
    /** Changes one page or question. */
    change: (place: ElementPlace, change: (element: JsonObject) => JsonObject, field?: string) =>
      step({ ...work, definition: withChangedElement(work.definition, place, change) }, field),
  };
}

/** Focuses the first field of the list item that was just added. Call the result before adding it. */
export function useFocusOnAdded(box: RefObject<HTMLElement | null>, count: number, field: string) {
  const wasAdded = useRef(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when an item was added
  useEffect(() => {
    const first = box.current?.querySelector<HTMLInputElement>(`[data-added] ${field}`);
    if (wasAdded.current) {
      first?.focus();
      first?.select();
    }
    wasAdded.current = false;
  }, [count]);
  return () => {
    wasAdded.current = true;
  };
}

/** Says where an element was moved. */
export const moveMessage = (own: TFunction<'builder'>, place: ElementPlace): string =>
  own(place.length === 1 ? 'said.pageMoved' : 'said.moved', {
    number: (place.at(-1) ?? 0) + 1,
    page: (place[0] ?? 0) + 1,
  });

const MAX_TITLE_LENGTH = 90;

export function useBuilderText() {
  const { t: own, i18n } = useTranslation('builder');
  const { t, app } = useDashboardText();
  const { language } = i18n;
  /** On one line, without HTML tags. */
  const line = (words: LocalizedText, max = MAX_TITLE_LENGTH): string => {
    const text = textInLanguage(words, language)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    return text.length > max ? `${text.slice(0, max - 1)}…` : text;
  };
  const titleOf = ({ title, name }: JsonObject, max?: number) =>
    line((title as LocalizedText | undefined) ?? String(name ?? ''), max);
  return { own, t, app, language, line, titleOf };
}
