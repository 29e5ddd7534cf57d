/**
 * One coupon: its code as a QR code and as text, to show, photograph, print, or share. Always dark on white, because
 * cameras need it.
 */
import { useTranslation } from 'react-i18next';
import { formatCode } from '../../../../src/coupons/referral-codes/code.ts';
import { currentSession } from '../../device/stored-session.ts';
import { Icon } from '../../ui/icon.tsx';
import { QrCode } from '../../ui/qr-code.tsx';

/**
 * The study's public address, which may differ from this page's (such as a laptop in the local network). If the
 * service has none configured, this page's address is used.
 */
const linkOf = (code: string): string => `${currentSession.get()?.publicUrl ?? location.origin}/c/${code}`;

interface CouponProps {
  code: string;
  number: number;
  of: number;
  text: string | undefined;
  /** Printed on the coupon: the study, whom to ask, and where to go. */
  study: { name: string; contact: string; places: string[] };
}

export function Coupon({ code, number, of, text, study }: CouponProps) {
  const { t } = useTranslation();
  const share = () => {
    const shareContent = {
      title: t('coupons.one', { number, of }),
      text: formatCode(code),
      url: linkOf(code),
    };
    // Closing the share sheet is not an error.
    void navigator.share(shareContent).catch(() => undefined);
  };
  return (
    <article className="coupon" aria-label={t('coupons.one', { number, of })}>
      <QrCode text={linkOf(code)} label={t('coupons.qr', { code: formatCode(code) })} />
      <div>
        <div>{t('coupons.one', { number, of })}</div>
        <div className="code">{formatCode(code)}</div>
        {'share' in navigator ? (
          <button type="button" className="icon-button no-print" onClick={share}>
            <Icon name="share" />
            {t('coupons.share')}
          </button>
        ) : null}
      </div>
      {[study.name, text, ...study.places, study.contact].filter(Boolean).map((line) => (
        <p key={line} className="coupon-text" dir="auto">
          {line}
        </p>
      ))}
    </article>
  );
}
