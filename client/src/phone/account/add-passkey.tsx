/** Adds a passkey. The first one comes with recovery codes, and is then used to confirm this session. */
import { Button, Text, TextInput } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { browserNameFromUserAgent, UNKNOWN_CLIENT } from '../../../../src/platform/lib/client-name.ts';
import { refreshSession, setSessionRefreshPaused } from '../../session/refresh-session.ts';
import { FormError, useSubmit } from '../../ui/form.tsx';
import { SUPPORTS_PASSKEYS } from './has-passkeys.ts';
import { RecoveryCodes } from './recovery-codes.tsx';

const OWN_NAME = browserNameFromUserAgent(navigator.userAgent);

interface AddPasskeyProps {
  /**
   * True from the first tap until the recovery codes are saved: the page must stay, whatever happens to the session
   * meanwhile.
   */
  onAdding(isAdding: boolean): void;
  onAdded?: () => unknown;
}

export function AddPasskey({ onAdding, onAdded }: AddPasskeyProps) {
  const { t } = useTranslation('passkeys');
  const [name, setName] = useState(OWN_NAME === UNKNOWN_CLIENT ? t('title') : OWN_NAME);
  const [codes, setCodes] = useState<string[] | null>(null);
  const adding = (isAdding: boolean) => {
    setSessionRefreshPaused(isAdding);
    onAdding(isAdding);
  };
  useEffect(() => () => setSessionRefreshPaused(false), []);
  const { submit, busy, error } = useSubmit(async () => {
    const { addPasskey } = await import('./use-passkey.ts');
    adding(true);
    const added = await addPasskey(name).catch((problem: unknown) => {
      adding(false);
      throw problem;
    });
    if (added.recoveryCodes) return setCodes(added.recoveryCodes);
    adding(false);
    await onAdded?.();
  });
  const confirm = useSubmit(async () => {
    const { verifyByPasskey } = await import('./use-passkey.ts');
    const isVerified = await verifyByPasskey(null).then(
      () => true,
      () => false,
    );
    setCodes(null);
    adding(false);
    // If this fails, the page for confirming the session takes over.
    if (!isVerified) await refreshSession();
    await onAdded?.();
  });
  if (codes) return <RecoveryCodes codes={codes} busy={confirm.busy} onKept={() => confirm.submit()} />;
  if (!SUPPORTS_PASSKEYS) return <Text>{t('unsupported')}</Text>;
  return (
    <form onSubmit={submit} noValidate>
      <TextInput
        label={t('name')}
        value={name}
        maxLength={100}
        required
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <FormError error={error} />
      <Button type="submit" mt="md" loading={busy} disabled={name.trim() === ''}>
        {t('add')}
      </Button>
    </form>
  );
}
