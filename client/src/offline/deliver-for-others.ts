/**
 * Sends finished interviews of people who signed out on this device, or were replaced by someone else, in their names
 * and with their send tokens.
 */
import { deviceDb, ownersAllowedToWrite } from '../device/store/store.ts';
import type { PersonScope } from '../device/workspace.ts';
import { ownersWithSendToken } from './send-token.ts';
import { startInterviewSender } from './sender.ts';

export async function deliverForOthers({ owner: current, ended, onEnd }: PersonScope): Promise<void> {
  for (const owner of await ownersWithSendToken()) {
    const unsent = await deviceDb.outbox
      .where({ owner })
      .filter(({ state }) => state !== 'sent')
      .count();
    if (owner === current || ended.aborted || unsent === 0) continue;
    const writer = { owner };
    ownersAllowedToWrite.add(writer);
    onEnd(() => ownersAllowedToWrite.delete(writer));
    startInterviewSender(
      { owner, ended, onEnd },
      { onSent: () => undefined, stillApproved: () => Promise.resolve(false) },
    );
  }
}
