/** A file with everything not sent yet: the last resort. It can be saved, and loaded again. */

import { RESCUE_FORMAT } from '../../../src/interviews/surveys/import/rescue-file.ts';
import { parseJsonOrNull } from '../../../src/platform/lib/objects/parse-json.ts';
import { fullName } from '../../../src/platform/lib/text/full-name.ts';
import { nowText } from '../device/clock.ts';
import { THIS_TAB } from '../device/editor.ts';
import { openStore } from '../device/store/open-store.ts';
import { deviceDb, type OutboxRow, type StoredInterviewDraft } from '../device/store/store.ts';
import { rowsFromMemoryCopy } from '../device/store/store-backup.ts';
import { createUnsavedDrafts } from '../device/unsaved.ts';
import { currentWorkspace } from '../device/workspace.ts';
import type { User } from '../wire.ts';
import {
  decryptDraft,
  isDraftUnencrypted,
  isRowUnencrypted,
  rowSealing,
  sealDraft,
  sealRow,
} from './sealed-rows.ts';

interface Rescue {
  format: typeof RESCUE_FORMAT;
  owner: string;
  name: string;
  savedAt: string;
  finished: OutboxRow[];
  drafts: StoredInterviewDraft[];
}

export interface RescueFile {
  name: string;
  text: string;
  /** How many interviews it contains. */
  count: number;
  /** True if the store could never be read, so that the file only has what is on the screen. */
  partial: boolean;
}

/** A broken store may never answer. */
const TIMEOUT_MS = 4_000;

/** What the store contains, or, if it can't be read, what it contained when it was last read. */
async function stored(owner: string): Promise<{ drafts: StoredInterviewDraft[]; rows: OutboxRow[] } | null> {
  const reading = (async () => {
    if (!deviceDb.isOpen()) await openStore();
    const drafts = await deviceDb.drafts.where({ owner }).toArray();
    const rows = await deviceDb.outbox.where({ owner }).toArray();
    return { drafts, rows };
  })();
  const late = new Promise<null>((resolve) => setTimeout(() => resolve(null), TIMEOUT_MS));
  const read = await Promise.race([reading.catch(() => null), late]);
  return read ?? rowsFromMemoryCopy(owner);
}

/** Everything stored but not sent, and everything typed but not stored. */
export async function makeRescueFile(user: User): Promise<RescueFile> {
  const owner = user.id;
  const storedWork = await stored(owner);
  const unsaved = currentWorkspace.get().getOrCreate(createUnsavedDrafts).drafts.get();
  // If the encryption code can't be loaded, an unencrypted file is better than none.
  const sealing = await rowSealing(owner).catch(() => null);
  const drafts = (storedWork?.drafts ?? []).filter(({ id }) => !unsaved.has(id));
  const rescue: Rescue = {
    format: RESCUE_FORMAT,
    owner,
    name: fullName(user),
    savedAt: nowText(),
    finished: (storedWork?.rows ?? []).filter(({ state }) => state !== 'sent'),
    drafts: [...drafts, ...[...unsaved.values()].map((draft) => sealDraft(draft, sealing?.newKey() ?? null))],
  };
  const count = rescue.finished.length + rescue.drafts.length;
  // For an interview being corrected, the importer gets the finished version.
  rescue.finished.push(...rescue.drafts.flatMap(({ finished }) => finished ?? []));
  return {
    name: `interviews-${rescue.savedAt.slice(0, 16).replace(/[:T]/g, '-')}.json`,
    text: JSON.stringify(rescue, null, 1),
    count,
    partial: storedWork === null,
  };
}

/** Browsers don't report whether a download completed. */
export function offerFileDownload(
  { name, text }: Pick<RescueFile, 'name' | 'text'>,
  type = 'application/json',
): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Shares the text with another app, or copies it. Neither works on plain http. */
export async function shareOrCopy({ name, text }: RescueFile): Promise<'shared' | 'copied' | null> {
  const file = new File([text], name.replace('.json', '.txt'), { type: 'text/plain' });
  try {
    if (navigator.canShare?.({ files: [file] })) {
      await navigator.share({ files: [file] });
      return 'shared';
    }
    await navigator.clipboard.writeText(text);
    return 'copied';
  } catch {
    return null;
  }
}

export class NotARescueFile extends Error {
  override readonly name = 'NotARescueFile';
}

/** Restores interviews that aren't on this device. Returns their number. */
export async function restoreFromRescueFile(owner: string, text: string): Promise<number> {
  const rescue = parse(text);
  if (rescue?.owner !== owner) throw new NotARescueFile();
  const sealing = await rowSealing(owner);
  return deviceDb.transaction('rw', deviceDb.drafts, deviceDb.outbox, async () => {
    let added = 0;
    for (const draft of rescue.drafts) {
      if (await deviceDb.drafts.get(draft.id)) continue;
      if (await deviceDb.outbox.where({ clientId: draft.id }).count()) continue;
      const mine = { ...draft, owner, editor: THIS_TAB };
      const read = sealing && isDraftUnencrypted(mine) && decryptDraft(mine, null);
      await deviceDb.drafts.add(read ? sealDraft(read, sealing.newKey()) : mine);
      added += 1;
    }
    for (const { seq: _elsewhere, ...row } of rescue.finished) {
      if (await deviceDb.outbox.where({ clientId: row.clientId }).count()) continue;
      // It is being corrected on this device.
      if (await deviceDb.drafts.get(row.clientId)) continue;
      const state = row.state === 'attention' ? 'attention' : 'waiting';
      const mine = { ...row, owner, state } as OutboxRow;
      await deviceDb.outbox.add(sealing && isRowUnencrypted(mine) ? sealRow(mine, sealing.newKey()) : mine);
      added += 1;
    }
    return added;
  });
}

function parse(text: string): Rescue | null {
  const rescue = parseJsonOrNull(text) as Partial<Rescue> | null;
  const whole =
    rescue?.format === RESCUE_FORMAT && Array.isArray(rescue.finished) && Array.isArray(rescue.drafts);
  return whole ? (rescue as Rescue) : null;
}
