/** The site of the payment: the user's current one, or any site for people who may choose. */
import { NativeSelect, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocationName, useLocations } from '../../session/records.ts';
import { asPermissionSubject } from '../../session/rights.ts';
import { useAbility, useSession } from '../../session/session.tsx';
import { fieldFaultOf } from '../../ui/field-error.ts';
import { Notice } from '../../ui/notice.tsx';

export interface PaySiteSelection {
  /** To be sent; undefined means the payer's current site. */
  named: string | undefined;
  /** The options, if there is a choice. */
  sites: { value: string; label: string }[];
  isKnown: boolean;
  onChoose(site: string): void;
}

export function usePaySite(): PaySiteSelection {
  const ability = useAbility();
  const current = useSession()?.currentLocation ?? null;
  const sites = useLocations()
    .filter(({ id }) => ability.can('pay', asPermissionSubject('Incentive', { location: id })))
    .map(({ id, name }) => ({ value: id, label: name }));
  const [chosen, onChoose] = useState('');
  const mayChoose = sites.some(({ value }) => value !== current);
  return {
    named: (mayChoose && chosen) || undefined,
    sites: mayChoose ? sites : [],
    isKnown: current !== null || chosen !== '',
    onChoose,
  };
}

export function PaymentSiteField({ named, sites, onChoose, error }: PaySiteSelection & { error: unknown }) {
  const { t } = useTranslation('paying');
  const nameOf = useLocationName();
  const current = useSession()?.currentLocation ?? null;
  if (sites.length > 0)
    return (
      <NativeSelect
        label={t('person.site')}
        value={named ?? current ?? ''}
        error={fieldFaultOf(error, 'location')}
        onChange={(event) => onChoose(event.currentTarget.value)}
        data={[...(current ? [] : [{ value: '', label: '–' }]), ...sites]}
      />
    );
  if (current) return <Text>{`${t('person.site')}: ${nameOf(current)}`}</Text>;
  return <NoSite />;
}

function NoSite() {
  const { t } = useTranslation('paying');
  return (
    <Notice tone="warn" title={t('person.noSite')}>
      {t('person.noSiteWhat')}
    </Notice>
  );
}
