/** Several coupons, or what is left of several batches, withdrawn with one reason; what stays good is said before. */
import { formatCode } from '../../../../src/referral-codes/code.ts';
import { request } from '../../api.ts';
import { useDeskText } from '../../desk/desk-text.ts';
import type { Acts } from '../../desk/use-acts.ts';
import type { CodeBatch, ReferralCode } from '../../desk/wire.ts';
import { numberOf } from '../../i18n.ts';
import { VoidButton } from './void-button.tsx';

interface Chosen {
  acts: Acts;
  /** Before the first of them is asked for. */
  onStart(): void;
}

export const nameOfBatch = ({ note, id }: CodeBatch) => note || id;

export const voidBatch = (id: string, reason: string) =>
  request<{ voided: number }>('POST', `/api/referral-codes/batches/${id}/void`, { body: { reason } });

export function VoidChosen({ codes, acts, onStart }: Chosen & { codes: ReferralCode[] }) {
  const { t, language } = useDeskText();
  const words = (count: number) => ({ count, shown: numberOf(count, language) });
  const out = codes.filter(({ state }) => state === 'LIVE').length;
  return (
    <VoidButton
      title={t('bulk.voidTitle', words(codes.length))}
      text={
        <>
          {out > 0 ? <p>{t('bulk.voidLive', words(out))}</p> : null}
          <p>{t('bulk.voidWhat')}</p>
        </>
      }
      onVoid={async (reason) => {
        onStart();
        void acts.run<ReferralCode, ReferralCode>({
          items: codes,
          one: ({ code }) =>
            request('PATCH', `/api/referral-codes/${code}`, { body: { void: true, reason } }),
          name: ({ code }) => formatCode(code),
          said: (done) => t('coupons.voidedSome', words(done.length)),
        });
      }}
    />
  );
}

export function VoidBatches({ batches, acts, onStart }: Chosen & { batches: CodeBatch[] }) {
  const { t, language } = useDeskText();
  const words = (count: number) => ({ count, shown: numberOf(count, language) });
  return (
    <VoidButton
      title={t('coupons.voidBatchTitle', words(sumOf(batches, 'RESERVED')))}
      text={<WhatStays batches={batches} />}
      onVoid={async (reason) => {
        onStart();
        void acts.run<CodeBatch, { voided: number }>({
          items: batches,
          one: ({ id }) => voidBatch(id, reason),
          name: nameOfBatch,
          said: (done) => t('coupons.voidedSome', words(done.reduce((sum, { voided }) => sum + voided, 0))),
        });
      }}
    />
  );
}

const sumOf = (batches: CodeBatch[], state: ReferralCode['state']) =>
  batches.reduce((sum, { states }) => sum + states[state], 0);

/** Coupons in people’s hands, and those that came back, are no matter of the box that was lost. */
export function WhatStays({ batches }: { batches: CodeBatch[] }) {
  const { t, language } = useDeskText();
  const [out, back] = [sumOf(batches, 'LIVE'), sumOf(batches, 'USED')];
  const words = { out: numberOf(out, language), back: numberOf(back, language) };
  return (
    <>
      <p>{t('coupons.voidBatchWhat')}</p>
      {out + back > 0 ? <p>{t('bulk.voidBatchStays', words)}</p> : null}
    </>
  );
}
