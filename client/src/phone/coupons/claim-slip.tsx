/** The claim number to keep, shown with the coupons. Its QR code is scanned where people are paid. */
import type { TFunction } from 'i18next';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import './claim-slip.css';

interface ClaimSlipProps {
  code: string;
  /** In the language of the person who keeps the slip. */
  t: TFunction;
  language: string;
}

export function ClaimSlip({ code, t, language }: ClaimSlipProps) {
  return (
    <article className="coupon claim-slip" aria-label={t('claim.title')} lang={language} dir="auto">
      <QrCode text={code} label={t('claim.qr', { code: formatCode(code) })} />
      <div>
        <div className="claim-slip-title">{t('claim.title')}</div>
        <div className="code">{formatCode(code)}</div>
        <p className="claim-slip-what">{t('claim.keep')}</p>
      </div>
    </article>
  );
}
