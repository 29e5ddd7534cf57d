/** Whether this device can send finished interviews even without a session. */
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { hasStoredSendToken } from '../../offline/send-token.ts';
import { useSession } from '../../session/session.tsx';

export function useHasSendToken(): boolean {
  const owner = useSession()?.user.id ?? '';
  return useLiveStoreQuery(`sends-${owner}`, () => hasStoredSendToken(owner)) ?? false;
}
