/** Whether an interview of this device still has to arrive at the service, which is asked to take it now. */
import { useEffect } from 'react';
import { useLive } from '../../device/store/use-live.ts';
import { sendNow } from '../../offline/background.ts';
import { outboxRow, releaseInterview } from '../../offline/outbox.ts';

/** Null once it has arrived, or if it is not on this device. */
export function useSendingState(clientId: string | undefined): 'sending' | 'refused' | null {
  const state = useLive(`sending-${clientId}`, async () =>
    clientId ? ((await outboxRow(clientId))?.state ?? null) : null,
  );
  useEffect(() => {
    if (clientId) void releaseInterview(clientId).then(sendNow, () => undefined);
  }, [clientId]);
  // Undefined until the store was read.
  if (!clientId || state === null || state === 'sent') return null;
  return state === 'attention' ? 'refused' : 'sending';
}
