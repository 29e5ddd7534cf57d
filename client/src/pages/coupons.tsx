/** After the interview: the coupons of this person, from the phone or from a printed stack. "Done" sends it all. */
import { Button, SegmentedControl, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate, useParams } from 'react-router';
import { refillCodes, sendNow } from '../background.ts';
import { canChooseCoupons, chooseCoupons, fillCoupons, hold, RENEW_HOLD, release } from '../device/outbox.ts';
import { db, type OutboxRow } from '../device/store.ts';
import { useLive } from '../device/use-live.ts';
import { Coupon } from '../parts/coupon.tsx';
import { type CouponSource, couponsFrom, rememberCouponsFrom } from '../parts/coupon-source.ts';
import { Icon } from '../parts/icon.tsx';
import { Notice } from '../parts/notice.tsx';
import { Page } from '../parts/page.tsx';
import { PrintedCoupon } from '../parts/printed-coupon.tsx';
import { useStudy } from '../records.ts';
import { useUser } from '../session.tsx';

export default function Coupons() {
  const { t } = useTranslation();
  const seq = Number(useParams().seq);
  const user = useUser();
  const row = useLive(`outbox-${seq}`, async () => (await db.outbox.get(seq)) ?? null);
  useEffect(() => {
    const renew = setInterval(() => {
      if (document.visibilityState === 'visible') void hold(seq);
    }, RENEW_HOLD);
    return () => {
      clearInterval(renew);
      // Whoever leaves this page has handed out the coupons.
      void release(seq).then(sendNow);
    };
  }, [seq]);
  if (row === undefined) return null;
  if (row?.owner !== user.id)
    return (
      <Page title={t('nowhere.title')} back="/">
        {t('nowhere.text')}
      </Page>
    );
  return <Handout row={row} />;
}

function Handout({ row }: { row: OutboxRow }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const study = useStudy();
  const [source, setSource] = useState<CouponSource>(couponsFrom);
  const { seq, coupons, issuedCodes } = row;
  const open = canChooseCoupons(row);
  const missing = open ? Math.max(0, coupons - issuedCodes.length) : 0;
  useEffect(() => {
    if (source !== 'phone' || missing === 0) return;
    // First what is here; then, with a signal, what the service can add.
    void fillCoupons(seq)
      .then(refillCodes)
      .then(() => fillCoupons(seq));
  }, [source, missing, seq]);
  const total = Math.max(coupons, issuedCodes.length);
  const without = (code: string) =>
    void chooseCoupons(
      seq,
      issuedCodes.filter((one) => one !== code),
    );
  return (
    <Page
      title={t('coupons.title')}
      actions={
        <>
          {issuedCodes.length > 0 ? (
            <Button
              variant="default"
              size="xl"
              px="lg"
              aria-label={t('coupons.print')}
              onClick={() => print()}
            >
              <Icon name="print" />
            </Button>
          ) : null}
          <Button size="xl" onClick={() => void release(seq).then(() => navigate('/'))}>
            {t('coupons.done')}
          </Button>
        </>
      }
    >
      <Notice tone="good" live title={t('coupons.kept')}>
        {row.state === 'sent' ? t('coupons.sent') : t('coupons.notYetSent')}
      </Notice>
      {row.farewell ? (
        <Text size="lg" lang={row.language} style={{ whiteSpace: 'pre-line' }}>
          {row.farewell}
        </Text>
      ) : null}
      {total === 0 ? (
        <Text size="lg">{t('coupons.none')}</Text>
      ) : (
        <Text size="lg">{t('coupons.give', { count: total })}</Text>
      )}
      {open && coupons > 0 ? (
        <SegmentedControl
          fullWidth
          className="no-print"
          aria-label={t('coupons.source')}
          value={source}
          onChange={(next) => {
            rememberCouponsFrom(next as CouponSource);
            setSource(next as CouponSource);
          }}
          data={[
            { value: 'phone', label: t('coupons.phone') },
            { value: 'paper', label: t('coupons.paper') },
          ]}
        />
      ) : null}
      <div className="coupons">
        {issuedCodes.map((code, index) => (
          <Coupon
            key={code}
            code={code}
            number={index + 1}
            of={total}
            text={study?.couponText[row.language]}
            onReplace={open && source === 'paper' ? () => without(code) : undefined}
          />
        ))}
      </div>
      {missing > 0 && source === 'paper' ? (
        <PrintedCoupon
          key={issuedCodes.length}
          number={issuedCodes.length + 1}
          of={total}
          taken={issuedCodes}
          onCode={(code) => void chooseCoupons(seq, [...issuedCodes, code])}
        />
      ) : null}
      {missing > 0 && source === 'phone' ? (
        <Notice tone="warn" title={t('coupons.short', { count: missing })}>
          {t('coupons.shortWhat')}
        </Notice>
      ) : null}
    </Page>
  );
}
