/**
 * Before anyone has used the setup link, signing in is pointless: nobody has an account, and nobody can approve one.
 */
import { useTranslation } from 'react-i18next';
import { usePublicStudy } from '../../session/records.ts';
import { Notice } from '../../ui/notice.tsx';

export function SetupNeededNotice() {
  const { t } = useTranslation();
  if (!usePublicStudy().data?.needsSetup) return null;
  return (
    <Notice tone="info" title={t('newcomer.needsSetup')}>
      {t('newcomer.needsSetupWhat')}
    </Notice>
  );
}
