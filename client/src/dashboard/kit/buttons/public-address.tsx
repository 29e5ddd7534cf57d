/**
 * The address where other people's phones reach the service, with a warning if they can't. Coupons carry this
 * address.
 */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../../session/session.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { useDashboardText } from '../words/dashboard-text.ts';

/** Addresses that only work inside a local network. */
const LOCAL_ADDRESS =
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd]|\[fe80:)|\.(local|lan|home|internal)$/i;

/** If the service has no configured address, coupons lead to "localhost", no matter how this page was opened. */
export function usePublicUrl() {
  const configured = useSession()?.publicUrl;
  const url = configured ?? location.origin;
  return {
    url,
    reach: !configured ? 'nobody' : LOCAL_ADDRESS.test(new URL(configured).hostname) ? 'network' : 'all',
  } as const;
}

/** The sign-up address, to send, copy, or scan. */
export function SignUpAddress() {
  const { t } = useDashboardText();
  const address = `${usePublicUrl().url}/sign-up`;
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    await navigator.clipboard?.writeText(address);
    setCopied(navigator.clipboard !== undefined);
  };
  return (
    <div>
      <b>{address}</b>
      <Button variant="default" size="sm" onClick={() => void copy()}>
        {t(copied ? 'address.copied' : 'address.copy')}
      </Button>
      <div style={{ width: 176, marginTop: 12 }}>
        <QrCode text={address} label={t('address.qr')} />
      </div>
      {address.startsWith('https:') ? null : (
        <Text size="sm" mt={8}>
          {t('address.https')}
        </Text>
      )}
    </div>
  );
}

export function PublicAddressWarning() {
  const { t } = useDashboardText();
  const { reach, url } = usePublicUrl();
  if (reach === 'all') return null;
  return (
    <Notice tone="warn" title={t(`address.${reach}`)}>
      {t('address.what', { url: reach === 'nobody' ? 'localhost' : url })}
      <Text size="sm" mt={4}>
        {t('address.how')} <code>PUBLIC_URL=https://…</code>
      </Text>
    </Notice>
  );
}
