/** The questionnaire builder: an outline on the left, and the selected page or question in the middle. */
import './build.css';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { Notice } from '../../../ui/notice.tsx';
import type { Questionnaire } from '../../../wire.ts';
import { PlainButton } from '../../kit/buttons/dashboard-button.tsx';
import { useGet } from '../../kit/data/use-list.tsx';
import { type ElementPlace, elementAt, elementsWithPlaces, isSameElementPlace } from '../element-paths.ts';
import { compareDefinitions } from '../questionnaire-diff.ts';
import type { DraftWarning } from './definition/draft-warnings.ts';
import type { VersionContent } from './definition/element-names.ts';
import { ElementForm, FIRST_TEXT_INPUT_ID } from './element-form.tsx';
import { QuestionnaireGeneralForm } from './general-form.tsx';
import {
  MissingWordsInLanguage,
  SideBySideLanguageChoice,
  useLanguagesSideBySide,
} from './language-choice.tsx';
import { OutlineList } from './outline-list.tsx';
import { BuildingContext, moveMessage, useBuilderText } from './use-build.ts';

interface BuilderProps {
  questionnaire: Questionnaire;
  name: string;
  onName(name: string): void;
  work: VersionContent;
  step(next: VersionContent, field?: string): void;
  undo: (() => void) | null;
  redo: (() => void) | null;
  selectedPlace: ElementPlace;
  onChosen(place: ElementPlace): void;
  warnings: DraftWarning[];
  /** Errors and the save button. */
  children: ReactNode;
}

export function Builder(props: BuilderProps) {
  const { questionnaire, work, step, undo, redo, selectedPlace, onChosen } = props;
  const { own } = useBuilderText();
  const isNew = questionnaire.version === 0;
  const [languages, setLanguages] = useLanguagesSideBySide(work.definition);
  const [message, setMessage] = useState('');
  const [view, setView] = useState<'outline' | 'form'>('outline');
  const [addedPlace, setAdded] = useState<ElementPlace | null>(null);
  const [missingText, setLacking] = useState<{ place: ElementPlace; language: string } | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const storedNames = useMemo(
    () =>
      new Set(
        (isNew ? [] : elementsWithPlaces(questionnaire.definition)).map(({ element }) =>
          String(element.name),
        ),
      ),
    [questionnaire, isNew],
  );
  // After an undo, the selected element may no longer exist.
  const place = selectedPlace.length > 0 && !elementAt(work.definition, selectedPlace) ? [] : selectedPlace;
  const choose = (next: ElementPlace) => {
    onChosen(next);
    setView('form');
    requestAnimationFrame(() => {
      // Scrolls up to the form if the selected row was far down a long list.
      if ((form.current?.getBoundingClientRect().top ?? 0) < 0) form.current?.scrollIntoView();
      // For keyboard users, focuses the form, so that they don't have to tab through the rest of the outline.
      if (document.activeElement?.matches('button:focus-visible'))
        form.current?.focus({ preventScroll: true });
    });
  };
  useEffect(() => {
    if (!addedPlace || !isSameElementPlace(addedPlace, place)) return;
    document.getElementById(FIRST_TEXT_INPUT_ID)?.focus();
    setAdded(null);
  }, [addedPlace, place]);
  useEffect(() => {
    if (
      !missingText ||
      !isSameElementPlace(missingText.place, place) ||
      !languages.includes(missingText.language)
    )
      return;
    form.current?.querySelector<HTMLElement>(`[data-lacks][lang="${missingText.language}"]`)?.focus();
    setLacking(null);
  }, [missingText, place, languages]);
  return (
    <BuildingContext value={{ work, storedNames, languages, step }}>
      <div className="flow">
        <SideBySideLanguageChoice definition={work.definition} selected={languages} onChosen={setLanguages} />
        <MissingWordsInLanguage
          definition={work.definition}
          after={place}
          onGo={(to, language) => {
            if (!languages.includes(language)) setLanguages([...languages, language]);
            choose(to);
            setLacking({ place: to, language });
          }}
        />
        {isNew ? null : <ChangesSinceActive work={work} />}
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are shortcuts for the buttons above */}
      <div className="build" data-view={view} onKeyDown={shortcuts(undo, redo)}>
        <OutlineList
          selectedPlace={place}
          onChoose={choose}
          onAdded={(next) => {
            choose(next);
            setAdded(next);
          }}
          onMoved={(next) => {
            onChosen(next);
            setMessage(moveMessage(own, next));
          }}
          changes={useChanges(work.definition, isNew)}
        />
        <div className="column build-form" ref={form} tabIndex={-1}>
          <PlainButton
            label={own('allQuestions')}
            className="build-back"
            onClick={() => setView('outline')}
          />
          {place.length === 0 ? (
            <QuestionnaireGeneralForm name={props.name} onName={props.onName} />
          ) : (
            <ElementForm
              place={place}
              onPlace={(next, announcement) => {
                onChosen(next ?? []);
                setMessage(announcement ?? '');
              }}
            />
          )}
          <DraftWarnings warnings={props.warnings} onGo={choose} />
          {props.children}
        </div>
      </div>
      <div role="status" className="hidden-text">
        {message}
      </div>
    </BuildingContext>
  );
}

/** The usual shortcuts. Inside a field, the browser undoes typing itself. */
function shortcuts(undo: (() => void) | null, redo: (() => void) | null) {
  return (event: KeyboardEvent) => {
    const within = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (within || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (event.shiftKey) redo?.();
    else undo?.();
  };
}

const useActive = () => useGet<Questionnaire>('/api/questionnaires/active').data;

/** A new questionnaire isn't a version of the active one, even if question names match. */
function useChanges(definition: object, isNew: boolean): ReadonlyMap<string, 'added' | 'changed'> {
  const active = useActive();
  return useMemo(() => {
    const changes = new Map<string, 'added' | 'changed'>();
    if (!active || isNew) return changes;
    for (const { kind, name } of compareDefinitions(active.definition, definition).changes)
      if (kind !== 'removed') changes.set(name, kind);
    return changes;
  }, [active, definition, isNew]);
}

/** Shows what changes for new interviews. Its space is reserved from the start, so that nothing below it moves. */
function ChangesSinceActive({ work }: { work: VersionContent }) {
  const { own, t } = useBuilderText();
  const active = useActive();
  const comparison = useMemo(
    () => (active ? compareDefinitions(active.definition, work.definition) : null),
    [active, work],
  );
  const count = (kind: string) => comparison?.changes.filter((one) => one.asks && one.kind === kind).length;
  return (
    <p className="build-since">
      {active && comparison ? (
        <>
          {own('since')}{' '}
          {t('versions.summary', {
            added: count('added'),
            removed: count('removed'),
            changed: count('changed'),
            unchanged: comparison.unchanged,
          })}{' '}
          <Link className="tall-link" to={`?tab=compare&with=${active.id}`}>
            {own('sinceMore')}
          </Link>
        </>
      ) : null}
    </p>
  );
}

const MAX_WARNINGS = 8;

function DraftWarnings({ warnings, onGo }: { warnings: DraftWarning[]; onGo(place: ElementPlace): void }) {
  const { own } = useBuilderText();
  if (warnings.length === 0) return null;
  return (
    <Notice tone="warn" title={own('loose.title', { count: warnings.length })}>
      <ul className="versions-faults">
        {warnings.slice(0, MAX_WARNINGS).map(({ what, place, name }) => (
          <li key={`${what} ${place.join()} ${name}`}>
            <button type="button" onClick={() => onGo(place)}>
              {own(`loose.${what}`, { name })}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
