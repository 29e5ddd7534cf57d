/** The filters of both lists of findings. */
import { useTranslation } from 'react-i18next';
import { useDeskText } from '../../desk/desk-text.ts';
import type { Filter } from '../../desk/filters.tsx';
import { usePersonOptions } from '../people/person-names.ts';

export function useQualityFilters(): Filter[] {
  const { t } = useDeskText();
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
