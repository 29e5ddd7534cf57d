/** Adds paper coupons to the interview one by one: scan or type the code, then hand over the coupon. */
import { Button } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceDb } from '../../device/store/store.ts';
import { codeInScan } from '../../offline/coupons/coupon-verdict.ts';
import { mayStartWithCoupon } from '../../offline/coupons/verdict-kinds.ts';
import { useUser } from '../../session/session.tsx';
import { FormError, useAttempt } from '../../ui/form.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Notice } from '../../ui/notice.tsx';
import { CodeInput, useCouponVerdict } from './code-input.tsx';
import { CodeScanner } from './code-scanner.tsx';
import { CodeText } from './code-text.tsx';
import { VerdictNotice } from './verdict-notice.tsx';

interface PrintedCouponsProps {
  codes: string[];
  of: number;
  /** False for coupons the service already knows. */
  mayReplace(code: string): boolean;
  onAdd(code: string): Promise<unknown>;
  onRemove(code: string): void;
}

/** One slot per coupon. The first empty one accepts the next coupon. */
export function PrintedCouponSlots({ codes, of, mayReplace, onAdd, onRemove }: PrintedCouponsProps) {
  const { t } = useTranslation();
  return Array.from({ length: of }, (_, index) => {
    const number = index + 1;
    const code = codes[index];
    if (code) {
      return (
        <section key={code} className="card slot no-print" aria-label={t('coupons.one', { number, of })}>
          <Icon name="check" />
          <div className="slot-text">
            {t('coupons.one', { number, of })}
            <CodeText code={code} />
          </div>
          {mayReplace(code) ? (
            <button type="button" className="icon-button" onClick={() => onRemove(code)}>
              {t('coupons.replace')}
            </button>
          ) : null}
        </section>
      );
    }
    if (index === codes.length) {
      return <PrintedCoupon key={`place-${number}`} number={number} of={of} taken={codes} onCode={onAdd} />;
    }
    return (
      <div key={`place-${number}`} className="card slot no-print" data-empty>
        {t('coupons.bind', { number, of })}
      </div>
    );
  });
}

interface PrintedCouponProps {
  number: number;
  of: number;
  taken: string[];
  onCode(code: string): Promise<unknown>;
}

function PrintedCoupon({ number, of, taken: usedCodes, onCode }: PrintedCouponProps) {
  const { t } = useTranslation();
  const { id: owner } = useUser();
  const [text, setText] = useState('');
  const [scanning, setScanning] = useState(false);
  const verdict = useCouponVerdict(owner, text);
  const [twice, setTwice] = useState(false);
  const { attempt, error } = useAttempt();
  const add = async (code: string, others: string[]) => {
    const before = await wasHandedOut(code, others);
    setTwice(before);
    if (!before) await onCode(code);
  };
  const latest = useRef(add);
  latest.current = add;
  const good = verdict && mayStartWithCoupon(verdict) ? verdict.code : null;
  const already = usedCodes.join();
  useEffect(() => {
    if (!good) return setTwice(false);
    attempt(latest.current(good, already.split(',')));
  }, [good, already, attempt]);
  return (
    <section className="card no-print" aria-label={t('coupons.one', { number, of })}>
      <CodeInput label={t('coupons.bind', { number, of })} value={text} onChange={setText} />
      {twice ? (
        <Notice tone="bad" live title={t('coupons.twice')} />
      ) : good ? null : (
        <VerdictNotice verdict={verdict} purpose="give" />
      )}
      {good && error ? (
        <>
          <FormError error={error} />
          <Button mt="sm" variant="default" onClick={() => attempt(add(good, usedCodes))}>
            {t('common.again')}
          </Button>
        </>
      ) : null}
      {scanning ? (
        <CodeScanner
          onRead={(read) => {
            setScanning(false);
            setText(codeInScan(read));
          }}
        />
      ) : (
        <Button fullWidth mt="md" leftSection={<Icon name="scan" />} onClick={() => setScanning(true)}>
          {t('coupons.scan')}
        </Button>
      )}
    </section>
  );
}

/** Whether this device has handed it out before, to this person or another one. */
async function wasHandedOut(code: string, usedCodes: string[]): Promise<boolean> {
  if (usedCodes.includes(code)) return true;
  const rows = deviceDb.outbox.filter(
    (row) => row.issuedCodes.includes(code) || !!row.printed?.includes(code),
  );
  const corrected = deviceDb.drafts.filter(({ issuedCodes }) => !!issuedCodes?.includes(code));
  return (await rows.count()) + (await corrected.count()) > 0;
}
