/**
 * The address at which other people's phones reach the service, with a warning if they can't: coupons carry that
 * address.
 */
import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useSession } from '../../../session/session.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { QrCode } from '../../../ui/qr-code.tsx';
import { useDeskText } from '../words/desk-text.ts';

/** Addresses that only a home's or an office's own network knows. */
const OF_ONE_NETWORK =
  /^(10\.|192\.168\.|169\.254\.|172\.(1[6-9]|2\d|3[01])\.|\[f[cd]|\[fe80:)|\.(local|lan|home|internal)$/i;

/** Without an address from the service coupons lead to "localhost", whatever this page was opened by. */
export function useStudyAddress() {
  const configured = useSession()?.publicUrl;
  const url = configured ?? location.origin;
  return {
    url,
    reach: !configured ? 'nobody' : OF_ONE_NETWORK.test(new URL(configured).hostname) ? 'network' : 'all',
  } as const;
}

/** Where people sign up, to be sent, copied or scanned. */
export function SignUpAddress() {
  const { t } = useDeskText();
  const address = `${useStudyAddress().url}/sign-up`;
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

export function AddressWarning() {
  const { t } = useDeskText();
  const { reach, url } = useStudyAddress();
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
