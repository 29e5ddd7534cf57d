/** Whether a code is valid, with what to tell the person and what to do next. */
import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CouponVerdictKind } from '../../device/store/store.ts';
import type { CouponVerdict } from '../../offline/coupons/coupon-verdict.ts';
import { Notice, type Tone } from '../../ui/notice.tsx';
import { CodeText } from './code-text.tsx';

const TONES: Record<CouponVerdictKind, Tone> = {
  good: 'good',
  unchecked: 'info',
  'used-here': 'bad',
  malformed: 'warn',
  unknown: 'bad',
  used: 'bad',
  void: 'bad',
  expired: 'bad',
  'not-yet': 'warn',
};

interface VerdictNoticeProps {
  verdict: CouponVerdict | null;
  /** What the code is for: starting an interview, handing out its coupon, or correcting an interview. */
  purpose?: 'start' | 'give' | 'setRight';
  onClear?: () => void;
}

export function VerdictNotice({ verdict, purpose = 'start', onClear }: VerdictNoticeProps) {
  const { t } = useTranslation();
  return (
    <div aria-live="assertive">
      {verdict ? (
        <Notice
          tone={TONES[verdict.kind]}
          title={
            <>
              {verdict.kind === 'malformed' ? null : (
                <>
                  <CodeText code={verdict.code} />{' '}
                </>
              )}
              {t(`verdict.${verdict.kind}.title`)}
            </>
          }
        >
          {t(`verdict.${verdict.kind}.${purpose}`)}
          {onClear ? (
            <div>
              <Anchor
                component="button"
                type="button"
                className="tall-link"
                c="inherit"
                fw={650}
                onClick={onClear}
              >
                {t('verdict.other')}
              </Anchor>
            </div>
          ) : null}
        </Notice>
      ) : null}
    </div>
  );
}
