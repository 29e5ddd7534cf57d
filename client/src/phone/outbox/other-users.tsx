/** On a shared device: how many interviews of other people are waiting to be sent, without saying whose. */
import { useTranslation } from 'react-i18next';
import { countOthersUnsentInterviews } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { useSession } from '../../session/session.tsx';
import { Notice } from '../../ui/notice.tsx';

export function OthersUnsentNotice() {
  const { t } = useTranslation();
  const owner = useSession()?.user.id ?? '';
  const count = useLiveStoreQuery(`others-${owner}`, () => countOthersUnsentInterviews(owner)) ?? 0;
  if (count === 0) return null;
  return (
    <Notice tone="info" title={t('others.title', { count })}>
      {t('others.what')}
    </Notice>
  );
}
