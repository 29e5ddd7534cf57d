/** The secret for the person's own page, shown with the coupons: to keep private. */
import { Button } from '@mantine/core';
import { useState } from 'react';
import { formatSecret } from '../../../../src/coupons/referral-codes/secret.ts';
import { currentSession } from '../../device/stored-session.ts';
import { useTextsInLanguage } from '../../texts/use-texts-of.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import './claim-slip.css';

const linkOf = (secret: string): string =>
  `${currentSession.get()?.publicUrl ?? location.origin}/s/${secret}`;

export function SecretSlip({ secret, language }: { secret: string; language: string }) {
  /** In the language of the person who keeps the slip. */
  const t = useTextsInLanguage(language, 'own-page');
  /** For the interviewer, in the app's language. */
  const own = useTextsInLanguage(null, 'own-page');
  const [isLeftOut, setLeftOut] = useState(false);
  if (!t || !own) return null;
  return (
    <>
      <article
        className={isLeftOut ? 'coupon claim-slip no-print' : 'coupon claim-slip'}
        aria-label={t('title')}
        lang={language}
        dir="auto"
      >
        <QrCode text={linkOf(secret)} label={t('qr')} />
        <div>
          <div className="claim-slip-title">{t('title')}</div>
          <div className="code secret-code" dir="ltr">
            {formatSecret(secret)}
          </div>
          <p className="claim-slip-what">{t('what')}</p>
          <p className="claim-slip-what">{t('keep')}</p>
        </div>
      </article>
      <p className="no-print">{own('danger')}</p>
      <Button
        className="no-print"
        variant="default"
        onClick={() => setLeftOut(!isLeftOut)}
        aria-pressed={isLeftOut}
      >
        {own(isLeftOut ? 'printAgain' : 'leaveOut')}
      </Button>
    </>
  );
}
