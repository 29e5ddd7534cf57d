/** The questions of an interview. Every answer is stored as soon as it is given. */
import { Button, useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Model, Question } from 'survey-core';
import { Survey } from 'survey-react-ui';
import { onOneScreen } from '../../../../src/questionnaires/nonresponse.ts';
import type { Contacts } from '../../../../src/study/contacts.ts';
import { type DraftWriter, draftWriter, NotTheEditor } from '../../device/drafts.ts';
import { keepSetting, readSetting } from '../../device/local-settings.ts';
import { finishDraft } from '../../device/outbox.ts';
import type { Draft } from '../../device/store.ts';
import { textsIn } from '../../i18n.ts';
import { useStudy } from '../../records.ts';
import type { Answers, Questionnaire } from '../../wire.ts';
import { couponsFrom } from '../coupons/coupon-source.ts';
import { isTyped } from './auto-advance.ts';
import { CouponCheck } from './coupon-check.tsx';
import { placeOf } from './current-question.ts';
import { loadFormWords } from './form-words.ts';
import { InterviewHead } from './interview-head.tsx';
import { isFirst, isLast, progressOf, type View } from './progress.ts';
import { cluesHere, RepeatCheck } from './repeat-check.tsx';
import { ScrollHint } from './scroll-hint.tsx';
import { StorageTrouble } from './storage-trouble.tsx';
import { directionOfForm, endsEarly, isComplete, resultOf, setContact, surveyModel } from './survey-model.ts';
import { useIncentiveStep } from './use-incentive-step.tsx';

const VIEW = 'interview-view';
const storedView = (): View => (readSetting(VIEW) === 'page' ? 'page' : 'question');

interface InterviewFormProps {
  draft: Draft;
  questionnaire: Questionnaire;
  /** It is being finished here: what becomes of the draft is this window's doing. */
  onFinishing(finishing: boolean): void;
}

export function InterviewForm({ draft, questionnaire, onFinishing }: InterviewFormProps) {
  const navigate = useNavigate();
  const study = useStudy();
  const couponsPerSurvey = study?.couponsPerSurvey ?? 0;
  const top = useRef<HTMLDivElement>(null);
  const [view, setView] = useState<View>(storedView);
  const [trouble, setTrouble] = useState<unknown>(null);
  const [busy, setBusy] = useState(false);
  const finishing = useRef(false);
  const onMoved = () => {
    window.scrollTo({ top: 0 });
    top.current?.focus({ preventScroll: true });
  };
  const { model, writer, at } = useInterview({
    draft,
    questionnaire,
    view,
    study,
    onOutcome: setTrouble,
    onMoved,
  });
  const handOver = useIncentiveStep({ draft, study, writer, onMoved });
  const isAsking = handOver.step === null;
  const t = textsIn(model.locale || 'en');
  // Drawing the frame anew must not draw a hundred questions anew.
  const form = useMemo(() => <Survey model={model} />, [model]);

  const finish = async () => {
    if (finishing.current || !model.validate(true, true)) return;
    const language = model.locale || 'en';
    const { answers, takesPart, farewell } = resultOf(questionnaire, model, language);
    if (!handOver.isSaid(takesPart)) return;
    finishing.current = true;
    onFinishing(true);
    setBusy(true);
    try {
      await writer.settle();
      const latest = { ...draft, language };
      const coupons = takesPart ? couponsPerSurvey : 0;
      const fromBlock = couponsFrom() === 'phone';
      await finishDraft(latest, { responses: answers, takesPart, coupons, fromBlock, farewell });
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
        view={view}
        onView={(next) => {
          keepSetting(VIEW, next);
          writer.save({ place: placeOf(model, view) });
          setView(next);
        }}
        onLanguage={async (language) => {
          await loadFormWords(language);
          model.locale = language;
          setContact(model, study);
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
        {handOver.step}
        {at.clues && isAsking && study?.repeatCheck ? (
          <RepeatCheck key={JSON.stringify(at.clues)} questionnaire={questionnaire.id} clues={at.clues} />
        ) : null}
      </div>
      <div className="actions">
        {view === 'question' && isAsking ? (
          <ScrollHint model={model} word={t('interview.moreBelow')} />
        ) : null}
        <p className="actions-note" role="status">
          {at.early && isAsking ? t('interview.endsHere') : null}
        </p>
        <div className="actions-inner">
          {at.first && isAsking ? null : (
            <Button
              variant="default"
              size="xl"
              px="lg"
              onClick={() => (isAsking ? model.performPrevious() : handOver.leave())}
            >
              {t('interview.previous')}
            </Button>
          )}
          {at.last ? (
            <Button size="xl" loading={busy} onClick={() => void finish()}>
              {t(at.complete ? 'interview.finish' : 'interview.next')}
            </Button>
          ) : (
            <Button size="xl" onClick={() => model.performNext()}>
              {t('interview.next')}
            </Button>
          )}
        </div>
      </div>
    </>
  );
}

interface InterviewOptions extends Omit<InterviewFormProps, 'onFinishing'> {
  view: View;
  study: Contacts | undefined;
  onOutcome(error: unknown): void;
  /** Another screen stands there, by a button or by itself. */
  onMoved(): void;
}

function standing(model: Model, view: View, { identityQuestions }: Questionnaire) {
  return {
    clues: cluesHere(model, identityQuestions ?? []),
    first: isFirst(model, view),
    last: isLast(model, view),
    complete: isComplete(model),
    early: endsEarly(model, view),
    progress: progressOf(model),
  };
}

/** The model, bound to the device's store, and where in it one stands. */
function useInterview(options: InterviewOptions) {
  const { draft, questionnaire, view, study } = options;
  const dark = useComputedColorScheme('light') === 'dark';
  const before = useRef<{ model: Model; view: View } | null>(null);
  const latest = useRef(options);
  latest.current = options;
  const writer = useMemo<DraftWriter>(
    () => draftWriter(draft, (error) => latest.current.onOutcome(error)),
    [draft],
  );
  // Another view or look is another model over the same answers.
  const model = useMemo(() => {
    const last = before.current;
    const whole = view === 'question' ? onOneScreen(questionnaire) : questionnaire.definition;
    return surveyModel(whole, {
      answers: (last?.model.data as Answers | undefined) ?? draft.responses,
      language: last?.model.locale || draft.language,
      place: last ? placeOf(last.model, last.view) : draft.place,
      cameWithCoupon: draft.referralCode !== null,
      view,
      dark,
    });
  }, [questionnaire, draft, view, dark]);
  before.current = { model, view };
  useEffect(() => setContact(model, study), [model, study]);
  useEffect(() => () => writer.close(), [writer]);
  const [at, setAt] = useState(() => standing(model, view, questionnaire));
  useEffect(() => {
    let last = '';
    const look = () => {
      const now = standing(model, view, questionnaire);
      // Typing must not draw the frame anew at each key.
      if (JSON.stringify(now) === last) return;
      last = JSON.stringify(now);
      setAt(now);
    };
    const onValue = (_model: Model, { question }: { question: Question | null }) => {
      const change = { responses: model.data as Answers, place: placeOf(model, view) };
      if (isTyped(question)) writer.saveTyped(change);
      else writer.save(change);
      look();
    };
    const onMove = () => {
      writer.save({ place: placeOf(model, view) });
      latest.current.onMoved();
      look();
    };
    model.onValueChanged.add(onValue);
    model.onCurrentPageChanged.add(onMove);
    look();
    return () => {
      model.onValueChanged.remove(onValue);
      model.onCurrentPageChanged.remove(onMove);
    };
  }, [model, view, writer, questionnaire]);
  return { model, writer, at: { ...at, renew: () => setAt({ ...standing(model, view, questionnaire) }) } };
}
