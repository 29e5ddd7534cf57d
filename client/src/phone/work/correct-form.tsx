/** The question being corrected, with the rest of its page; or all questions of an interview on one page. */

import { Button, useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from 'survey-core';
import { Survey as SurveyForm } from 'survey-react-ui';
import { overrideFormClock } from '../../../../src/questionnaires/answers/override-now.ts';
import {
  hasEnoughIdentityAnswers,
  isNonemptyIdentityAnswer,
} from '../../../../src/questionnaires/definition/identity-answers.ts';
import { useUnsavedEdits } from '../../device/edits.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { Answers, Survey } from '../../wire.ts';
import { goToQuestion as goToPage } from '../interview/form/current-question.ts';
import { useLoadFormTexts } from '../interview/form/form-texts.ts';
import { questionsOnScreen } from '../interview/form/progress.ts';
import { createInterviewFormModel, submittableInterviewOf } from '../interview/form/survey-model.ts';
import { markWarningsConfirmed, showWarnings } from '../interview/form/warnings.ts';
import { interviewEndOf } from './interview-date.ts';

/** The changes so far, and the version they are based on. */
export const useCorrection = (id: string) =>
  useUnsavedEdits<{ version: number; answers: Answers }>(`corrections of ${id}`);

interface CorrectFormProps {
  survey: Survey;
  definition: object;
  /** Identity questions, whose answers aren't stored. */
  identityQuestions: readonly string[];
  /** The question to correct. Default: all. */
  from?: string | undefined;
  /** Shown below the answers: the reason for the change. */
  why: ReactNode;
  onCancel(): void;
  /** Whether everything the correction requires is filled in; if not, the page says so. */
  isReady(): boolean;
  onSave(answers: Answers, version: number): Promise<void>;
}

export function CorrectForm({ survey, definition, identityQuestions, from, why, ...acts }: CorrectFormProps) {
  const { t, i18n } = useTranslation();
  const dark = useComputedColorScheme('light') === 'dark';
  useLoadFormTexts(i18n.language);
  const [draft, setDraft] = useCorrection(survey.id);
  // The page may load a newer version meanwhile, which is not the one being corrected.
  const [version] = useState(draft?.version ?? survey.version);
  // Evaluates ages and dates as of the interview; otherwise answers to questions asked then could be hidden and lost.
  const [restoreNow] = useState(() => overrideFormClock(interviewEndOf(survey)));
  useEffect(() => restoreNow, [restoreNow]);
  const [model] = useState(() =>
    correctionOf(definition, {
      answers: draft?.answers ?? survey.responses,
      language: i18n.language,
      dark,
      from: draft ? undefined : from,
      isStored: draft === null,
    }),
  );
  const [whole, setWhole] = useState(model.questionsOnPageMode === 'singlePage');
  const showsClues =
    identityQuestions.length > 0 &&
    (whole || questionsOnScreen(model).some(({ name }) => identityQuestions.includes(name)));
  const [before] = useState(() => (draft ? null : JSON.stringify(model.data)));
  const isChanged = useCallback(() => JSON.stringify(model.data) !== before, [model, before]);
  // The changes survive leaving the page and coming back.
  useEffect(() => {
    const keep = () => setDraft(isChanged() ? { version, answers: { ...(model.data as Answers) } } : null);
    model.onValueChanged.add(keep);
    return () => model.onValueChanged.remove(keep);
  }, [model, isChanged, setDraft, version]);
  const form = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!from) {
      window.scrollTo({ top: 0 });
      return;
    }
    goTo(from);
    // The library rerenders its page once it knows the screen's width, which takes a second on a slow phone. Stops
    // scrolling once the person touches the page.
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
    // If something on another page is now missing, shows that page.
    if (!model.validate(true, true)) return;
    const warnedQuestion = showWarnings(model, model.getAllQuestions());
    if (warnedQuestion) {
      if (!questionsOnScreen(model).includes(warnedQuestion)) goToPage(model, warnedQuestion.name, 'page');
      requestAnimationFrame(() => goTo(warnedQuestion.name));
      return;
    }
    if (!acts.isReady()) return;
    await acts.onSave(submittableInterviewOf({ definition }, model, 'en').answers, version);
  });
  // The page is long, and the error is shown at its top.
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
            onYes={acts.onCancel}
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
      {showsClues ? <IdentityAnswersNotice model={model} names={identityQuestions} /> : null}
      <div className="interview" ref={form}>
        <SurveyForm model={model} />
      </div>
      {whole ? null : (
        <Button
          variant="subtle"
          size="lg"
          onClick={() => {
            model.questionsOnPageMode = 'singlePage';
            setWhole(true);
          }}
        >
          {t('workItem.allQuestions')}
        </Button>
      )}
      {why}
    </Page>
  );
}

/**
 * The service only stores hashes, each over several of these answers, so a correction must answer all of them again.
 */
function IdentityAnswersNotice({ model, names }: { model: Model; names: readonly string[] }) {
  const { t } = useTranslation();
  const fewNow = useCallback(() => {
    const values = names.map((name): unknown => model.getValue(name));
    return values.some(isNonemptyIdentityAnswer) && !hasEnoughIdentityAnswers(values);
  }, [model, names]);
  const [isFew, setFew] = useState(fewNow);
  useEffect(() => {
    const look = () => setFew(fewNow());
    model.onValueChanged.add(look);
    return () => model.onValueChanged.remove(look);
  }, [model, fewNow]);
  return (
    <Notice tone={isFew ? 'warn' : 'info'} title={t('workItem.clues')} live>
      {isFew ? t('workItem.cluesFew') : null}
    </Notice>
  );
}

interface Correction {
  answers: Answers;
  language: string;
  dark: boolean;
  from: string | undefined;
  /** True if these are the stored answers, without changes. */
  isStored: boolean;
}

function correctionOf(definition: object, { from, isStored, ...options }: Correction): Model {
  // Selecting a choice must not advance to the next page.
  const still = { ...definition, autoAdvanceEnabled: false, goNextPageAutomatic: false };
  const model = createInterviewFormModel(still, { ...options, view: 'page' });
  // Hides texts such as the greeting, which are for the respondent.
  for (const question of model.getAllQuestions()) if (question.getType() === 'html') question.visible = false;
  if (isStored) markWarningsConfirmed(model, model.getAllQuestions());
  const targetQuestion = from ? model.getQuestionByName(from) : null;
  const page = targetQuestion ? model.getPageByElement(targetQuestion) : null;
  if (page?.isVisible) model.currentPage = page;
  else model.questionsOnPageMode = 'singlePage';
  return model;
}

/** Scrolls to the question and focuses its first field. */
function goTo(name: string): void {
  const question = document.querySelector(`.interview [data-name="${CSS.escape(name)}"]`);
  question?.scrollIntoView({ block: 'start' });
  question?.querySelector<HTMLElement>('input, textarea, [tabindex="0"]')?.focus({ preventScroll: true });
}
