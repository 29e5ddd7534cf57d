/** A questionnaire put together by clicking: all of it at the left, what is chosen of it in the middle. */
import './build.css';
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Link } from 'react-router';
import { primaryOf } from '../../../../../src/lib/direction.ts';
import { languageName } from '../../../../../src/lib/language-name.ts';
import { useGet } from '../../../desk/use-list.tsx';
import { LANGUAGES } from '../../../i18n.ts';
import { useStudy } from '../../../records.ts';
import { Notice } from '../../../ui/notice.tsx';
import type { Questionnaire } from '../../../wire.ts';
import { compare } from '../questionnaire-diff.ts';
import { ElementForm, FIRST_FIELD } from './element-form.tsx';
import { looseEnds } from './loose-ends.ts';
import type { Work } from './names.ts';
import { OutlineList } from './outline-list.tsx';
import { elementAt, type Place, placesOf, samePlace } from './places.ts';
import { BuildingContext, useBuildText } from './use-build.ts';
import { WholeForm } from './whole-form.tsx';
import { languagesIn } from './words.ts';

interface BuilderProps {
  questionnaire: Questionnaire;
  name: string;
  onName(name: string): void;
  work: Work;
  step(next: Work, field?: string): void;
  undo: (() => void) | null;
  redo: (() => void) | null;
  chosen: Place;
  onChosen(place: Place): void;
  /** What is wrong with it, and saving. */
  children: ReactNode;
}

export function Builder(props: BuilderProps) {
  const { questionnaire, work, step, undo, redo, chosen, onChosen } = props;
  const { own } = useBuildText();
  const [languages, setLanguages] = useSideBySide(work.definition);
  const [message, setMessage] = useState('');
  const [view, setView] = useState<'outline' | 'form'>('outline');
  const [added, setAdded] = useState<Place | null>(null);
  const form = useRef<HTMLDivElement>(null);
  const stored = useMemo(
    () => new Set(placesOf(questionnaire.definition).map(({ element }) => String(element.name))),
    [questionnaire],
  );
  // After a step back it may stand there no more.
  const place = chosen.length > 0 && !elementAt(work.definition, chosen) ? [] : chosen;
  const choose = (next: Place) => {
    onChosen(next);
    setView('form');
    requestAnimationFrame(() => {
      // Of a long list one may have chosen far below where the form begins.
      if ((form.current?.getBoundingClientRect().top ?? 0) < 0) form.current?.scrollIntoView();
    });
  };
  useEffect(() => {
    if (!added || !samePlace(added, place)) return;
    document.getElementById(FIRST_FIELD)?.focus();
    setAdded(null);
  }, [added, place]);
  return (
    <BuildingContext value={{ work, stored, languages, step }}>
      <div className="build-bar">
        <LanguageChoice definition={work.definition} chosen={languages} onChosen={setLanguages} />
        <Since work={work} />
      </div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the keys are a shorter way to the buttons above */}
      <div className="build" data-view={view} onKeyDown={shortcuts(undo, redo)}>
        <OutlineList
          chosen={place}
          onChoose={choose}
          onAdded={(next) => {
            choose(next);
            setAdded(next);
          }}
          changes={useChanges(work.definition)}
        />
        <div className="build-form" ref={form}>
          <Button
            className="build-back"
            variant="default"
            size="sm"
            h={44}
            onClick={() => setView('outline')}
          >
            {own('allQuestions')}
          </Button>
          {place.length === 0 ? (
            <WholeForm name={props.name} onName={props.onName} />
          ) : (
            <ElementForm
              place={place}
              onPlace={(next, said) => {
                onChosen(next ?? []);
                setMessage(said ?? '');
              }}
            />
          )}
          <LooseEnds work={work} onGo={choose} />
          {props.children}
        </div>
      </div>
      <div role="status" className="hidden-text">
        {message}
      </div>
    </BuildingContext>
  );
}

/** As everywhere; within a field the browser takes back its letters itself. */
function shortcuts(undo: (() => void) | null, redo: (() => void) | null) {
  return (event: KeyboardEvent) => {
    const within = event.target instanceof HTMLElement && event.target.matches('input, textarea, select');
    if (within || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== 'z') return;
    event.preventDefault();
    if (event.shiftKey) redo?.();
    else undo?.();
  };
}

/** English, and beside it the reader's own or the first other one. */
function useSideBySide(definition: object) {
  const { language } = useBuildText();
  return useState<string[]>(() => {
    const spoken = languagesIn(definition);
    const other = spoken.includes(language) ? language : spoken.find((one) => one !== 'en');
    return [...new Set(['en', ...(other ? [other] : [])])];
  });
}

interface LanguageChoiceProps {
  definition: object;
  chosen: string[];
  onChosen(languages: string[]): void;
}

function LanguageChoice({ definition, chosen, onChosen }: LanguageChoiceProps) {
  const { own, language } = useBuildText();
  const ofStudy = useStudy()?.languages ?? [];
  const offered = [...new Set([...languagesIn(definition), ...ofStudy.map(primaryOf), ...chosen])];
  const others = Object.keys(LANGUAGES).filter((one) => !offered.includes(one));
  return (
    <>
      <Checkbox.Group
        aria-label={own('sideBySide')}
        value={chosen}
        // In one order, and never none.
        onChange={(next) => onChosen(next.length > 0 ? offered.filter((one) => next.includes(one)) : chosen)}
      >
        <div className="build-chips">
          {offered.map((one) => (
            <Checkbox key={one} size="md" value={one} label={languageName(one, language)} />
          ))}
        </div>
      </Checkbox.Group>
      {others.length > 0 ? (
        <NativeSelect
          size="md"
          aria-label={own('addLanguage')}
          value=""
          onChange={({ currentTarget: { value } }) => onChosen([...chosen, value])}
          data={[
            { value: '', label: own('addLanguage') },
            ...others.map((one) => ({ value: one, label: languageName(one, language) })),
          ]}
        />
      ) : null}
    </>
  );
}

const useActive = () => useGet<Questionnaire>('/api/questionnaires/active').data;

function useChanges(definition: object): ReadonlyMap<string, 'added' | 'changed'> {
  const active = useActive();
  return useMemo(() => {
    const found = new Map<string, 'added' | 'changed'>();
    if (!active) return found;
    for (const { kind, name } of compare(active.definition, definition).changes)
      if (kind !== 'removed') found.set(name, kind);
    return found;
  }, [active, definition]);
}

/** What new interviews will answer otherwise than now. */
function Since({ work }: { work: Work }) {
  const { own, t } = useBuildText();
  const active = useActive();
  const told = useMemo(() => (active ? compare(active.definition, work.definition) : null), [active, work]);
  if (!active || !told || told.changes.length === 0) return null;
  const count = (kind: string) => told.changes.filter((one) => one.asks && one.kind === kind).length;
  const counts = { added: count('added'), removed: count('removed'), changed: count('changed') };
  return (
    <p className="build-since">
      {own('since')} {t('versions.summary', { ...counts, unchanged: told.unchanged })}{' '}
      <Link className="tall-link" to={`?tab=compare&with=${active.id}`}>
        {own('sinceMore')}
      </Link>
    </p>
  );
}

const MOST = 8;

function LooseEnds({ work, onGo }: { work: Work; onGo(place: Place): void }) {
  const { own } = useBuildText();
  const ends = useMemo(() => looseEnds(work), [work]);
  if (ends.length === 0) return null;
  return (
    <Notice tone="warn" title={own('loose.title', { count: ends.length })}>
      <ul className="versions-faults">
        {ends.slice(0, MOST).map(({ what, place, name }) => (
          <li key={`${what} ${place?.join()} ${name}`}>
            <button type="button" onClick={() => onGo(place ?? [])}>
              {own(`loose.${what}`, { name })}
            </button>
          </li>
        ))}
      </ul>
    </Notice>
  );
}
