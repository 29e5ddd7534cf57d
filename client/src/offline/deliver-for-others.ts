/**
 * Sends finished interviews of people who signed out on this device, or were replaced by someone else, in their names
 * and with their send tokens.
 */
import { db, storeWriters } from '../device/store/store.ts';
import type { Workspace } from '../device/workspace.ts';
import { ownersWithSendToken } from './send-token.ts';
import { startSender } from './sender.ts';

export async function deliverForOthers({ owner: current, ended, onEnd }: Workspace): Promise<void> {
  for (const owner of await ownersWithSendToken()) {
    const unsent = await db.outbox
      .where({ owner })
      .filter(({ state }) => state !== 'sent')
      .count();
    if (owner === current || ended.aborted || unsent === 0) continue;
    const writer = { owner };
    storeWriters.add(writer);
    onEnd(() => storeWriters.delete(writer));
    startSender(
      { owner, ended, onEnd },
      { onSent: () => undefined, stillApproved: () => Promise.resolve(false) },
    );
  }
}
