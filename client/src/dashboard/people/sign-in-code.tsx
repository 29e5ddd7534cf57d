/**
 * A sign-in code for someone who can't get text messages: created on request, and shown once, as digits and as a QR
 * code.
 */
import './sign-in-code.css';
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import type { CreatedSignInCode as Made } from '../../../../src/access/auth/schema.ts';
import { fullName } from '../../../../src/platform/lib/text/full-name.ts';
import { formatTimeOfDay } from '../../texts/i18n.ts';
import { QrCode } from '../../ui/qr-code.tsx';
import type { User } from '../../wire.ts';
import { DashboardModal } from '../kit/actions/dashboard-modal.tsx';
import { Dialog } from '../kit/actions/dialog.tsx';
import { sendChange } from '../kit/actions/send.ts';
import { OpenButton } from '../kit/buttons/open-button.tsx';
import { useDashboardText } from '../kit/words/dashboard-text.ts';

export function SignInCodeButton({ user }: { user: User }) {
  const { t } = useDashboardText();
  return (
    <OpenButton variant="default" label={t('people.code.title')}>
      {(close) => <MakeCode user={user} onClose={close} />}
    </OpenButton>
  );
}

function MakeCode({ user, onClose }: { user: User; onClose(): void }) {
  const { t } = useDashboardText();
  const [signInCode, setSignInCode] = useState<Made | null>(null);
  const name = fullName(user);
  if (signInCode) return <ShowCode name={name} signInCode={signInCode} onClose={onClose} />;
  return (
    <Dialog
      title={t('people.code.for', { name })}
      text={t('people.code.what', { name })}
      yes={t('people.code.make')}
      onYes={async () => {
        setSignInCode(await sendChange<Made>('POST', `/api/users/${user.id}/sign-in-code`));
        return false;
      }}
      onClose={onClose}
    />
  );
}

function ShowCode({ name, signInCode, onClose }: { name: string; signInCode: Made; onClose(): void }) {
  const { t, language } = useDashboardText();
  const { code, url, expiresAt } = signInCode;
  return (
    <DashboardModal onClose={onClose} title={t('people.code.for', { name })}>
      <div className="sign-in-code" role="status">
        <QrCode text={url} label={t('people.code.qr')} />
        <div className="code">{`${code.slice(0, 3)}\u00a0${code.slice(3)}`}</div>
        <Text fw={600}>{t('people.code.until', { time: formatTimeOfDay(String(expiresAt), language) })}</Text>
      </div>
      <Text mt="md">{t('people.code.how', { name })}</Text>
      <div className="ask-buttons">
        <Button onClick={onClose}>{t('common.close')}</Button>
      </div>
    </DashboardModal>
  );
}
