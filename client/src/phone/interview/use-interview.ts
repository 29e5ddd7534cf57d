/** The interview's form as a model, stored on the device with every change. */
import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useMemo, useRef, useState } from 'react';
import type { Model, Question } from 'survey-core';
import { withReasonOnSameScreen } from '../../../../src/questionnaires/answers/nonresponse.ts';
import type { StudyContact } from '../../../../src/study/settings/contacts.ts';
import type { Draft } from '../../device/store/store.ts';
import { type DraftWriter, draftWriter } from '../../offline/drafts.ts';
import type { Answers, Questionnaire } from '../../wire.ts';
import { isAnsweredByTyping } from './form/auto-advance.ts';
import { currentQuestionName } from './form/current-question.ts';
import {
  interviewProgressOf,
  isFirstScreen,
  isLastScreen,
  questionNumber,
  questionsOnScreen,
  type ScreenUnit,
} from './form/progress.ts';
import {
  createInterviewFormModel,
  endsEarly,
  fillStudyContactInForm,
  isScreenComplete,
} from './form/survey-model.ts';
import { areWarningsOnScreen, markWarningsConfirmed, watchAnswerWarnings } from './form/warnings.ts';
import { identityAnswersOnScreen } from './repeat-check.tsx';

interface InterviewOptions {
  draft: Draft;
  questionnaire: Questionnaire;
  view: ScreenUnit;
  study: StudyContact | undefined;
  onOutcome(error: unknown): void;
  /** Called when another screen is shown, whether by a button or automatically. */
  onMoved(): void;
}

export type InterviewScreenState = ReturnType<typeof interviewState>;

function interviewState(model: Model, view: ScreenUnit, { identityQuestions }: Questionnaire) {
  return {
    clues: identityAnswersOnScreen(model, identityQuestions ?? []),
    first: isFirstScreen(model, view),
    last: isLastScreen(model, view),
    complete: isScreenComplete(model),
    early: endsEarly(model, view),
    warned: areWarningsOnScreen(model),
    progress: interviewProgressOf(model),
    step: questionNumber(model),
  };
}

/** The model, connected to the device's store, and the current position. */
export function useInterviewForm(options: InterviewOptions) {
  const { draft, questionnaire, view, study } = options;
  const dark = useComputedColorScheme('light') === 'dark';
  const before = useRef<{ model: Model; view: ScreenUnit } | null>(null);
  const latest = useRef(options);
  const look = useRef<() => void>(() => undefined);
  latest.current = options;
  const writer = useMemo<DraftWriter>(
    () => draftWriter(draft, (error) => latest.current.onOutcome(error)),
    [draft],
  );
  // Changing the view or theme creates a new model with the same answers.
  const model = useMemo(() => {
    const last = before.current;
    const whole = view === 'question' ? withReasonOnSameScreen(questionnaire) : questionnaire.definition;
    const formModel = createInterviewFormModel(whole, {
      answers: (last?.model.data as Answers | undefined) ?? draft.responses,
      language: last?.model.locale || draft.language,
      place: last ? currentQuestionName(last.model, last.view) : draft.place,
      cameWithCoupon: draft.referralCode !== null,
      view,
      dark,
    });
    watchAnswerWarnings(formModel, () => look.current(), last?.model);
    if (!last) markWarningsConfirmed(formModel, questionsOffScreen(formModel));
    return formModel;
  }, [questionnaire, draft, view, dark]);
  before.current = { model, view };
  useEffect(() => fillStudyContactInForm(model, study), [model, study]);
  useEffect(() => () => writer.close(), [writer]);
  const [at, setAt] = useState(() => interviewState(model, view, questionnaire));
  useEffect(() => {
    let last = '';
    look.current = () => {
      const now = interviewState(model, view, questionnaire);
      // Typing must not rerender the frame on each keystroke.
      if (JSON.stringify(now) === last) return;
      last = JSON.stringify(now);
      setAt(now);
    };
    const onValue = (_model: Model, { question }: { question: Question | null }) => {
      const change = { responses: model.data as Answers, place: currentQuestionName(model, view) };
      if (isAnsweredByTyping(question)) writer.saveTyped(change);
      else writer.save(change);
      look.current();
    };
    const onMove = () => {
      writer.save({ place: currentQuestionName(model, view) });
      latest.current.onMoved();
      look.current();
    };
    model.onValueChanged.add(onValue);
    model.onCurrentPageChanged.add(onMove);
    look.current();
    return () => {
      model.onValueChanged.remove(onValue);
      model.onCurrentPageChanged.remove(onMove);
    };
  }, [model, view, writer, questionnaire]);
  return {
    model,
    writer,
    at: { ...at, renew: () => setAt({ ...interviewState(model, view, questionnaire) }) },
  };
}

/** All questions that aren't on this screen. */
function questionsOffScreen(model: Model): Question[] {
  const here = questionsOnScreen(model);
  return model.getAllQuestions().filter((question) => !here.includes(question));
}
