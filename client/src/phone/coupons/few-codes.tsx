/** Why this phone has too few coupon codes, and what can be done about it. */
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { useHasSignal } from '../../device/use-signal.ts';
import { lastRefillOutcomeOf, refillCodes } from '../../offline/background.ts';
import { freeCodesOf, giveUpCodes, reservedCodesNotOnDevice } from '../../offline/coupons/reserved-codes.ts';
import { queryKeys } from '../../session/query-keys.ts';
import { useUser, useWorkspace } from '../../session/session.tsx';
import { numberInLanguage } from '../../texts/i18n.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';

export function useFreeCodeCount(): number | undefined {
  const { id } = useUser();
  return useLiveStoreQuery(`free-${id}`, () => freeCodesOf(id).count());
}

/** Codes reserved for this person that aren't on this device, and a way to give them up for new ones. */
export function useCodesNotOnDevice() {
  const { id: owner } = useUser();
  const free = useFreeCodeCount();
  const query = useQuery({
    queryKey: queryKeys.strandedCodes(owner, free),
    queryFn: () => reservedCodesNotOnDevice(owner),
  });
  const { submit, busy, error } = useSubmit(async () => {
    await giveUpCodes(query.data ?? []);
    await refillCodes();
    await query.refetch();
  });
  return { count: query.data?.length, giveBack: () => submit(), busy, error };
}

export function WhyFewCodes() {
  const { t } = useTranslation();
  const online = useHasSignal();
  const lastRefill = useWorkspace().getOrCreate(lastRefillOutcomeOf);
  const refill = useSyncExternalStore(lastRefill.watch, lastRefill.get);
  if (!online || refill === 'no-signal') return t('fewCodes.offline');
  if (refill === 'too-many') return <OnOtherDevices />;
  return t(refill === 'refused' ? 'fewCodes.refused' : 'fewCodes.coming');
}

function OnOtherDevices() {
  const { t, i18n } = useTranslation();
  const { count, giveBack, busy, error } = useCodesNotOnDevice();
  if (count === undefined) return null;
  if (count === 0) return t('fewCodes.tomorrow');
  return (
    <>
      {t('fewCodes.elsewhere', { count, shown: numberInLanguage(count, i18n.language) })}{' '}
      {t('fewCodes.stayValid')}
      <FormError error={error} />
      <Button mt="sm" fullWidth loading={busy} onClick={giveBack}>
        {t('fewCodes.giveBack')}
      </Button>
    </>
  );
}
