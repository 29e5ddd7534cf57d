/**
 * Edits the next version, by clicking or as JSON. It is checked as the service checks it, with the form next to it.
 */
import { Button, Group, SegmentedControl, Text } from '@mantine/core';
import { useDeferredValue, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { Refusal } from '../../session/api.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Questionnaire } from '../../wire.ts';
import { DialogButton } from '../kit/acts/dialog.tsx';
import { send } from '../kit/acts/send.ts';
import { DeskButton } from '../kit/buttons/desk-button.tsx';
import { idleWhile } from '../kit/buttons/idle-button.ts';
import { useDeskText } from '../kit/words/desk-text.ts';
import { Builder } from './build/builder.tsx';
import { looseEnds } from './build/definition/draft-warnings.ts';
import { Preview } from './build/preview.tsx';
import { textOf, type VersionDraft } from './drafts/draft-content.ts';
import { DraftElsewhere, DraftStatus } from './drafts/draft-notices.tsx';
import type { OpenDraft } from './drafts/draft-store.ts';
import { useVersionHistory } from './drafts/questionnaire-draft.ts';
import { type Place, placeIn } from './element-paths.ts';
import { Faults } from './questionnaire-faults.tsx';
import { lineOf, parseDefinition, placeOf } from './questionnaire-json.ts';
import { JsonField } from './questionnaire-json-field.tsx';
import { Settings } from './questionnaire-settings.tsx';
import { judge, type PlacedFault, useJudged } from './use-validation.ts';

const EDITORS = ['build', 'json'] as const;
type Editor = (typeof EDITORS)[number];

const NAMELESS: PlacedFault = { path: 'name', code: 'MISSING', message: '', at: null };

/** As it is written so far, from the version that it began from. */
function useVersion(questionnaire: Questionnaire, open: OpenDraft) {
  const { state, edit: put, undo, redo, elsewhere } = useVersionHistory(open);
  const saved = useMemo<VersionDraft>(
    () => ({
      name: questionnaire.name,
      sizeQuestion: questionnaire.networkSizeQuestion,
      takesPartIf: questionnaire.takesPartIf ?? '',
      clues: questionnaire.identityQuestions ?? [],
      text: textOf(questionnaire.definition),
    }),
    [questionnaire],
  );
  const version = { ...saved, ...state.draft };
  const edit = (change: Partial<VersionDraft>, field?: string) => {
    const next = { ...version, ...change };
    const same = (Object.keys(saved) as (keyof VersionDraft)[]).every(
      (key) => String(next[key]) === String(saved[key]),
    );
    put(same ? null : next, field);
  };
  const discard = async () => {
    put(null);
    await open.push();
  };
  return { version, state, isChanged: state.draft !== null, edit, discard, undo, redo, elsewhere };
}

interface EditProps {
  questionnaire: Questionnaire;
  open: OpenDraft;
}

export default function QuestionnaireEdit({ questionnaire, open }: EditProps) {
  const { t } = useDeskText();
  const { t: own } = useTranslation('builder');
  const navigate = useNavigate();
  const work = useVersion(questionnaire, open);
  const { version, state, isChanged, edit: put, discard, undo, redo, elsewhere } = work;
  const { name, sizeQuestion, takesPartIf, clues, text } = version;
  // Version 0 is what a new questionnaire begins from; nothing of it is stored.
  const isNew = questionnaire.version === 0;
  const [way, setWay] = useState<Editor>('build');
  const [chosen, setChosen] = useState<Place>([]);
  const field = useRef<HTMLTextAreaElement>(null);
  const judged = useJudged(text, { sizeQuestion, takesPartIf, clues });
  const shown = useDeferredValue(judged.definition);
  const settled = judged.text === text;
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const save = useSubmit(async () => {
    const body = {
      name,
      definition: JSON.parse(text) as object,
      networkSizeQuestion: sizeQuestion,
      takesPartIf: takesPartIf.trim() || null,
      identityQuestions: clues.length > 0 ? clues : null,
    };
    const made = await send<Questionnaire>('POST', '/api/questionnaires', body);
    await discard();
    await navigate(`/desk/questionnaires/${made.id}`);
  });
  const edit = (change: Partial<VersionDraft>, typed?: string) => {
    put(change, typed);
    // What the service said was about what was there before.
    save.clear();
  };
  const toLine = (at: number) => {
    // The line is there to be seen first.
    flushSync(() => setWay('json'));
    const area = field.current;
    if (!area) return;
    area.focus();
    area.setSelectionRange(at, at);
    area.scrollTop = Math.max(0, (lineOf(text, at) - 4) * (area.scrollHeight / text.split('\n').length));
  };
  const built = way === 'build' && 'definition' in parsed ? parsed.definition : null;
  const ends = useMemo(() => (built ? looseEnds(built) : []), [built]);
  const toFault = ({ path, at }: PlacedFault) => {
    const place = built && placeIn(built, path);
    if (place) setChosen(place);
    else if (at !== null) toLine(at);
  };
  const refused = save.error instanceof Refusal && save.error.errors.length > 0 ? save.error.errors : [];
  const places = refused.map((error) => ({
    ...error,
    at: settled && judged.definition ? placeOf(text, error.path) : null,
  }));
  const faults = places.length > 0 ? places : [...(name.trim() === '' ? [NAMELESS] : []), ...judged.faults];
  const end = (
    <>
      {faults.length > 0 || ends.length === 0 ? (
        <Faults faults={faults} text={text} built={built} onGo={toFault} />
      ) : null}
      {refused.length === 0 ? <FormError error={save.error} /> : null}
      <DraftStatus state={state} isNew={isNew} />
      <Group gap="sm" className="build-save">
        <Button
          onClick={() => {
            if (judge(text, { sizeQuestion, takesPartIf, clues }).faults.length === 0) save.submit();
          }}
          loading={save.busy}
          // Not while it is judged anew: leaving a field names its question, between the press and the release.
          disabled={(!isChanged && !isNew) || (settled && judged.faults.length > 0) || name.trim() === ''}
        >
          {isNew ? own('start.save') : t('versions.save')}
        </Button>
        {isChanged ? (
          <DialogButton
            danger
            label={t('versions.discard')}
            text={isNew ? own('start.discardWhat') : t('versions.discardWhat')}
            yes={t('versions.discard')}
            onYes={discard}
          />
        ) : null}
      </Group>
    </>
  );
  return (
    <>
      {elsewhere ? <DraftElsewhere elsewhere={elsewhere} hasOwn={isChanged} /> : null}
      <Text c="dimmed">
        {isNew ? own('start.what') : t('versions.editWhat')} {t(`versions.waysWhat.${way}`)}
      </Text>
      <div className="build-bar">
        <SegmentedControl
          className="build-ways"
          size="md"
          aria-label={t('versions.way')}
          value={way}
          onChange={(value) => setWay(value as Editor)}
          data={EDITORS.map((value) => ({ value, label: t(`versions.ways.${value}`) }))}
        />
        <DeskButton label={own('undo')} onClick={() => undo?.()} {...idleWhile(!undo)} />
        <DeskButton label={own('redo')} onClick={() => redo?.()} {...idleWhile(!redo)} />
      </div>
      <div className="versions-edit" data-way={built ? 'build' : way}>
        <div className="versions-column">
          {built ? (
            <Builder
              questionnaire={questionnaire}
              name={name}
              onName={(next) => edit({ name: next }, 'name')}
              work={{ definition: built, sizeQuestion, takesPartIf, clues }}
              step={(next, typed) => edit({ ...next, text: textOf(next.definition) }, typed)}
              undo={undo}
              redo={redo}
              chosen={chosen}
              onChosen={setChosen}
              looseEnds={ends}
            >
              {end}
            </Builder>
          ) : (
            <>
              <Settings version={version} definition={judged.definition} onEdit={edit} />
              <JsonField
                field={field}
                text={text}
                faults={faults}
                onText={(next) => edit({ text: next }, 'json')}
              />
              {end}
            </>
          )}
        </div>
        <section className="versions-column" aria-label={t('versions.preview')}>
          <h2>{t('versions.preview')}</h2>
          {shown ? (
            <Preview definition={shown} place={built ? chosen : []} />
          ) : (
            <Notice tone="info" title={t('versions.noPreview')} />
          )}
        </section>
      </div>
    </>
  );
}
