/** What making seeds and making a batch of coupons both ask for: a site, how many, and a note. */
import { NumberInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { Dialog } from '../../desk/dialog.tsx';
import { SiteSelect } from '../../desk/site-select.tsx';
import { refreshDesk } from '../../desk/use-list.tsx';
import { useMayCreate, useSession } from '../../session.tsx';
import { faultOf } from '../../ui/field-error.ts';

export interface Wanted {
  location: string;
  note?: string;
}

interface MakeFormProps {
  texts: 'seeds' | 'coupons';
  creates: 'Seed' | 'ReferralCode';
  count: { first: number; most: number };
  make(wanted: Wanted, count: number): Promise<void>;
  onClose(): void;
}

export function MakeForm({ texts, creates, count: { first, most }, make, onClose }: MakeFormProps) {
  const { t } = useDeskText();
  const may = useMayCreate(creates);
  const [site, setSite] = useState(useSession()?.currentLocation ?? '');
  const [count, setCount] = useState<number | string>(first);
  const [note, setNote] = useState('');
  const [error, setError] = useState<unknown>(null);
  const wanted = Number(count);
  const submit = async () => {
    try {
      await make({ location: site, ...(note.trim() ? { note } : {}) }, wanted);
    } catch (refused) {
      setError(refused);
      throw refused;
    } finally {
      await refreshDesk();
    }
  };
  return (
    <Dialog
      title={t(`${texts}.make`)}
      text={t(`${texts}.makeWhat`)}
      yes={t(`${texts}.makeGo`)}
      disabled={!site || !(wanted >= 1 && wanted <= most)}
      onYes={submit}
      onClose={onClose}
    >
      <SiteSelect value={site} onChange={setSite} may={may} error={faultOf(error, 'location')} />
      <NumberInput
        mt="md"
        size="lg"
        label={t(`${texts}.count`)}
        min={1}
        max={most}
        allowDecimal={false}
        value={count}
        onChange={setCount}
      />
      <TextInput
        mt="md"
        label={t('common.note')}
        description={t(`${texts}.noteWhat`)}
        maxLength={1000}
        error={faultOf(error, 'note')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </Dialog>
  );
}
