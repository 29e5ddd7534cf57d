/** Several writers of one interview: what an earlier one could not store never replaces newer answers. */

import { IDBObjectStore } from 'fake-indexeddb';
import { settle, time, waiting } from './browser.ts';

const { setClock } = await import('../../client/src/device/clock.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { claimDraft, discardDraft, draftWriter, retryUnsaved, startDraft } = await import(
  '../../client/src/offline/drafts.ts'
);
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const { decryptDraft: openDraft, rowSealing } = await import('../../client/src/offline/sealed-rows.ts');
const { createUnsavedDrafts: unsavedOf } = await import('../../client/src/device/unsaved.ts');
const { currentWorkspace: workspace } = await import('../../client/src/device/workspace.ts');

const VERA = 'a'.repeat(24);

let isFull = false;
const { put } = IDBObjectStore.prototype;
IDBObjectStore.prototype.put = function (...args) {
  if (isFull && this.name === 'drafts') throw new DOMException('full', 'QuotaExceededError');
  return put.apply(this, args);
};

let id = '';
let opening: ((sealed: string) => Record<string, unknown> | null) | null = null;
const outcomes: unknown[] = [];
async function openWriter() {
  const draft = await claimDraft(VERA, id);
  return draftWriter(draft as never, (error) => outcomes.push(error));
}
const unsaved = () => workspace.get().getOrCreate(unsavedOf).drafts.get().get(id)?.responses;
const stored = async () => {
  const row = await db.drafts.get(id);
  // Whoever signed out has no key any more.
  return row && opening && openDraft(row, opening)?.responses;
};
async function signOut(): Promise<void> {
  session.set(null);
  await settle();
}

beforeAll(() => {
  setClock({ now: () => time.wall, ticks: () => time.run });
});

beforeEach(async () => {
  isFull = false;
  outcomes.length = 0;
  session.set(waiting(VERA));
  await openStore();
  id = await startDraft({
    owner: VERA,
    questionnaire: 'q1',
    location: 'site',
    referralCode: null,
    coordinates: null,
    language: 'en',
  });
  opening = (await rowSealing(VERA))?.open ?? null;
});

/** The answer is on the screen only; then the page of the interview is left. */
async function leaveUnsaved(age: number): Promise<void> {
  const writer = await openWriter();
  isFull = true;
  writer.save({ responses: { age } });
  await settle();
  writer.close();
  await settle();
  expect([await stored(), unsaved()]).toEqual([{}, { age }]);
}

test('answers that didn’t fit on a full disk do not replace newer ones when the person signs out', async () => {
  await leaveUnsaved(1);
  isFull = false;
  const later = await openWriter();
  later.save({ responses: { age: 2 } });
  await settle();
  expect([await stored(), unsaved()]).toEqual([{ age: 2 }, undefined]);
  later.close();
  await signOut();
  expect(await stored()).toEqual({ age: 2 });
});

test('answers that didn’t fit on a full disk are stored with the next step of the interview', async () => {
  await leaveUnsaved(1);
  isFull = false;
  const later = await openWriter();
  later.save({ place: 'q2' });
  await settle();
  expect([await stored(), unsaved()]).toEqual([{ age: 1 }, undefined]);
});

test('answers that didn’t fit on a full disk are deleted with a discarded interview', async () => {
  await leaveUnsaved(1);
  await discardDraft(VERA, id);
  expect(unsaved()).toBeUndefined();
});

test('answers that didn’t fit on a full disk are stored when the person signs out, once there is space', async () => {
  await leaveUnsaved(1);
  isFull = false;
  await signOut();
  expect(await stored()).toEqual({ age: 1 });
});

test('trying again stores the answers, and does nothing more after that', async () => {
  await leaveUnsaved(1);
  await retryUnsaved();
  expect(unsaved()).toEqual({ age: 1 });
  isFull = false;
  await retryUnsaved();
  expect([await stored(), unsaved()]).toEqual([{ age: 1 }, undefined]);
  const later = await openWriter();
  later.save({ responses: { age: 2 } });
  await settle();
  await signOut();
  expect(await stored()).toEqual({ age: 2 });
});

test('answers refused because another tab had the interview are not stored when it is opened here again', async () => {
  const before = await openWriter();
  await db.drafts.update(id, { editor: 'another tab', responses: { age: 2 } });
  before.save({ responses: { age: 1 } });
  await settle();
  expect(outcomes).toEqual([expect.objectContaining({ name: 'NotTheEditor' })]);
  await openWriter();
  before.close();
  await signOut();
  expect(await stored()).toEqual({ age: 2 });
});

test('a store that does not respond is reported, and the answers are kept for the rescue file until it does', async () => {
  const writer = await openWriter();
  let release = () => {};
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { transaction } = db;
  db.transaction = ((...args: never[]) =>
    gate.then(() => (transaction as (...all: never[]) => unknown).apply(db, args))) as never;
  writer.save({ responses: { age: 5 } });
  await time.pass(9_000);
  expect(outcomes).toEqual([]);
  await time.pass(2_000);
  db.transaction = transaction;
  expect(outcomes).toEqual([expect.any(Error)]);
  expect(unsaved()).toEqual({ age: 5 });
  release();
  await settle();
  expect([outcomes.at(-1), unsaved(), await stored()]).toEqual([null, undefined, { age: 5 }]);
  writer.close();
});
