/** The page of a new service's setup link, which creates the first administrator. */
import { Anchor, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link, useLocation } from 'react-router';
import { RequestRefusal, request } from '../../session/api.ts';
import { usePublicStudy } from '../../session/records.ts';
import { useSession } from '../../session/session.tsx';
import { LanguageSwitch } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import type { SignedIn } from '../../wire.ts';
import { NameFields } from './name-fields.tsx';
import { usePhoneProof } from './phone-proof.tsx';

export default function FirstAdminSetupPage() {
  const { t } = useTranslation();
  const token = new URLSearchParams(useLocation().hash.slice(1)).get('token');
  const { submit, error, step, fields, end } = usePhoneProof({
    hint: 'setup',
    nameFields: NameFields,
    /** Without a code, the service sends one. The link stays valid until the code has been entered. */
    send: (typed) => request<unknown>('POST', '/api/setup', { body: { token, ...typed } }),
    verify: (typed, code) => request<SignedIn>('POST', '/api/setup', { body: { token, ...typed, code } }),
    address: '/desk/first-run',
  });
  const signedIn = useSession() !== null;
  const refused = error instanceof RequestRefusal && error.status === 403;
  // A stored session may belong to an earlier installation, so this asks the service.
  const used = usePublicStudy({ always: true }).data?.needsSetup === false || refused;
  if (step) return step;
  return (
    <Page title={t('setup.title')} besideTitle={<LanguageSwitch />}>
      {used ? (
        <Notice tone="info" title={t('setup.used')} live={refused}>
          <Anchor component={Link} to={signedIn ? '/' : '/sign-in'} className="tall-link" inherit c="inherit">
            {t(signedIn ? 'setup.home' : 'setup.signIn')}
          </Anchor>
        </Notice>
      ) : token ? (
        <form onSubmit={submit} noValidate>
          <Text mb="md">{t('setup.text')}</Text>
          {fields}
          {end}
        </form>
      ) : (
        <Notice tone="warn" title={t('setup.noToken')} />
      )}
    </Page>
  );
}
