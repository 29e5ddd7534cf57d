/** Shared by both lists of findings: title, filters, and refresh interval. */
import { useTranslation } from 'react-i18next';
import { useRoundParam } from '../kit/data/rounds.ts';
import type { FilterDeclaration } from '../kit/list/filters.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { usePersonName, usePersonOptions } from '../people/person-names.ts';
import type { Finding } from './fetch-findings.ts';

export function useFindingsListProps() {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('quality');
  const personOf = usePersonName();
  return {
    refetchInterval: 30_000,
    subject: 'Recruitment',
    title: own('title'),
    lead: own('lead'),
    views: true,
    filters: useFilterFields(),
    query: { round: useRoundParam() },
    rowName: ({ check, interviewer }: Pick<Finding, 'check' | 'interviewer'>) =>
      `${t(`checks.${check}`)}, ${personOf(interviewer)}`,
    noMatch: own('noneFound'),
  };
}

function useFilterFields(): FilterDeclaration[] {
  const { t } = useDashboardText();
  const { t: own } = useTranslation('quality');
  const people = usePersonOptions();
  return [
    {
      name: 'dismissed',
      as: 'segments',
      label: own('state'),
      values: ['false', 'true'],
      options: [
        { value: 'false', label: own('open') },
        { value: 'true', label: own('dismissedOnes') },
      ],
    },
    { name: 'check', label: own('check'), words: 'checks' },
    { name: 'location', as: 'site' },
    { name: 'interviewer', label: own('interviewer'), options: people },
    { name: 'from', as: 'day', label: t('common.from') },
    { name: 'to', as: 'day', label: t('common.to') },
  ];
}
