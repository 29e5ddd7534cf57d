/** One stored interview: its answers in words, its flags, and correcting it if allowed. */

import { Button, Loader, Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Suspense, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useParams } from 'react-router';
import { answerLines } from '../../../../src/questionnaires/answers/in-words.ts';
import { NoSignal, request } from '../../session/api.ts';
import { everPays } from '../../session/incentives.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { loadQuestionnaireById, useLocationName, useStudy } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility, useUser } from '../../session/session.tsx';
import { formatDateTime } from '../../texts/i18n.ts';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import type { Questionnaire, Survey } from '../../wire.ts';
import { ClaimSlip } from '../coupons/claim-slip.tsx';
import { CodeText } from '../coupons/code-text.tsx';
import { NoteField } from '../coupons/note-field.tsx';
import { AnswerList } from '../interview/form/answer-list.tsx';
import { useLoadFormTexts } from '../interview/form/form-texts.ts';
import { EditSurvey } from './edit-survey.tsx';
import { Flags } from './flags.tsx';
import { ReviewerIssues } from './issues.tsx';

export default function OwnInterviewPage() {
  const { t } = useTranslation();
  const { id = '' } = useParams();
  const item = useQuery({
    queryKey: queryKeys.survey(id),
    queryFn: async () => {
      const survey = await request<Survey>('GET', `/api/surveys/${id}`);
      return { survey, questionnaire: await loadQuestionnaireById(survey.questionnaire) };
    },
  });
  if (item.data) return <Item {...item.data} />;
  const trouble = item.error ?? item.failureReason;
  return (
    <Page title={t('workItem.title')} back="/work">
      {item.isPending && !trouble ? <Loader role="status" aria-label={t('common.loading')} /> : null}
      {trouble instanceof NoSignal ? (
        <Notice tone="warn" icon="noSignal" title={t('work.noSignal')}>
          {t('work.noSignalWhat')}
        </Notice>
      ) : (
        <FormError error={trouble} />
      )}
      {item.error ? (
        <Button variant="default" loading={item.isFetching} onClick={() => void item.refetch()}>
          {t('common.again')}
        </Button>
      ) : null}
    </Page>
  );
}

function Item({ survey, questionnaire }: { survey: Survey; questionnaire: Questionnaire }) {
  const { t } = useTranslation();
  const ability = useAbility();
  const user = useUser();
  const queries = useQueryClient();
  /** The question where the correction starts, '' for the first. */
  const [correcting, setCorrecting] = useState<string | null>(null);
  const [saved, setSaved] = useState(false);
  const readAt = useRef(0);
  const correct = (from: string) => {
    readAt.current = window.scrollY;
    setSaved(false);
    setCorrecting(from);
  };
  const mayUpdate = ability.can('update', asPermissionSubject('Survey', survey));
  const mayCorrect = mayUpdate && !survey.erasedAt;
  const show = (next: Survey) => {
    queries.setQueryData(queryKeys.survey(survey.id), { survey: next, questionnaire });
    void queries.invalidateQueries({ queryKey: queryKeys.allSurveys });
  };
  // After a change, scrolls to the confirmation at the top; otherwise back to where the person was reading.
  useEffect(() => {
    if (correcting === null) window.scrollTo({ top: saved ? 0 : readAt.current });
  }, [correcting, saved]);
  if (correcting !== null) {
    return (
      <EditSurvey
        survey={survey}
        questionnaire={questionnaire}
        from={correcting || undefined}
        onClose={() => {
          setCorrecting(null);
          // Someone else may have changed it meanwhile.
          void queries.invalidateQueries({ queryKey: queryKeys.survey(survey.id) });
        }}
        onSaved={(next) => {
          show(next);
          setCorrecting(null);
          setSaved(true);
        }}
      />
    );
  }
  return (
    <Page
      title={t('workItem.title')}
      back="/work"
      actions={
        mayCorrect ? (
          <Button size="xl" onClick={() => correct('')}>
            {t('workItem.correct')}
          </Button>
        ) : null
      }
    >
      {saved ? <Notice tone="good" live title={t('workItem.saved')} /> : null}
      <ReviewerIssues survey={survey} />
      <Facts survey={survey} />
      {mayCorrect && survey.createdBy === user.id ? <Note survey={survey} onChange={show} /> : null}
      <Flags survey={survey} definition={questionnaire.definition} mayUpdate={mayUpdate} onChange={show} />
      {/* Its texts may still be loading; the page stays meanwhile. */}
      {survey.erasedAt ? (
        <Notice tone="info" title={t('workItem.erased')} />
      ) : (
        <Suspense fallback={<Loader role="status" aria-label={t('common.loading')} />}>
          <AnswersCard
            survey={survey}
            questionnaire={questionnaire}
            onCorrect={mayUpdate ? correct : undefined}
          />
        </Suspense>
      )}
    </Page>
  );
}

function Facts({ survey }: { survey: Survey }) {
  const { t, i18n } = useTranslation();
  const nameOf = useLocationName();
  const claim = everPays(useStudy()) && survey.takesPart !== false ? survey.referralCode : null;
  return (
    <Card>
      <Text fw={600}>{formatDateTime(survey.completedAt ?? survey.startedAt, i18n.language)}</Text>
      <Text>{nameOf(survey.location)}</Text>
      <Text component="div">
        {survey.referralCode ? <CodeText code={survey.referralCode} /> : t('home.walkIn')}
      </Text>
      {survey.issuedCodes.length > 0 ? (
        <Text component="div" mt="xs">
          {t('workItem.gave')}{' '}
          {survey.issuedCodes.map((code) => (
            <span key={code}>
              <CodeText code={code} />{' '}
            </span>
          ))}
        </Text>
      ) : null}
      {claim ? (
        <div style={{ marginTop: 12 }}>
          <ClaimSlip code={claim} t={t} language={i18n.language} />
        </div>
      ) : null}
    </Card>
  );
}

/** Only visible to this person and to reviewers. */
function Note({ survey, onChange }: { survey: Survey; onChange(survey: Survey): void }) {
  const { attempt, error } = useAttempt();
  const save = async (note: string) => {
    const path = `/api/surveys/${survey.id}`;
    onChange(await request<Survey>('PATCH', path, { body: { note: note || null } }));
  };
  return (
    <>
      <NoteField note={survey.note ?? ''} onSave={(note) => attempt(save(note))} />
      <FormError error={error} />
    </>
  );
}

interface AnswersCardProps {
  survey: Survey;
  questionnaire: Questionnaire;
  onCorrect: ((name: string) => void) | undefined;
}

function AnswersCard({ survey, questionnaire, onCorrect }: AnswersCardProps) {
  const { t, i18n } = useTranslation();
  useLoadFormTexts(i18n.language);
  const lines = answerLines(questionnaire.definition, survey.responses, i18n.language);
  return (
    <Card label={t('workItem.answers')}>
      {onCorrect ? (
        <Text c="dimmed" size="sm">
          {t('workItem.tapToCorrect')}
        </Text>
      ) : null}
      <AnswerList
        lines={lines}
        identityQuestions={questionnaire.identityQuestions ?? []}
        onCorrect={onCorrect}
      />
    </Card>
  );
}
