/**
 * After the last question: what the person gets, whether it is handed over now, and the claim number for later. In
 * the interviewer's language, not the respondent's.
 */
import { Text, Title } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import { type Draft, deviceDb } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { assignClaimNumber } from '../../offline/coupons/claim-number.ts';
import type { IncentiveTerms } from '../../session/incentives.ts';
import { useStudy } from '../../session/records.ts';
import { moneyText } from '../../texts/money.ts';
import { Notice } from '../../ui/notice.tsx';
import { Card } from '../../ui/page.tsx';
import type { IncentiveHandedOver } from '../../wire.ts';
import { CodeText } from '../coupons/code-text.tsx';
import { PaymentMethodField } from './method-field.tsx';

interface HandOverProps {
  draft: Draft;
  /** Null if nothing is due; something may have been handed over before that was known. */
  pays: IncentiveTerms | null;
  value: IncentiveHandedOver | null | undefined;
  isMissing: boolean;
  onChange(value: IncentiveHandedOver | null): void;
  /** Called with a walk-in's claim number once it is taken. */
  onClaimNumber(code: string): void;
}

export function IncentiveHandOver({ draft, pays, value, isMissing, onChange, onClaimNumber }: HandOverProps) {
  const { t, i18n } = useTranslation('paying');
  const { language } = i18n;
  const hasCards = useStudy()?.giftCards;
  const claim = useClaimNumber(pays ? draft : null, onClaimNumber);
  const money = (amount: string) => (pays ? moneyText(amount, pays.currency, language) : '');
  return (
    <div className="hand-over" lang={language} dir={textDirection(language)}>
      <Title order={2} size="h3">
        {t('title')}
      </Title>
      {pays?.interview ? (
        <p>
          <span className="money">{money(pays.interview)}</span> {t('forInterview')}
        </p>
      ) : null}
      {pays?.interview || value ? (
        <PaymentMethodField
          label={t('handedOver')}
          value={value}
          mayWait
          error={isMissing ? t('choose') : undefined}
          onChange={onChange}
        />
      ) : null}
      {pays?.interview && hasCards ? <Text>{t('stock.later')}</Text> : null}
      {pays ? null : <Notice tone="warn" title={t('notDue')} />}
      {claim === null ? (
        <Notice tone="warn" title={t('noClaim')}>
          {t(draft.referralCode ? 'noClaimCoupon' : 'noClaimWhat')}
        </Notice>
      ) : claim ? (
        <Card heading={t('claim')}>
          <div className="claim">
            <CodeText code={claim} />
          </div>
          <Text mt="xs">{t('claimWhat')}</Text>
        </Card>
      ) : null}
      {pays?.recruit ? (
        <Text>
          {pays.recruitLimit === null
            ? t('forRecruits', { amount: money(pays.recruit) })
            : t('forRecruitsUpTo', { amount: money(pays.recruit), limit: pays.recruitLimit })}
        </Text>
      ) : null}
    </div>
  );
}

/** Undefined while loading; null if there is none yet. */
function useClaimNumber(
  draft: Draft | null,
  onClaimNumber: (code: string) => void,
): string | null | undefined {
  const { id, referralCode = null } = draft ?? {};
  const [claim, setClaim] = useState<string | null>();
  const latest = useRef(onClaimNumber);
  latest.current = onClaimNumber;
  // The service may decide about the coupon while the number is on the screen.
  const verdict = useLiveStoreQuery(`verdict-${id}`, async () =>
    id ? (await deviceDb.drafts.get(id))?.couponVerdict : undefined,
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!id) return;
    let current = true;
    void assignClaimNumber(id)
      .catch(() => referralCode)
      .then((code) => {
        if (!current) return;
        if (code && !referralCode) latest.current(code);
        setClaim(code);
      });
    return () => {
      current = false;
    };
  }, [id, referralCode, verdict]);
  return claim;
}
