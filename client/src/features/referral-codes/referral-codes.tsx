/** Coupons: batches to print and hand out, the state of every code, and withdrawing what was lost. */
import { SegmentedControl } from '@mantine/core';
import { useState } from 'react';
import { useDeskText } from '../../desk/desk-text.ts';
import { useFilters } from '../../desk/filters.tsx';
import { DeskPage } from '../../desk/list-page.tsx';
import { OpenButton } from '../../desk/open-button.tsx';
import { useAbility } from '../../session.tsx';
import { Batches } from './batches.tsx';
import { CodeLookUp } from './code-look-up.tsx';
import { Codes } from './codes.tsx';
import { MakeBatch } from './make-batch.tsx';
import { PrintDialog, type PrintJob } from './print-dialog.tsx';

const VIEWS = ['batches', 'codes'] as const;

export default function Coupons() {
  const { t } = useDeskText();
  const mayRead = useAbility().can('read', 'ReferralCode');
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
    <DeskPage
      title={t('coupons.title')}
      lead={t('coupons.lead')}
      beside={
        <OpenButton label={t('coupons.make')}>
          {(close) => (
            <MakeBatch onClose={close} onMade={(id, count) => print(id, t('coupons.made', { count }))} />
          )}
        </OpenButton>
      }
    >
      <div className="desk-row">
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
      {mayRead ? view === 'codes' ? <Codes /> : <Batches onPrint={print} /> : null}
      {job ? <PrintDialog job={job} onClose={() => setJob(null)} /> : null}
    </DeskPage>
  );
}
