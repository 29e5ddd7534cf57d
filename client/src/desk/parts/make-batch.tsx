/** Coupons to print in advance, for anyone at a site to hand out. */
import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../api.ts';
import { as, useAbility, useSession } from '../../session.tsx';
import { Ask } from './ask.tsx';
import { useDeskText } from './desk-text.ts';
import { faultOf } from './fault.ts';
import { SiteSelect } from './site-select.tsx';
import { refreshDesk } from './use-list.tsx';

const MOST = 5000;

interface MakeBatchProps {
  onMade(id: string, count: number): void;
  onClose(): void;
}

export function MakeBatch({ onMade, onClose }: MakeBatchProps) {
  const { t } = useDeskText();
  const ability = useAbility();
  const [site, setSite] = useState(useSession()?.currentLocation ?? '');
  const [count, setCount] = useState<number | string>(300);
  const [note, setNote] = useState('');
  const [error, setError] = useState<unknown>(null);
  const wanted = Number(count);
  const make = async () => {
    const body = { count: wanted, location: site, ...(note.trim() ? { note } : {}) };
    const { id } = await request<{ id: string }>('POST', '/api/referral-codes/batches', { body }).catch(
      (refused: unknown) => {
        setError(refused);
        throw refused;
      },
    );
    await refreshDesk();
    onMade(id, wanted);
  };
  return (
    <Ask
      title={t('coupons.make')}
      text={t('coupons.makeWhat')}
      yes={t('coupons.makeGo')}
      disabled={!site || !(wanted >= 1 && wanted <= MOST)}
      onYes={make}
      onClose={onClose}
    >
      <SiteSelect
        value={site}
        onChange={setSite}
        may={(location) => ability.can('create', as('ReferralCode', { location }))}
        error={faultOf(error, 'location')}
      />
      <NumberInput
        mt="md"
        size="lg"
        label={t('common.count')}
        min={1}
        max={MOST}
        allowDecimal={false}
        value={count}
        onChange={setCount}
      />
      <TextInput
        mt="md"
        label={t('common.note')}
        description={t('coupons.noteWhat')}
        maxLength={1000}
        error={faultOf(error, 'note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Ask>
  );
}
