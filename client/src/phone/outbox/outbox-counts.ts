/** How many finished interviews of the signed-in person are waiting to be sent, and how many need attention. */
import { deviceDb } from '../../device/store/store.ts';
import { useLiveStoreQuery } from '../../device/store/use-live.ts';
import { shownState } from '../../offline/row-states.ts';
import { useSession } from '../../session/session.tsx';

/** Including unfinished ones; undefined while loading. */
export function useUnfinishedOrUnsentCount(): number | undefined {
  const owner = useSession()?.user.id ?? '';
  const { waiting, attention } = useOutboxCounts();
  const unfinished = useLiveStoreQuery(`drafts-${owner}`, () => deviceDb.drafts.where({ owner }).count());
  return unfinished === undefined ? undefined : waiting + attention + unfinished;
}

export interface OutboxCounts {
  waiting: number;
  attention: number;
}

export function useOutboxCounts(): OutboxCounts {
  const owner = useSession()?.user.id ?? '';
  const none = { waiting: 0, attention: 0 };
  return (
    useLiveStoreQuery(`outbox-counts-${owner}`, async () => {
      const count = (state: string) => deviceDb.outbox.where({ owner, state }).count();
      const sentStates = (await deviceDb.outbox.where({ owner, state: 'sent' }).toArray()).map(shownState);
      const countSent = (state: string) => sentStates.filter((one) => one === state).length;
      return {
        waiting: (await count('waiting')) + (await count('sending')) + countSent('waiting'),
        attention: (await count('attention')) + countSent('attention'),
      };
    }) ?? none
  );
}
