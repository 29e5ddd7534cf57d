/** All answers of one interview on one page, to correct them. */

import { Button, useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Survey as SurveyForm } from 'survey-react-ui';
import { useDraft } from '../../edits.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Page } from '../../ui/page.tsx';
import type { Answers, Survey } from '../../wire.ts';
import { useFormWords } from '../interview/form-words.ts';
import { resultOf, surveyModel } from '../interview/survey-model.ts';

interface CorrectFormProps {
  survey: Survey;
  definition: object;
  /** The question to begin at. */
  from?: string | undefined;
  /** Above the answers. */
  top?: ReactNode;
  onCancel(): void;
  onSave(answers: Answers): Promise<void>;
}

export function CorrectForm({ survey, definition, from, top, onCancel, onSave }: CorrectFormProps) {
  const { t, i18n } = useTranslation();
  const dark = useComputedColorScheme('light') === 'dark';
  useFormWords(i18n.language);
  const [draft, setDraft] = useDraft<Answers>(`corrections of ${survey.id}`);
  const [model] = useState(() => {
    const { language } = i18n;
    const answers = draft ?? survey.responses;
    const made = surveyModel(definition, { answers, language, view: 'page', dark });
    made.questionsOnPageMode = 'singlePage';
    return made;
  });
  const [before] = useState(() => (draft ? null : JSON.stringify(model.data)));
  const isChanged = useCallback(() => JSON.stringify(model.data) !== before, [model, before]);
  // Whoever leaves the page and comes back finds the changes again.
  useEffect(() => {
    const keep = () => setDraft(isChanged() ? { ...(model.data as Answers) } : null);
    model.onValueChanged.add(keep);
    return () => model.onValueChanged.remove(keep);
  }, [model, isChanged, setDraft]);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!from) {
      window.scrollTo({ top: 0 });
      return;
    }
    goTo(from);
    // The library lays its page out anew once it knows how wide the screen is, on a slow phone a second later. From the
    // first touch on, the page is the person's.
    const settle = new ResizeObserver(() => goTo(from));
    if (form.current) settle.observe(form.current);
    const stop = () => settle.disconnect();
    const touches = ['pointerdown', 'keydown', 'wheel'] as const;
    for (const touch of touches) addEventListener(touch, stop);
    return () => {
      stop();
      for (const touch of touches) removeEventListener(touch, stop);
    };
  }, [from]);
  const trouble = useRef<HTMLDivElement>(null);
  const { submit, busy, error } = useSubmit(async () => {
    if (!model.validate(true, true)) return;
    await onSave(resultOf({ definition }, model.data as Answers, 'en').answers);
    setDraft(null);
  });
  // The page is long, and the word on what went wrong stands at its top.
  useEffect(() => {
    if (error) trouble.current?.scrollIntoView({ block: 'center' });
  }, [error]);
  return (
    <Page
      title={t('workItem.correct')}
      actions={
        <>
          <ConfirmButton
            label={t('common.cancel')}
            question={t('workItem.dropQuestion')}
            yes={t('workItem.drop')}
            size="xl"
            when={isChanged}
            onYes={() => {
              setDraft(null);
              onCancel();
            }}
          />
          <Button size="xl" loading={busy} onClick={() => submit()}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <div ref={trouble}>
        <FormError error={error} />
      </div>
      {top}
      <div className="interview" ref={form}>
        <SurveyForm model={model} />
      </div>
    </Page>
  );
}

/** To the question, and where a keyboard would go on from there. */
function goTo(name: string): void {
  const question = document.querySelector(`.interview [data-name="${CSS.escape(name)}"]`);
  question?.scrollIntoView({ block: 'start' });
  question?.querySelector<HTMLElement>('input, textarea, [tabindex="0"]')?.focus({ preventScroll: true });
}
