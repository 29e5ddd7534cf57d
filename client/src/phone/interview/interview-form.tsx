/** The questions of an interview. Every answer is stored right away. */
import { Button } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Survey } from 'survey-react-ui';
import { NotTheEditor } from '../../device/editor.ts';
import { readLocalSetting, storeLocalSetting } from '../../device/local-settings.ts';
import type { Draft } from '../../device/store/store.ts';
import { finishDraft } from '../../offline/outbox.ts';
import { useStudy } from '../../session/records.ts';
import { translateFunctionFor } from '../../texts/i18n.ts';
import type { Questionnaire } from '../../wire.ts';
import { recallCouponSource } from '../coupons/coupon-source.ts';
import { CouponCheck } from './coupon-check.tsx';
import { currentQuestionName, goToQuestion } from './form/current-question.ts';
import { loadFormTexts } from './form/form-texts.ts';
import { questionsOnScreen, type ScreenUnit } from './form/progress.ts';
import { directionOfForm, fillStudyContactInForm, submittableInterviewOf } from './form/survey-model.ts';
import { goToNextScreen, showWarnings } from './form/warnings.ts';
import { InterviewHead } from './interview-head.tsx';
import { getOrCreateStatusPageSecret } from './own-secret.ts';
import { RepeatCheckButton } from './repeat-check.tsx';
import { MoreBelowHint } from './scroll-hint.tsx';
import { StorageTrouble } from './storage-trouble.tsx';
import { useBackKey } from './use-back-key.ts';
import { useContactStep } from './use-contact-step.tsx';
import { useIncentiveStep } from './use-incentive-step.tsx';
import { type InterviewScreenState, useInterviewForm } from './use-interview.ts';

const VIEW = 'interview-view';
const storedView = (): ScreenUnit => (readLocalSetting(VIEW) === 'page' ? 'page' : 'question');

interface InterviewFormProps {
  draft: Draft;
  questionnaire: Questionnaire;
  /** Tells the page that this window is finishing the interview, so that it doesn't report the draft as gone. */
  onFinishing(finishing: boolean): void;
}

export function InterviewForm({ draft, questionnaire, onFinishing }: InterviewFormProps) {
  const navigate = useNavigate();
  const study = useStudy();
  const couponsPerSurvey = study?.couponsPerSurvey ?? 0;
  const top = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<ScreenUnit>(storedView);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const finishing = useRef(false);
  const onMoved = () => {
    window.scrollTo({ top: 0 });
    top.current?.focus({ preventScroll: true });
  };
  const { model, writer, at } = useInterviewForm({
    draft,
    questionnaire,
    view,
    study,
    onOutcome: setTrouble,
    onMoved,
  });
  const handOver = useIncentiveStep({ draft, study, writer, onMoved });
  const contact = useContactStep({ draft, study, writer, language: model.locale || 'en', onMoved });
  const step = handOver.step ?? contact.step;
  const isAsking = step === null;
  const t = translateFunctionFor(model.locale || 'en');
  const goBack = () => {
    if (isAsking) model.performPrevious();
    else if (handOver.step) handOver.leave();
    else contact.leave();
  };
  const isFirst = at.first && isAsking;
  const leaveHistory = useBackKey(isFirst || busy ? null : goBack);
  // Memoized: rerendering the frame must not rerender a hundred questions.
  const form = useMemo(() => <Survey model={model} />, [model]);

  const finish = async () => {
    if (finishing.current || !model.validate(true, true)) return;
    const warnedQuestion = showWarnings(model, model.getAllQuestions());
    if (warnedQuestion) {
      if (!questionsOnScreen(model).includes(warnedQuestion)) goToQuestion(model, warnedQuestion.name, view);
      return;
    }
    const language = model.locale || 'en';
    const { answers, takesPart, farewell } = submittableInterviewOf(questionnaire, model, language);
    if (!contact.requireAnswer(takesPart) || !handOver.requireAnswer(takesPart)) return;
    finishing.current = true;
    onFinishing(true);
    setBusy(true);
    try {
      await writer.settle();
      const latest = { ...writer.latest(), language };
      const coupons = takesPart ? couponsPerSurvey : 0;
      const fromBlock = recallCouponSource() === 'phone';
      const secretPair =
        takesPart && study?.statusPage === 'ON' ? getOrCreateStatusPageSecret(draft.secret) : undefined;
      await finishDraft(latest, {
        responses: answers,
        takesPart,
        coupons,
        fromBlock,
        farewell,
        ownSecret: secretPair,
      });
      await leaveHistory();
      await navigate(`/coupons/${draft.id}`, { replace: true });
    } catch (error) {
      if (!(error instanceof NotTheEditor)) setTrouble(error);
      finishing.current = false;
      onFinishing(false);
      setBusy(false);
    }
  };
  return (
    <>
      <InterviewHead
        model={model}
        progress={at.progress}
        step={at.step}
        onLeave={() => void leaveHistory().then(() => navigate('/'))}
        view={view}
        onView={(next) => {
          storeLocalSetting(VIEW, next);
          writer.save({ place: currentQuestionName(model, view) });
          setView(next);
        }}
        onLanguage={async (language) => {
          await loadFormTexts(language);
          model.locale = language;
          fillStudyContactInForm(model, study);
          writer.save({ language });
          at.renew();
        }}
      />
      <StorageTrouble error={trouble} onRetry={writer.retry} />
      <CouponCheck draft={draft} />
      <h1 className="hidden-text">{t('interview.title')}</h1>
      <div
        className="interview"
        ref={top}
        tabIndex={-1}
        style={{ outline: 'none' }}
        lang={model.locale || 'en'}
        dir={directionOfForm(model)}
      >
        <div hidden={!isAsking}>{form}</div>
        {step}
        {at.clues && isAsking && study?.repeatCheck ? (
          <RepeatCheckButton
            key={JSON.stringify(at.clues)}
            questionnaire={questionnaire.id}
            clues={at.clues}
          />
        ) : null}
      </div>
      <div className="actions">
        {view === 'question' && isAsking ? (
          <MoreBelowHint model={model} word={t('interview.moreBelow')} />
        ) : null}
        <p className="actions-note" role="status">
          {isAsking ? noteFor(at, t) : null}
        </p>
        <div className="actions-inner">
          {isFirst ? null : (
            <Button variant="default" size="xl" px="lg" onClick={goBack}>
              {t('interview.previous')}
            </Button>
          )}
          {at.last ? (
            <Button size="xl" loading={busy} onClick={() => void finish()}>
              {t(at.complete ? 'interview.finish' : 'interview.next')}
            </Button>
          ) : (
            <Button size="xl" onClick={() => goToNextScreen(model)}>
              {t('interview.next')}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

function noteFor({ warned, early, last, complete }: InterviewScreenState, t: TFunction): string | null {
  if (warned)
    return t('interview.warned', { button: t(last && complete ? 'interview.finish' : 'interview.next') });
  return early ? t('interview.endsHere') : null;
}
