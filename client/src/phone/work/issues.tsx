/** The reviewer's comment on an interview that was sent back. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { request } from '../../session/api.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { Notice } from '../../ui/notice.tsx';
import type { ListOf, SurveyComment, SurveyListItem } from '../../wire.ts';

const path = (id: string) => `/api/surveys/${id}/comments?limit=20`;

/** The comment of the current review; empty while loading. */
function useIssues({ id, review, version }: SurveyListItem): string {
  const { data } = useQuery({
    queryKey: queryKeys.comments(id, version),
    queryFn: () => request<ListOf<SurveyComment>>('GET', path(id)),
    enabled: review?.state === 'HAS_ISSUES',
  });
  return data?.data.find(({ state }) => state === 'HAS_ISSUES')?.text ?? '';
}

export function ReviewIssuesText({ survey }: { survey: SurveyListItem }) {
  const text = useIssues(survey);
  return (
    <Text size="sm" component="span" display="block" dir="auto" lineClamp={3}>
      {text}
    </Text>
  );
}

export function ReviewerIssues({ survey }: { survey: SurveyListItem }) {
  const { t } = useTranslation();
  const text = useIssues(survey);
  if (survey.review?.state !== 'HAS_ISSUES') return null;
  return (
    <Notice tone="warn" title={t('workItem.hasIssues')}>
      <span dir="auto" style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {text}
      </span>
    </Notice>
  );
}
