/** Edits the next version, with the same checks as the service's and a preview of the form. */
import { Button, Group, Text } from '@mantine/core';
import { useDeferredValue, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { RequestRefusal } from '../../session/api.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { FieldError, Questionnaire } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { inactiveProps } from '../kit/buttons/inactive-button.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { Builder } from './build/builder.tsx';
import { draftWarnings } from './build/definition/draft-warnings.ts';
import { QuestionnairePreview } from './build/preview.tsx';
import { definitionText, type VersionDraft } from './drafts/draft-content.ts';
import { QuestionnaireDraftConflictNotice, QuestionnaireDraftStatus } from './drafts/draft-notices.tsx';
import type { OpenQuestionnaireDraft } from './drafts/draft-store.ts';
import { useDraftUndoHistory } from './drafts/questionnaire-draft.ts';
import { type ElementPlace, elementPlaceOfPath } from './element-paths.ts';
import { QuestionnaireJsonButtons } from './json-file.tsx';
import { Faults } from './questionnaire-faults.tsx';
import { parseDefinition } from './questionnaire-json.ts';
import { useDefinitionValidation, validateDefinitionText } from './use-validation.ts';

const NAME_MISSING: FieldError = { path: 'name', code: 'MISSING', message: '' };

/** The draft's current content, or that of the version it is based on. */
function useVersion(questionnaire: Questionnaire, open: OpenQuestionnaireDraft) {
  const { state, edit: put, undo, redo, elsewhere } = useDraftUndoHistory(open);
  const saved = useMemo<VersionDraft>(
    () => ({
      name: questionnaire.name,
      sizeQuestion: questionnaire.networkSizeQuestion,
      takesPartIf: questionnaire.takesPartIf ?? '',
      clues: questionnaire.identityQuestions ?? [],
      text: definitionText(questionnaire.definition),
    }),
    [questionnaire],
  );
  const version = { ...saved, ...state.draft };
  const edit = (change: Partial<VersionDraft>, field?: string) => {
    const next = { ...version, ...change };
    const isUnchanged = (Object.keys(saved) as (keyof VersionDraft)[]).every(
      (key) => String(next[key]) === String(saved[key]),
    );
    put(isUnchanged ? null : next, field);
  };
  const discard = async () => {
    put(null);
    await open.push();
  };
  return { version, state, isChanged: state.draft !== null, edit, discard, undo, redo, elsewhere };
}

interface EditProps {
  questionnaire: Questionnaire;
  open: OpenQuestionnaireDraft;
}

export default function QuestionnaireEdit({ questionnaire, open }: EditProps) {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('builder');
  const navigate = useNavigate();
  const work = useVersion(questionnaire, open);
  const { version, state, isChanged, edit: put, discard, undo, redo, elsewhere } = work;
  const { name, sizeQuestion, takesPartIf, clues, text } = version;
  // Version 0 is the start of a new questionnaire; it isn't stored.
  const isNew = questionnaire.version === 0;
  const [selectedPlace, setChosen] = useState<ElementPlace>([]);
  const validation = useDefinitionValidation(text, { sizeQuestion, takesPartIf, clues });
  const definition = useDeferredValue(validation.definition);
  const isSettled = validation.text === text;
  const parsed = useMemo(() => parseDefinition(text), [text]);
  const save = useSubmit(async () => {
    const body = {
      name,
      definition: JSON.parse(text) as object,
      networkSizeQuestion: sizeQuestion,
      takesPartIf: takesPartIf.trim() || null,
      identityQuestions: clues.length > 0 ? clues : null,
    };
    const saved = await sendChange<Questionnaire>('POST', '/api/questionnaires', body);
    await discard();
    await navigate(`/desk/questionnaires/${saved.id}`);
  });
  const edit = (change: Partial<VersionDraft>, typedField?: string) => {
    put(change, typedField);
    // The service's errors were about the previous content.
    save.clear();
  };
  const parsedDefinition = 'definition' in parsed ? parsed.definition : null;
  const ends = useMemo(() => (parsedDefinition ? draftWarnings(parsedDefinition) : []), [parsedDefinition]);
  const toFault = ({ path }: FieldError) =>
    setChosen((parsedDefinition && elementPlaceOfPath(parsedDefinition, path)) ?? selectedPlace);
  const refusals =
    save.error instanceof RequestRefusal && save.error.errors.length > 0 ? save.error.errors : [];
  const faults =
    refusals.length > 0 ? refusals : [...(name.trim() === '' ? [NAME_MISSING] : []), ...validation.faults];
  const end = (
    <>
      {faults.length > 0 || ends.length === 0 ? (
        <Faults faults={faults} definition={parsedDefinition} onGo={toFault} />
      ) : null}
      {refusals.length === 0 ? <FormError error={save.error} /> : null}
      <QuestionnaireDraftStatus state={state} isNew={isNew} />
      <Group gap="sm" className="build-save">
        <Button
          onClick={() => {
            if (validateDefinitionText(text, { sizeQuestion, takesPartIf, clues }).faults.length === 0)
              save.submit();
          }}
          loading={save.busy}
          // Stays enabled while validation is pending: leaving a field may rename its question while this button is
          // being pressed.
          disabled={
            (!isChanged && !isNew) || (isSettled && validation.faults.length > 0) || name.trim() === ''
          }
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
      {elsewhere ? <QuestionnaireDraftConflictNotice elsewhere={elsewhere} hasOwn={isChanged} /> : null}
      <Text c="dimmed">{isNew ? own('start.what') : t('versions.editWhat')}</Text>
      <div className="flow">
        <PlainButton label={own('undo')} onClick={() => undo?.()} {...inactiveProps(!undo)} />
        <PlainButton label={own('redo')} onClick={() => redo?.()} {...inactiveProps(!redo)} />
        <QuestionnaireJsonButtons
          name={name}
          text={text}
          onDefinition={(definition) => edit({ text: definitionText(definition) })}
        />
      </div>
      <div className="versions-edit">
        <div className="column">
          {parsedDefinition ? (
            <Builder
              questionnaire={questionnaire}
              name={name}
              onName={(next) => edit({ name: next }, 'name')}
              work={{ definition: parsedDefinition, sizeQuestion, takesPartIf, clues }}
              step={(next, typedField) =>
                edit({ ...next, text: definitionText(next.definition) }, typedField)
              }
              undo={undo}
              redo={redo}
              selectedPlace={selectedPlace}
              onChosen={setChosen}
              warnings={ends}
            >
              {end}
            </Builder>
          ) : (
            end
          )}
        </div>
        <section className="column" aria-label={t('versions.preview')}>
          <h2>{t('versions.preview')}</h2>
          {definition ? (
            <QuestionnairePreview definition={definition} place={parsedDefinition ? selectedPlace : []} />
          ) : (
            <Notice tone="info" title={t('versions.noPreview')} />
          )}
        </section>
      </div>
    </>
  );
}
