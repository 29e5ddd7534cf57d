/** Whether an interview on this device still has to reach the service. Asks for it to be sent now. */
import { useEffect } from 'react';
import { useLive } from '../../device/store/use-live.ts';
import { sendNow } from '../../offline/background.ts';
import { outboxRow, releaseInterview } from '../../offline/outbox.ts';

/** Null once it was sent, or if it isn't on this device. */
export function useSendingState(clientId: string | undefined): 'sending' | 'refused' | null {
  const state = useLive(`sending-${clientId}`, async () =>
    clientId ? ((await outboxRow(clientId))?.state ?? null) : null,
  );
  useEffect(() => {
    if (clientId) void releaseInterview(clientId).then(sendNow, () => undefined);
  }, [clientId]);
  // `state` is undefined until the store was read.
  if (!clientId || state === null || state === 'sent') return null;
  return state === 'attention' ? 'refused' : 'sending';
}
