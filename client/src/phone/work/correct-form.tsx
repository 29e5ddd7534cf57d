/** The question being corrected, with the others of its page; or all questions of an interview on one page. */

import { Button, useComputedColorScheme } from '@mantine/core';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Model } from 'survey-core';
import { Survey as SurveyForm } from 'survey-react-ui';
import { overrideNow } from '../../../../src/questionnaires/answers/override-now.ts';
import {
  areAllAnswered,
  isIdentityAnswered,
} from '../../../../src/questionnaires/definition/identity-answers.ts';
import { useDraft } from '../../device/edits.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { Answers, Survey } from '../../wire.ts';
import { goToPlace as goToPage } from '../interview/form/current-question.ts';
import { useLoadedFormWords } from '../interview/form/form-words.ts';
import { onScreen } from '../interview/form/progress.ts';
import { resultOf, surveyModel } from '../interview/form/survey-model.ts';
import { confirmWarnings, showWarnings } from '../interview/form/warnings.ts';
import { interviewEndOf } from './interview-date.ts';

/** What was changed so far, and in which version. */
export const useCorrection = (id: string) =>
  useDraft<{ version: number; answers: Answers }>(`corrections of ${id}`);

interface CorrectFormProps {
  survey: Survey;
  definition: object;
  /** The questions whose answers are not kept. */
  clues: readonly string[];
  /** The question that is corrected; without one all are shown. */
  from?: string | undefined;
  /** Below the answers: why they are changed. */
  why: ReactNode;
  onCancel(): void;
  /** Whether all is said that a correction asks for; where it is not, the page tells. */
  isReady(): boolean;
  onSave(answers: Answers, version: number): Promise<void>;
}

export function CorrectForm({ survey, definition, clues, from, why, ...acts }: CorrectFormProps) {
  const { t, i18n } = useTranslation();
  const dark = useComputedColorScheme('light') === 'dark';
  useLoadedFormWords(i18n.language);
  const [draft, setDraft] = useCorrection(survey.id);
  // The page may load a newer version meanwhile, which is not the one that is corrected.
  const [version] = useState(draft?.version ?? survey.version);
  // Ages and days as of the interview: otherwise answers could be hidden, and lost, that were asked then.
  const [restoreNow] = useState(() => overrideNow(interviewEndOf(survey)));
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
  const showsClues = clues.length > 0 && (whole || onScreen(model).some(({ name }) => clues.includes(name)));
  const [before] = useState(() => (draft ? null : JSON.stringify(model.data)));
  const isChanged = useCallback(() => JSON.stringify(model.data) !== before, [model, before]);
  // Whoever leaves the page and comes back finds the changes again.
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
    // Where another page lacks something now, that page is shown.
    if (!model.validate(true, true)) return;
    const warned = showWarnings(model, model.getAllQuestions());
    if (warned) {
      if (!onScreen(model).includes(warned)) goToPage(model, warned.name, 'page');
      requestAnimationFrame(() => goTo(warned.name));
      return;
    }
    if (!acts.isReady()) return;
    await acts.onSave(resultOf({ definition }, model, 'en').answers, version);
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
      {showsClues ? <Clues model={model} names={clues} /> : null}
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

/** The service knows their hashes alone, each of several answers: one of them says nothing by itself. */
function Clues({ model, names }: { model: Model; names: readonly string[] }) {
  const { t } = useTranslation();
  const fewNow = useCallback(() => {
    const values = names.map((name): unknown => model.getValue(name));
    return values.some(isIdentityAnswered) && !areAllAnswered(values);
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
  /** These answers are stored; nothing was changed yet. */
  isStored: boolean;
}

function correctionOf(definition: object, { from, isStored, ...options }: Correction): Model {
  // A tick corrects, and does not go on to the next page.
  const still = { ...definition, autoAdvanceEnabled: false, goNextPageAutomatic: false };
  const model = surveyModel(still, { ...options, view: 'page' });
  // Greeting and thanks are said to who is interviewed.
  for (const question of model.getAllQuestions()) if (question.getType() === 'html') question.visible = false;
  if (isStored) confirmWarnings(model, model.getAllQuestions());
  const targetQuestion = from ? model.getQuestionByName(from) : null;
  const page = targetQuestion ? model.getPageByElement(targetQuestion) : null;
  if (page?.isVisible) model.currentPage = page;
  else model.questionsOnPageMode = 'singlePage';
  return model;
}

/** To the question, and where a keyboard would go on from there. */
function goTo(name: string): void {
  const question = document.querySelector(`.interview [data-name="${CSS.escape(name)}"]`);
  question?.scrollIntoView({ block: 'start' });
  question?.querySelector<HTMLElement>('input, textarea, [tabindex="0"]')?.focus({ preventScroll: true });
}
