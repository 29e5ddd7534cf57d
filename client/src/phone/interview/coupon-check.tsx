/**
 * For an interview that started before the service had checked its coupon: asks the service until it replies, and
 * shows the result if the coupon is invalid. The interview continues either way.
 */
import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { textDirection } from '../../../../src/platform/lib/languages/text-direction.ts';
import type { Draft } from '../../device/store/store.ts';
import { type CouponVerdict, watchCouponVerdict } from '../../offline/coupons/coupon-verdict.ts';
import { willBeFlagged } from '../../offline/coupons/verdict-kinds.ts';
import { storeCouponVerdict } from '../../offline/drafts.ts';
import { Notice } from '../../ui/notice.tsx';
import { CodeText } from '../coupons/code-text.tsx';

/** Not for corrected interviews: the code may have been used by the interview itself. */
const isUnchecked = ({ referralCode, couponVerdict = 'unchecked', completedAt }: Draft): boolean =>
  referralCode !== null && couponVerdict === 'unchecked' && completedAt === undefined;

export function CouponCheck({ draft }: { draft: Draft }) {
  const { t, i18n } = useTranslation();
  const { id, owner, referralCode } = draft;
  const [verdict, setVerdict] = useState<CouponVerdict | null>(null);
  const [isRead, setRead] = useState(false);
  const asks = isUnchecked(draft);
  useEffect(() => {
    if (!asks || !referralCode) return;
    const onVerdict = (result: CouponVerdict) => {
      setVerdict(result);
      if (result.kind !== 'unchecked') void storeCouponVerdict(id, result.kind).catch(() => undefined);
    };
    return watchCouponVerdict(owner, referralCode, onVerdict, { isOwnInterview: true });
  }, [asks, id, owner, referralCode]);
  if (!verdict || isRead || !willBeFlagged(verdict.kind)) return null;
  return (
    <div className="above-questions" lang={i18n.language} dir={textDirection(i18n.language)}>
      <Notice
        tone="warn"
        live
        title={
          <>
            <CodeText code={verdict.code} /> {t(`verdict.${verdict.kind}.title`)}
          </>
        }
      >
        {t('verdict.late')}
        <div>
          <Button mt="sm" variant="default" onClick={() => setRead(true)}>
            {t('verdict.goOn')}
          </Button>
        </div>
      </Notice>
    </div>
  );
}
