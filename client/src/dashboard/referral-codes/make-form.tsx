/** The form shared by creating seeds and coupon batches: site, number, and note. */
import { useState } from 'react';
import { BatchCreate } from '../../../../src/coupons/referral-codes/schema.ts';
import { useMayCreate, useSession } from '../../session/session.tsx';
import { Dialog } from '../kit/actions/dialog.tsx';
import { FormFields } from '../kit/actions/fields.tsx';
import { refreshAfterChange } from '../kit/actions/send.ts';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export interface NewCodeFields {
  location: string;
  note?: string;
}

interface MakeFormProps {
  texts: 'seeds' | 'coupons';
  creates: 'Seed' | 'ReferralCode';
  count: { first: number; most: number };
  make(fields: NewCodeFields, count: number): Promise<void>;
  onClose(): void;
}

export function MakeCodesForm({ texts, creates, count: { first, most }, make, onClose }: MakeFormProps) {
  const { t } = useDashboardText();
  const mayChoose = useMayCreate(creates);
  const current = useSession()?.currentLocation ?? '';
  const [value, setValue] = useState({ location: current, count: first, note: '' });
  const { location, count, note } = value;
  const submit = async () => {
    try {
      await make({ location, ...(note.trim() ? { note } : {}) }, Number(count));
    } finally {
      refreshAfterChange('/api/referral-codes');
    }
  };
  return (
    <Dialog
      title={t(`${texts}.make`)}
      text={t(`${texts}.makeWhat`)}
      yes={t(`${texts}.makeGo`)}
      disabled={!location || !(Number(count) >= 1 && Number(count) <= most)}
      onYes={submit}
      onClose={onClose}
    >
      <FormFields
        form={{ value, set: (change) => setValue({ ...value, ...change }) }}
        schema={BatchCreate}
        rows={[
          { name: 'location', as: 'site', site: { mayChoose } },
          { name: 'count', label: t(`${texts}.count`), attributes: { max: most } },
          { name: 'note', description: t(`${texts}.noteWhat`), attributes: { maxLength: 1000 } },
        ]}
      />
    </Dialog>
  );
}
