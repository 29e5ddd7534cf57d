/** A phone number in its country's format; the copied text can be dialed from anywhere. */
import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ClipboardEvent } from 'react';
import { queryKeys } from '../../session/query-keys.ts';
import { usePublicStudy } from '../../session/records.ts';
import { LeftToRight } from '../../ui/left-to-right.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

/** The world's numbering plans are large; until they load, the number is shown as stored. */
function usePlan() {
  const region = usePublicStudy({ always: true }).data?.region;
  const { data } = useQuery({
    queryKey: queryKeys.phonePlan(region),
    queryFn: async () => (await import('../../phone/account/phone-plan.ts')).phonePlanOf(region ?? ''),
    enabled: region !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return data;
}

export function Phone({ phone }: { phone: string }) {
  const { t } = useDashboardText();
  const national = usePlan()?.national(phone);
  // Erased after the study's retention period.
  if (phone.startsWith('erased-')) return t('people.phoneErased');
  const copy = (event: ClipboardEvent) => {
    event.preventDefault();
    event.clipboardData.setData('text/plain', phone);
  };
  return (
    <LeftToRight>
      <span title={phone} onCopy={copy}>
        {national?.written ?? phone}
        {national?.country ? (
          <Text span inherit c="dimmed" fz="0.85em" fw={600}>{` ${national.country}`}</Text>
        ) : null}
      </span>
    </LeftToRight>
  );
}
