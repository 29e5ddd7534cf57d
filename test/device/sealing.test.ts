/** Sealed rows, and the key of a person on the device. */

import { Decrypter, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { IDBObjectStore } from 'fake-indexeddb';
import { waiting } from './browser.ts';

const { fromBase64, toBase64 } = await import('../../client/src/device/age.ts');
const {
  newAgeIdentity,
  openSealedFields: open,
  createSealOpener: opener,
  ageRecipientOf,
  seal,
  sealer,
} = await import('../../client/src/device/sealing.ts');
const { currentSession: session } = await import('../../client/src/device/stored-session.ts');
const { openStore } = await import('../../client/src/device/store/open-store.ts');
const { deviceDb: db } = await import('../../client/src/device/store/store.ts');
const {
  destroyPersonKey: destroyKey,
  destroyClearKeys,
  keyOwnersOnDevice,
  loadUserKey,
  forgetDecryptionKey: lockPersonKey,
  leavePersonKey,
  loadPersonSealing: sealingOf,
  findStoredKey,
  storePersonKey: storeKey,
  activatePersonKey,
} = await import('../../client/src/device/person-key.ts');

const VERA = 'a'.repeat(24);
const SAM = 'c'.repeat(24);
const FIELDS = { clientId: '1', responses: { name: 'Ōdèyọ́ 🙂', clue: 'K7' } };
const [mine, study, other] = [newAgeIdentity(), newAgeIdentity(), newAgeIdentity()];
const BOTH = [ageRecipientOf(mine), ageRecipientOf(study)];

async function ageOpens(sealed: string, identity: string): Promise<unknown> {
  const decrypter = new Decrypter();
  decrypter.addIdentity(identity);
  return JSON.parse(await decrypter.decrypt(fromBase64(sealed), 'text'));
}

describe('a sealed row', () => {
  test('opens for both readers, here and with age, and for nobody else', async () => {
    const sealed = seal(FIELDS, BOTH);
    for (const identity of [mine, study]) {
      expect(open(sealed, identity)).toEqual(FIELDS);
      expect(await ageOpens(sealed, identity)).toEqual(FIELDS);
    }
    expect(open(sealed, other)).toBeNull();
    await expect(ageOpens(sealed, other)).rejects.toThrow();
  });

  test('can also be written by age, and have more than one block', async () => {
    const large = { responses: 'x'.repeat(200_000) };
    const identity = await generateX25519Identity();
    const encrypter = new Encrypter();
    encrypter.addRecipient(await identityToRecipient(identity));
    expect(await identityToRecipient(identity)).toBe(ageRecipientOf(identity));
    expect(open(toBase64(await encrypter.encrypt(JSON.stringify(large))), identity)).toEqual(large);
    expect(await ageOpens(seal(large, BOTH), study)).toEqual(large);
  });

  test.each([0, 1, 65_535, 65_536, 65_537, 131_072])('holds %i letters', async (length) => {
    // With the quotes and the name of the field.
    const fields = { a: 'x'.repeat(Math.max(0, length - 8)) };
    expect(open(seal(fields, BOTH), mine)).toEqual(fields);
    expect(await ageOpens(seal(fields, BOTH), study)).toEqual(fields);
  });

  test('is rejected if any byte was changed', () => {
    const sealed = fromBase64(seal(FIELDS, BOTH));
    for (let at = 0; at < sealed.length; at += 1) {
      const damaged = sealed.slice();
      damaged[at] = (damaged[at] ?? 0) ^ 1;
      expect(open(toBase64(damaged), mine)).toBeNull();
    }
    for (const rest of [0, 10, 100, sealed.length - 1])
      expect(open(toBase64(sealed.slice(0, rest)), mine)).toBeNull();
    expect(open('not base64!', mine)).toBeNull();
  });

  test('differs from each other version of the same row', () => {
    const write = sealer(BOTH);
    const read = opener(mine);
    const versions = [1, 2, 3].map((note) => write({ ...FIELDS, note }));
    expect(new Set(versions.map((one) => one.slice(-60))).size).toBe(3);
    expect(versions.map((one) => read(one)?.note)).toEqual([1, 2, 3]);
  });
});

describe('the key of a person', () => {
  beforeEach(async () => {
    await openStore();
    for (const owner of await keyOwnersOnDevice()) await destroyKey(owner);
    await db.kept.delete('study');
    session.set(waiting(VERA));
  });

  const reload = () => leavePersonKey();
  const enter = (owner: string) => session.set(waiting(owner));

  test('is created once, and is on the device while its person is signed in', async () => {
    const [first, again] = await Promise.all([loadUserKey(VERA), loadUserKey(VERA)]);
    expect(again).toEqual(first);
    reload();
    expect(await loadUserKey(VERA)).toEqual(first);
    await destroyClearKeys((owner) => owner !== VERA);
    expect((await findStoredKey(VERA))?.identity).toBe(first?.identity);
    await destroyClearKeys(() => true);
    expect(await findStoredKey(VERA)).toBeNull();
    expect((await loadUserKey(VERA))?.recipient).not.toBe(first?.recipient);
  });

  test('leaves nothing in plaintext after signing out, wherever the browser was killed while creating it', async () => {
    const { put } = IDBObjectStore.prototype;
    for (let last = 1; last <= 2; last += 1) {
      let puts = 0;
      IDBObjectStore.prototype.put = function (...args) {
        puts += 1;
        if (puts > last) throw new Error('killed');
        return put.apply(this, args);
      };
      await loadUserKey(VERA).catch(() => undefined);
      IDBObjectStore.prototype.put = put;
      reload();
      await destroyClearKeys(() => true);
      expect(await findStoredKey(VERA)).toBeNull();
    }
    expect((await loadUserKey(VERA))?.identity).toMatch(/^AGE-SECRET-KEY-1/);
  });

  test('leaves nothing in plaintext if the browser is killed before noting a change', async () => {
    await storeKey(VERA, { recipient: 'age1', wrapped: 'by a PIN' });
    const killed = storeKey(VERA, { recipient: 'age1', identity: 'in clear' }, () =>
      Promise.reject(new Error('killed')),
    );
    await expect(killed).rejects.toThrow('killed');
    await destroyClearKeys(() => false);
    const names = (await indexedDB.databases()).map(({ name }) => name);
    expect(names).toContain(`key-${VERA}`);
    expect(names).not.toContain(`key-${VERA}-next`);
    expect(await findStoredKey(VERA)).toEqual({ recipient: 'age1', wrapped: 'by a PIN' });
  });

  test('belongs to one person', async () => {
    const vera = await loadUserKey(VERA);
    const sealed = (await sealingOf(VERA))?.sealer([])(FIELDS) ?? '';
    await expect(sealingOf(SAM)).rejects.toThrow();
    enter(SAM);
    expect((await sealingOf(SAM))?.open?.(sealed)).toBeNull();
    enter(VERA);
    expect((await loadUserKey(VERA))?.recipient).toBe(vera?.recipient);
    expect((await sealingOf(VERA))?.open?.(sealed)).toEqual(FIELDS);
  });

  test('seals while it is locked, and opens again once it is unlocked', async () => {
    const identity = (await loadUserKey(VERA))?.identity ?? '';
    const recipient = ageRecipientOf(identity);
    await storeKey(VERA, { recipient, wrapped: 'wrapped' });
    lockPersonKey();
    const locked = await sealingOf(VERA);
    expect(locked?.open).toBeNull();
    const sealed = locked?.sealer([ageRecipientOf(study)])(FIELDS) ?? '';
    reload();
    expect(await loadUserKey(VERA)).toEqual({ owner: VERA, recipient, identity: null });
    expect(await activatePersonKey(VERA, other)).toBe(false);
    expect(await activatePersonKey(VERA, identity)).toBe(true);
    expect((await sealingOf(VERA))?.open?.(sealed)).toEqual(FIELDS);
    // A wrapped key stays after signing out.
    await destroyClearKeys(() => true);
    expect(await findStoredKey(VERA)).toEqual({ recipient, wrapped: 'wrapped' });
  });

  test('survives a reload if the study requires a PIN that nobody has chosen yet', async () => {
    await db.kept.put({ key: 'study', value: { deviceLock: 'PIN' } });
    const first = await loadUserKey(VERA);
    reload();
    expect(await loadUserKey(VERA)).toEqual(first);
  });
});
