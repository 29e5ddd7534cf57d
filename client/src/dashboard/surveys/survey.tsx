/** One interview: its answers in words, its place in recruitment, and its history. */
import { queryKeys } from '../../session/query-keys.ts';
import './survey.css';
import { Button, Text } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { Flags } from '../../phone/work/flags.tsx';
import { NoSignal, RequestRefusal, request } from '../../session/api.ts';
import { currentQueryClient, useQuestionnaire } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError } from '../../ui/form.tsx';
import type { Flag, Questionnaire, Survey } from '../../wire.ts';
import { DialogButton } from '../kit/actions/dialog.tsx';
import { Toast } from '../kit/actions/toast.tsx';
import { ActionRunnerContext, useNewActionRunner, useToast } from '../kit/actions/use-actions.ts';
import { useRounds } from '../kit/data/rounds.ts';
import { refetchDashboard, useRecord } from '../kit/data/use-list.tsx';
import { useBackPath } from '../kit/list/back-to-list.ts';
import { DashboardPage, PendingContent, PendingPage } from '../kit/list/dashboard-page.tsx';
import { RoundClosedNotice } from '../kit/list/round-select.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { SurveyPayments, useIncentiveNotDueText } from '../payments/survey-payments.tsx';
import { usePersonName } from '../people/person-names.ts';
import { SurveyFindings } from '../quality/survey-findings.tsx';
import { useAnswersInWords } from './answers-in-words.ts';
import { LazySection } from './lazy-section.tsx';
import { CouponUsedFirst } from './repeats/coupon-used-first.tsx';
import { PossibleRepeat } from './repeats/survey-repeat.tsx';
import { useInterviewLabel } from './review/dismiss-flags.tsx';
import { useReviewFilter } from './review/review-queue.ts';
import { SurveyReviewCard } from './review/survey-review.tsx';
import { SurveyAnswers } from './survey-answers.tsx';
import { ReadOnlySurveyNote, SurveyAccessNotice } from './survey-closed.tsx';
import { EraseAnswersButton, ErasedNotice } from './survey-erase.tsx';
import { SurveyFacts } from './survey-facts.tsx';
import { History } from './survey-history.tsx';
import { AddLateCouponsButton } from './survey-late-coupons.tsx';
import { surveyApiPath } from './survey-paths.ts';
import { IssuedCodes, Recruits } from './survey-recruitment.tsx';

/** Loads the forms library. */
const EditSurvey = lazy(() =>
  import('../../phone/work/edit-survey.tsx').then(({ EditSurvey }) => ({ default: EditSurvey })),
);

const isClosed = (error: unknown) => error instanceof RequestRefusal && error.status === 403;

/** Rate limited, offline, or a server error: asking again may help. */
const isTransient = (error: unknown) =>
  error instanceof NoSignal ||
  (error instanceof RequestRefusal && (error.status === 429 || error.status >= 500));

export default function SurveyPage() {
  const { t, app } = useDashboardText();
  const { id = '' } = useParams();
  const survey = useRecord<Survey>(surveyApiPath(id));
  // Requested now, in parallel with the interview.
  useAnswersInWords(id);
  const questionnaire = useQuestionnaire(survey.data?.questionnaire ?? null);
  // Outside the keyed component, so that toasts about one interview stay, and can be undone, on the next one's page.
  const acts = useNewActionRunner();
  if (survey.data) {
    return (
      <ActionRunnerContext value={acts}>
        <Whole key={id} survey={survey.data} questionnaire={questionnaire.data} lost={questionnaire.error} />
        <Toast {...acts.toast} />
      </ActionRunnerContext>
    );
  }
  const { error } = survey;
  return (
    <DashboardPage title={t('surveys.one')} back="/desk/surveys">
      {isClosed(error) ? (
        <SurveyAccessNotice />
      ) : (
        <PendingContent error={error} label={t('surveys.one')} rows={10} />
      )}
      {isTransient(error) ? (
        <Button mt="md" loading={survey.isFetching} onClick={() => void survey.refetch()}>
          {app('common.again')}
        </Button>
      ) : null}
    </DashboardPage>
  );
}

interface WholeProps {
  survey: Survey;
  /** Only needed for corrections; undefined while loading. */
  questionnaire: Questionnaire | undefined;
}

/** Shows the interview or its correction. Toasts are shared, so that they survive switching between the two. */
function Whole({ survey, questionnaire, lost }: WholeProps & { lost: unknown }) {
  const { t, app } = useDashboardText();
  /** The question being corrected, '' for all of them. */
  const [editing, setEditing] = useState<string | null>(null);
  /** The question corrected last. */
  const [corrected, setCorrected] = useState('');
  const toast = useToast();
  const show = () => {
    setCorrected(editing ?? '');
    setEditing(null);
    toast(app('workItem.saved'));
    void refetchDashboard();
    void currentQueryClient().invalidateQueries({ queryKey: queryKeys.allSurveys });
  };
  const close = () => {
    setEditing(null);
    void refetchDashboard();
  };
  const waiting = <PendingPage title={t('surveys.one')} back="/desk/surveys" error={lost} />;
  return (
    <>
      {editing === null ? (
        <SurveyDetails
          lost={lost}
          survey={survey}
          questionnaire={questionnaire}
          corrected={corrected}
          onCorrect={setEditing}
          onChange={show}
        />
      ) : (
        <Suspense fallback={waiting}>
          {questionnaire ? (
            <EditSurvey
              survey={survey}
              questionnaire={questionnaire}
              from={editing || undefined}
              onClose={close}
              onSaved={show}
            />
          ) : (
            waiting
          )}
        </Suspense>
      )}
    </>
  );
}

interface ShownProps extends WholeProps {
  /** Why the questionnaire couldn't be loaded. */
  lost: unknown;
  corrected: string;
  onCorrect(name: string): void;
  onChange(): void;
}

function SurveyDetails({ survey, questionnaire, lost, corrected, onCorrect, onChange }: ShownProps) {
  const { t, app } = useDashboardText();
  const { t: own } = useTranslation('flags');
  const navigate = useNavigate();
  const queue = useReviewFilter();
  const ability = useAbility();
  const detailOf = useFlagDetail();
  const nameOf = useInterviewLabel();
  const { rounds } = useRounds();
  const isClosed = rounds.some(({ id, state }) => id === survey.round && state === 'CLOSED');
  const mayReview = ability.can('review', asPermissionSubject('Survey', survey));
  const mayUpdate = ability.can('update', asPermissionSubject('Survey', survey)) && (mayReview || !isClosed);
  const mayCorrect = mayUpdate && !survey.erasedAt;
  const list = useBackPath('/desk/surveys');
  const mayDelete = ability.can('delete', asPermissionSubject('Survey', survey));
  const remove = async () => {
    await request('DELETE', `/api/surveys/${survey.id}`);
    // Only the list of interviews offers to undo this.
    const to = list.startsWith('/desk/surveys') ? list : '/desk/surveys';
    await navigate(to, { state: { deleted: survey.id } });
    void refetchDashboard();
  };
  const buttons = (
    <>
      {mayCorrect ? <Button onClick={() => onCorrect('')}>{app('workItem.correct')}</Button> : null}
      {mayDelete ? (
        <DialogButton
          label={t('common.delete')}
          text={t('surveys.deleteWhat')}
          yes={t('surveys.deleteYes')}
          danger
          onYes={remove}
        />
      ) : null}
      <EraseAnswersButton survey={survey} />
    </>
  );
  const undecided = { REFERRAL_CODE_USED: t('surveys.undecided') };
  // Labels of the buttons that dismiss its flags.
  const putAway = new Set(
    survey.flags
      .filter(({ code, copy }) => code !== 'RECRUITER_PENDING' && !copy)
      .map(({ code }) => (code === 'REFERRAL_CODE_USED' ? undecided[code] : own('seen'))),
  );
  const around = (
    <>
      <SurveyPayments survey={survey} />
      <Recruits survey={survey} />
      <IssuedCodes survey={survey}>
        <AddLateCouponsButton survey={survey} onChange={onChange} />
      </IssuedCodes>
      <History survey={survey} />
    </>
  );
  return (
    <DashboardPage title={nameOf(survey)} back={`/desk/surveys${queue}`} besideTitle={buttons}>
      <RoundClosedNotice round={survey.round} />
      {mayUpdate || isClosed ? null : <ReadOnlySurveyNote />}
      <FormError error={lost} />
      <Flags
        survey={survey}
        definition={questionnaire?.definition ?? (lost ? null : undefined)}
        mayUpdate={mayUpdate}
        undecided={undecided}
        about={detailOf}
        onChange={onChange}
      />
      {mayUpdate && putAway.size > 0 ? (
        <Text c="dimmed">{t('surveys.seenWhat', { button: [...putAway].join(' / ') })}</Text>
      ) : null}
      <CouponUsedFirst survey={survey} onChange={onChange} />
      <PossibleRepeat survey={survey} />
      <div className="survey-page">
        <div className="column">
          {survey.erasedAt ? (
            <ErasedNotice survey={survey} />
          ) : (
            <SurveyAnswers
              survey={survey}
              corrected={corrected}
              onCorrect={mayUpdate ? onCorrect : undefined}
            />
          )}
        </div>
        <div className="column">
          <SurveyFindings survey={survey.id} />
          <SurveyReviewCard survey={survey} />
          <SurveyFacts survey={survey} questionnaire={questionnaire} onChange={onChange} />
          {queue ? <LazySection label={t('surveys.history')}>{around}</LazySection> : around}
        </div>
      </div>
    </DashboardPage>
  );
}

/** A flag's additional details. */
function useFlagDetail(): (flag: Flag) => string | null {
  const { t } = useDashboardText();
  const personOf = usePersonName();
  const handedOver = useIncentiveNotDueText();
  return (flag) =>
    flag.code === 'IMPORTED'
      ? t('surveys.importedBy', { name: personOf(flag.by ?? null) })
      : handedOver(flag);
}
