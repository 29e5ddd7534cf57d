/** The interviews this person sent and may still see, usually today's. */

import { Button, Loader, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router';
import { NoSignal, request } from '../../session/api.ts';
import { everPays } from '../../session/incentives.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useLocationName, useStudy } from '../../session/records.ts';
import { useUser } from '../../session/session.tsx';
import { formatDateTime, formatTimeOfDay, numberInLanguage } from '../../texts/i18n.ts';
import { FormError } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice, Tag } from '../../ui/notice.tsx';
import { Card, Page } from '../../ui/page.tsx';
import type { ListOf, SurveyListItem } from '../../wire.ts';
import { CodeText } from '../coupons/code-text.tsx';
import { useOutboxCounts } from '../outbox/outbox-counts.ts';
import { arrivedLate } from './interview-date.ts';
import { ReviewIssuesText } from './issues.tsx';

/** The service's limit; nobody holds more interviews in a day. */
const MAX_ROWS = 200;

export default function OwnInterviews() {
  const { t, i18n } = useTranslation();
  const { id } = useUser();
  const { waiting, attention } = useOutboxCounts();
  const list = useQuery({
    queryKey: queryKeys.surveysOf(id),
    queryFn: () => request<ListOf<SurveyListItem>>('GET', `/api/surveys?createdBy=${id}&limit=${MAX_ROWS}`),
  });
  const all = list.data?.data ?? [];
  const surveys = [...all.filter(hasIssues), ...all.filter((survey) => !hasIssues(survey))];
  // Shows the first failure, while retries continue.
  const trouble = list.error ?? list.failureReason;
  const unsent = waiting + attention;
  return (
    <Page title={t('work.title')}>
      {unsent > 0 ? (
        <Notice tone="info" title={t('work.unsent', { count: unsent })}>
          <Link to="/outbox" className="tall-link">
            {t('outbox.title')}
          </Link>
        </Notice>
      ) : null}
      {list.isPending && !trouble ? <Loader role="status" aria-label={t('common.loading')} /> : null}
      {trouble && !list.data ? (
        trouble instanceof NoSignal ? (
          <Notice tone="warn" icon="noSignal" title={t('work.noSignal')}>
            {t('work.noSignalWhat')}
          </Notice>
        ) : (
          <FormError error={trouble} />
        )
      ) : null}
      {list.data ? (
        <Text size="lg" role="status">
          {surveys.length === 0
            ? t('work.none')
            : t('work.count', {
                count: surveys.length,
                shown: numberInLanguage(surveys.length, i18n.language),
              })}
        </Text>
      ) : null}
      {surveys.length > 0 ? (
        <Card label={t('work.title')}>
          {surveys.map((survey) => (
            <Row key={survey.id} survey={survey} />
          ))}
        </Card>
      ) : null}
      {list.error ? (
        <Button variant="default" loading={list.isFetching} onClick={() => void list.refetch()}>
          {t('common.again')}
        </Button>
      ) : null}
    </Page>
  );
}

const hasIssues = ({ review }: SurveyListItem) => review?.state === 'HAS_ISSUES';

function Row({ survey }: { survey: SurveyListItem }) {
  const { t, i18n } = useTranslation();
  const nameOf = useLocationName();
  const isClaim = everPays(useStudy()) && survey.takesPart !== false && survey.referralCode !== null;
  const late = arrivedLate(survey);
  const interviewAt = survey.completedAt ?? survey.createdAt;
  return (
    <Link to={`/work/${survey.id}`} className="row-link">
      <span style={{ flex: 1 }}>
        <Text fw={600} component="span" display="block">
          {late
            ? formatDateTime(survey.startedAt, i18n.language)
            : formatTimeOfDay(interviewAt, i18n.language)}{' '}
          · {nameOf(survey.location)}
        </Text>
        {late ? (
          <Text size="sm" component="span" display="block">
            {t('work.arrived', { at: formatDateTime(survey.createdAt, i18n.language) })}
          </Text>
        ) : null}
        <Text size="sm" c="dimmed" component="span" display="block">
          {isClaim ? `${t('claim.title')}: ` : null}
          {survey.referralCode ? <CodeText code={survey.referralCode} /> : t('home.walkIn')}
        </Text>
        {hasIssues(survey) ? <ReviewIssuesText survey={survey} /> : null}
      </span>
      {hasIssues(survey) ? <Tag tone="warn">{t('review.HAS_ISSUES')}</Tag> : null}
      {survey.flags.length > 0 ? <Tag tone="warn">{t('work.flagged')}</Tag> : null}
      <Icon name="next" />
    </Link>
  );
}
