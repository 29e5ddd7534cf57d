/** Coupons: batches to print and hand out, the state of each code, and voiding lost ones. */
import { SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { request } from '../../session/api.ts';
import { useAbility } from '../../session/session.tsx';
import { FormError, useSubmit } from '../../ui/form.tsx';
import type { CodeVerdict as Verdict } from '../../wire.ts';
import { PlainButton } from '../kit/buttons/dashboard-button.tsx';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { useRounds } from '../kit/data/rounds.ts';
import { useFilters } from '../kit/list/address.ts';
import { DashboardPage } from '../kit/list/dashboard-page.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';
import { ReferralCodeBatches } from './batches.tsx';
import { CodeVerdictNotice } from './code-verdict.tsx';
import { ReferralCodesPage } from './codes.tsx';
import { MakeCodesForm, type NewCodeFields } from './make-form.tsx';
import { PrintDialog, type PrintJob } from './print-dialog.tsx';

const VIEWS = ['batches', 'codes'] as const;

export default function CouponsPage() {
  const { t } = useDashboardText();
  const mayRead = useAbility().can('read', 'ReferralCode');
  const { openRound } = useRounds();
  const filters = useFilters(['view']);
  const view = filters.values.view === 'codes' ? 'codes' : 'batches';
  const [job, setJob] = useState<PrintJob | null>(null);
  const print = (id: string, text: string) =>
    setJob({
      path: `/api/referral-codes/batches/${id}/print`,
      body: {},
      file: 'coupons.pdf',
      layout: 'cards',
      text,
    });
  return (
    <DashboardPage
      title={t('coupons.title')}
      lead={t('coupons.lead')}
      besideTitle={
        openRound ? (
          <OpenButton label={t('coupons.make')}>
            {(close) => (
              <MakeBatch onClose={close} onMade={(id, count) => print(id, t('coupons.made', { count }))} />
            )}
          </OpenButton>
        ) : null
      }
    >
      <div className="dashboard-row">
        <CodeLookUp />
        {mayRead ? (
          <SegmentedControl
            size="md"
            aria-label={t('coupons.view')}
            value={view}
            onChange={(value) => filters.set('view', value === 'codes' ? value : '')}
            data={VIEWS.map((value) => ({ value, label: t(`coupons.views.${value}`) }))}
          />
        ) : null}
      </div>
      {mayRead ? view === 'codes' ? <ReferralCodesPage /> : <ReferralCodeBatches onPrint={print} /> : null}
      {job ? <PrintDialog job={job} onClose={() => setJob(null)} /> : null}
    </DashboardPage>
  );
}

interface MakeBatchProps {
  onMade(id: string, count: number): void;
  onClose(): void;
}

/** Coupons printed in advance, for anyone at a site to hand out. */
function MakeBatch({ onMade, onClose }: MakeBatchProps) {
  const make = async (fields: NewCodeFields, count: number) => {
    const body = { ...fields, count };
    const { id } = await request<{ id: string }>('POST', '/api/referral-codes/batches', { body });
    onMade(id, count);
  };
  return (
    <MakeCodesForm
      texts="coupons"
      creates="ReferralCode"
      count={{ first: 300, most: 5000 }}
      make={make}
      onClose={onClose}
    />
  );
}

/** Looks up a coupon's state. The service accepts the code in any spelling. */
function CodeLookUp() {
  const { t } = useDashboardText();
  const [text, setText] = useState('');
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const { submit, busy, error } = useSubmit(async () => {
    setVerdict(null);
    setVerdict(
      await request<Verdict>('GET', `/api/validate-referral-code/${encodeURIComponent(text.trim())}`),
    );
  });
  return (
    <section className="dashboard-narrow" aria-label={t('coupons.lookUp')}>
      <form onSubmit={submit} className="dashboard-inline">
        <TextInput
          size="md"
          label={t('coupons.lookUp')}
          placeholder="ABCD-EFGC"
          autoComplete="off"
          value={text}
          onChange={(event) => {
            setText(event.currentTarget.value);
            setVerdict(null);
          }}
        />
        <PlainButton
          label={t('coupons.look')}
          type="submit"
          size="md"
          loading={busy}
          disabled={text.trim() === ''}
        />
      </form>
      <div role="status" style={{ marginTop: verdict ? 12 : 0 }}>
        {verdict ? <CodeVerdictNotice verdict={verdict} onVoided={() => setVerdict(null)} /> : null}
      </div>
      <FormError error={error} />
    </section>
  );
}
