/** Whether an interview on this device still has to reach the service. Asks for it to be sent now. */
import { useEffect } from 'react';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { sendInterviewsNow } from '../../offline/background.ts';
import { findOutboxRow, releaseInterview } from '../../offline/outbox.ts';

/** Null once it was sent, or if it isn't on this device. */
export function useSendingState(clientId: string | undefined): 'sending' | 'refused' | null {
  const state = useLiveStoreQuery(`sending-${clientId}`, async () =>
    clientId ? ((await findOutboxRow(clientId))?.state ?? null) : null,
  );
  useEffect(() => {
    if (clientId) void releaseInterview(clientId).then(sendInterviewsNow, () => undefined);
  }, [clientId]);
  // `state` is undefined until the store was read.
  if (!clientId || state === null || state === 'sent') return null;
  return state === 'attention' ? 'refused' : 'sending';
}
