/** Rows of the device's store as their owner reads them: opened. Imported after `browser.ts`. */
import type { Draft, OutboxRow, StoredInterviewDraft } from '../../client/src/device/store/store.ts';

const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const {
  openBody,
  decryptDraft: openDraft,
  rowSealing,
  openFarewellPageContent: viewOf,
} = await import('../../client/src/offline/sealed-rows.ts');

const openOf = async (owner: string) => (await rowSealing(owner))?.open ?? null;

export async function openedDraft(draft: StoredInterviewDraft | undefined): Promise<Draft | undefined> {
  return draft && (openDraft(draft, await openOf(draft.owner)) ?? undefined);
}

export const draftOf = async (id: string): Promise<Draft | undefined> => openedDraft(await db.drafts.get(id));

/** With a body as it is validated by the service. */
export async function openedRow(row: OutboxRow | undefined) {
  if (!row) return undefined;
  const open = await openOf(row.owner);
  return { ...row, ...viewOf(row, open), body: row.body && openBody(row.body, open) };
}

export const rowOf = async (clientId: string) => openedRow(await db.outbox.where({ clientId }).first());
