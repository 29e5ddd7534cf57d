/** A file with everything that is not at the service yet: the last resort, to be saved and loaded again. */
import type { User } from '../wire.ts';
import { TAB } from './drafts.ts';
import { type Draft, db, type OutboxRow } from './store.ts';

const FORMAT = 'field-survey-rescue-1';

interface Rescue {
  format: typeof FORMAT;
  owner: string;
  name: string;
  savedAt: string;
  finished: OutboxRow[];
  drafts: Draft[];
}

/** `unsaved`: an interview on the screen that the device has no room for. */
export async function saveRescueFile(user: User, unsaved?: Draft): Promise<void> {
  const owner = user.id;
  const drafts = await db.drafts.where({ owner }).toArray();
  const rescue: Rescue = {
    format: FORMAT,
    owner,
    name: `${user.firstName} ${user.lastName}`,
    savedAt: new Date().toISOString(),
    finished: (await db.outbox.where({ owner }).toArray()).filter((row) => row.state !== 'sent'),
    drafts: unsaved ? [...drafts.filter((draft) => draft.id !== unsaved.id), unsaved] : drafts,
  };
  const url = URL.createObjectURL(new Blob([JSON.stringify(rescue, null, 1)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `interviews-${rescue.savedAt.slice(0, 16).replace(/[:T]/g, '-')}.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

export class NotARescueFile extends Error {
  override readonly name = 'NotARescueFile';
}

/** Puts back what is not on this device. Answers how many interviews that were. */
export async function loadRescueFile(owner: string, text: string): Promise<number> {
  const rescue = parse(text);
  if (rescue?.owner !== owner) throw new NotARescueFile();
  return db.transaction('rw', db.drafts, db.outbox, async () => {
    let added = 0;
    for (const { seq: _elsewhere, ...row } of rescue.finished) {
      if (await db.outbox.where({ clientId: row.clientId }).count()) continue;
      await db.outbox.add({ ...row, owner, state: row.state === 'attention' ? 'attention' : 'waiting' });
      added += 1;
    }
    for (const draft of rescue.drafts) {
      if (await db.drafts.get(draft.id)) continue;
      if (await db.outbox.where({ clientId: draft.id }).count()) continue;
      await db.drafts.add({ ...draft, owner, editor: TAB });
      added += 1;
    }
    return added;
  });
}

function parse(text: string): Rescue | null {
  try {
    const found = JSON.parse(text) as Partial<Rescue> | null;
    const whole = found?.format === FORMAT && Array.isArray(found.finished) && Array.isArray(found.drafts);
    return whole ? (found as Rescue) : null;
  } catch {
    return null;
  }
}
